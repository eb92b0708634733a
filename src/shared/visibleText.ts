/**
 * Characters that show nothing, look like a blank that they are not, or change how the text around them is read:
 * controls but tab and line feed, formats (bidi marks, zero-width joiners, tags), ignorables (fillers, variation
 * selectors), line and paragraph separators, the blank of Braille, halves of pairs.
 */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allHidden = new RegExp(hidden, "gu");

/** Whether a text is not what it looks like. */
export function hidesSomething(text: string): boolean {
  return hidden.test(text);
}

/** How many characters of a text can't be seen. */
export function hiddenCount(text: string): number {
  return text.match(allHidden)?.length ?? 0;
}

/** A text from elsewhere as a person has to read it who decides on it: what can't be seen stands there as ⟨U+202E⟩. */
export function visibleText(text: string): string {
  return text.replace(allHidden, codeOf);
}

/** The same in one line: line breaks and tabs are shown as well. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\t\n]/g, codeOf);
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
