/** A text whose lines all end with `\n`. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}

/** A text as one line, without blanks at its ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
