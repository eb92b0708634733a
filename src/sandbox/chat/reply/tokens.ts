/** A word, a number or punctuation, with the space before it; or spaces. Matches cover the whole text. */
const piece = /\s?[\p{L}\p{M}]{1,7}|\s?\p{N}{1,3}|\s?[^\p{L}\p{M}\p{N}\s]{1,4}|\s+/gu;

/** The tokens of a text. Concatenated, they are the text. */
export function* tokensOf(text: string): Generator<string> {
  for (const [token] of text.matchAll(piece)) yield token;
}

export function countTokens(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(piece)) count++;
  return count;
}

/** The first tokens of a text. */
export function firstTokens(text: string, limit: number): { readonly text: string; readonly whole: boolean } {
  // A token has at least one character, so short texts need no count.
  if (text.length <= limit) return { text, whole: true };
  let count = 0;
  for (const { index } of text.matchAll(piece)) {
    if (count === limit) return { text: text.slice(0, index), whole: false };
    count++;
  }
  return { text, whole: true };
}
