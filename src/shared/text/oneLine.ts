/** A text as one line, without blanks at its ends. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
