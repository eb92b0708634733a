/** A text whose lines all end with `\n`. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?/g, "\n");
}
