/** A browser copies all of a text when it grows: a long one stands in nodes of this many characters. */
export const longestNode = 4096;

/** Adds text at the end of an element; what it costs is its own length. */
export function growText(element: Element, text: string): void {
  const { lastChild } = element;
  let at = 0;
  if (lastChild instanceof Text && lastChild.length <= longestNode) {
    at = wholeTo(text, longestNode - lastChild.length);
    lastChild.appendData(text.slice(0, at));
  }
  while (at < text.length) {
    const end = wholeTo(text, at + longestNode);
    element.append(text.slice(at, end));
    at = end;
  }
}

/** `at`, or the offset after it where a character of two units would be torn; no more than the text has. */
export function wholeTo(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return Math.min(text.length, unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at);
}
