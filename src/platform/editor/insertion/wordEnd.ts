const letter = /[\p{L}\p{N}\p{M}_]/u;
/** Signs that join two words to one: `well-known`, `don't`, `1.5`, `a/b`, `name@host`. */
const joining = /[-'’.,@/&+·:]/u;
/** Scripts that write words without blanks between them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Characters of a word that are looked at. */
const longest = 200;

/** True if a text begins, or ends, in a script without blanks between words. */
export function isUnspaced(character: string): boolean {
  return unspaced.test(character);
}

/** The end of the word that is around an offset; the offset itself between words. */
export function wordEnd(text: string, offset: number): number {
  const isWithin = offset > 0 && offset < text.length && isJoined(text, offset);
  if (!isWithin) return offset;
  if (isUnspaced(text.charAt(offset - 1)) && isUnspaced(text.charAt(offset))) return segmentEnd(text, offset);
  let end = offset;
  while (end < text.length && end - offset < longest && isJoined(text, end)) end += 1;
  return end;
}

/** True if the characters before and behind belong to one word. */
function isJoined(text: string, offset: number): boolean {
  const [before, after] = [characterBefore(text, offset), characterAt(text, offset)];
  if (isHalf(text, offset)) return true;
  if (letter.test(before) && letter.test(after)) return isUnspaced(before) === isUnspaced(after);
  const next = characterAt(text, offset + after.length);
  if (letter.test(before) && joining.test(after)) return letter.test(next) && !isUnspaced(next);
  const previous = characterBefore(text, offset - before.length);
  return joining.test(before) && letter.test(previous) && letter.test(after);
}

function isHalf(text: string, offset: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(offset - 1)) && /[\udc00-\udfff]/.test(text.charAt(offset));
}

function characterAt(text: string, offset: number): string {
  return String.fromCodePoint(text.codePointAt(offset) ?? 32);
}

function characterBefore(text: string, offset: number): string {
  const isPair = /[\udc00-\udfff]/.test(text.charAt(offset - 1));
  return offset <= 0 ? " " : text.slice(offset - (isPair ? 2 : 1), offset);
}

/** By the dictionary of the platform. */
function segmentEnd(text: string, offset: number): number {
  const from = Math.max(0, offset - longest);
  const segment = new Intl.Segmenter(undefined, { granularity: "word" })
    .segment(text.slice(from, offset + longest))
    .containing(offset - from);
  const isBetween = !segment || segment.index === offset - from;
  return isBetween ? offset : from + segment.index + segment.segment.length;
}
