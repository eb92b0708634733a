/**
 * Characters that are invisible, look like a space, or change how the surrounding text reads: controls except tab and
 * line feed, formats (bidi marks, zero-width joiners, tags), ignorables (fillers, variation selectors), line and
 * paragraph separators, the Braille blank, lone surrogates.
 */
const hidden = /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const allHidden = new RegExp(hidden, "gu");

/** True if a text contains hidden characters. */
export function hidesSomething(text: string): boolean {
  return hidden.test(text);
}

/** The number of hidden characters. */
export function hiddenCount(text: string): number {
  return text.match(allHidden)?.length ?? 0;
}

/** Untrusted text for a decision of the user: hidden characters are shown as ⟨U+202E⟩. */
export function visibleText(text: string): string {
  return text.replace(allHidden, codeOf);
}

/** The same on one line: line breaks and tabs are shown as well. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\t\n]/g, codeOf);
}

function codeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, "0")}⟩`;
}
