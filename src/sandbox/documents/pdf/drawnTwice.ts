/** A piece of text of a page, as the reader of PDF files gives it. Lengths are in points. */
export interface TextItem {
  readonly str: string;
  /** a, b, c, d, x, y. */
  readonly transform: readonly number[];
  readonly width: number;
  readonly height: number;
  readonly hasEOL: boolean;
}

/** Text is drawn again so close to itself that it looks bold, in points. */
const maxShift = 1;

/** Without text that is drawn again at its place, which looks bold or has a shadow. */
export function onceDrawn(items: readonly TextItem[]): TextItem[] {
  const seen = new Map<string, TextItem[]>();
  const kept: TextItem[] = [];
  for (const item of items) {
    const same = seen.get(item.str) ?? [];
    const last = kept.at(-1);
    if (item.str.trim() === "" || !same.some((other) => isAtOnePlace(other, item))) {
      same.push(item);
      seen.set(item.str, same);
      kept.push(item);
    } else if (item.hasEOL && last) kept[kept.length - 1] = { ...last, hasEOL: true };
  }
  return kept;
}

function isAtOnePlace(one: TextItem, other: TextItem): boolean {
  return one.transform.every((value, index) => Math.abs(value - (other.transform[index] ?? 0)) <= maxShift);
}

/** Fewer letters can be pairs by chance. */
const minPairs = 4;
const minLetters = 3;

/** Each letter is drawn twice, one after the other: `SSttaatteemmeenntt` is *Statement*. Other texts as they are. */
export function undoubled(text: string): string {
  const letters = text.replace(/\s/g, "");
  if (letters.length < 2 * minPairs || !isPairs(letters)) return text;
  if (new Set(letters.match(/\p{L}/gu)).size < minLetters) return text;
  const words = text.trim().split(/\s+/);
  return words.every(isPairs) ? words.map(half).join(" ") : half(letters);
}

function isPairs(text: string): boolean {
  if (text.length % 2 > 0) return false;
  for (let index = 0; index < text.length; index += 2) if (text[index] !== text[index + 1]) return false;
  return true;
}

function half(text: string): string {
  return text.replace(/(.)\1/gs, "$1");
}
