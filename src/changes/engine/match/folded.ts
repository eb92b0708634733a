/**
 * A text as a reader sees it: what looks alike is the same, and what can't be seen is not there. Each code unit of it
 * stands for a part of the text.
 */
export interface Folded {
  readonly text: string;
  /** Where the part of each code unit begins and ends. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The differences that a comparison ignores. */
export interface Folding {
  /** `ends`: line ends only. `looks`: characters that look alike and white space before line ends, too. `indents`: also the white space that lines begin with. */
  readonly level: "ends" | "looks" | "indents";
  /** The end of the text is the end of a line. */
  readonly isLineEnd: boolean;
}

const lineFeed = 10;
const carriageReturn = 13;
const tab = 9;
/** Marks that stand on one character; more of them are no writing. */
const cluster = /[\u1100-\u115f][\u1160-\u11a7]{1,4}[\u11a8-\u11ff]{0,4}|\P{M}\p{M}{1,30}|\p{M}{1,30}/suy;
const invisible = /\p{Default_Ignorable_Code_Point}/u;
const blank = /[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;
const looks: Readonly<Record<string, string>> = {
  "'": "\u2018\u2019\u201a\u201b\u2032\u00b4\u02b9\u02bc\uff07",
  '"': "\u201c\u201d\u201e\u201f\u2033\u02ba\uff02",
  "-": "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d",
  "...": "\u2026",
};
const plainOf = new Map(
  Object.entries(looks).flatMap(([plain, alike]) => Array.from(alike, (one) => [one, plain] as const)),
);

/** True for a character that can't be seen, so that nobody can write it after reading. */
export function isInvisible(character: string): boolean {
  return invisible.test(character);
}

/** Takes time linear in the text. */
export function folded(text: string, { level, isLineEnd }: Folding): Folded {
  const parts = new Parts(text.length);
  const isLoose = level !== "ends";
  let isAtStart = true;
  for (let from = 0; from < text.length; ) {
    const to = isLoose && isBlankAt(text, from) ? runEnd(text, from) : partEnd(text, from, isLoose);
    const isRun = isLoose && isBlankAt(text, from);
    if (isRun && !isDropped(text, to, isLineEnd, isAtStart && level === "indents"))
      parts.addBlanks(text, from, to);
    if (!isRun) parts.add(plain(text, from, to, isLoose), from, to);
    isAtStart =
      text.charCodeAt(to - 1) === lineFeed || (isLoose && text.charCodeAt(to - 1) === carriageReturn);
    from = to;
  }
  return parts.folded();
}

/** White space that stands at the end of a line or, if that does not count, at its start. */
function isDropped(text: string, end: number, isLineEnd: boolean, isIndent: boolean): boolean {
  const next = text.charCodeAt(end);
  const isLast = end === text.length ? isLineEnd : next === lineFeed || next === carriageReturn;
  return isLast || isIndent;
}

function isBlankAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit === 32 || unit === tab || (unit > 127 && blank.test(text.charAt(index)));
}

/** The end of white space, with the invisible characters in it. */
function runEnd(text: string, from: number): number {
  let to = from;
  while (to < text.length && (isBlankAt(text, to) || isInvisibleAt(text, to))) to += 1;
  return to;
}

function isInvisibleAt(text: string, index: number): boolean {
  return text.charCodeAt(index) > 127 && invisible.test(text.charAt(index));
}

/** The end of the line end, the character or the character with marks at a place. */
function partEnd(text: string, from: number, isLoose: boolean): number {
  const unit = text.charCodeAt(from);
  const next = text.charCodeAt(from + 1);
  if (unit === carriageReturn && next === lineFeed) return from + 2;
  if (!isLoose || (unit < 128 && !(next > 127))) return from + 1;
  cluster.lastIndex = from;
  const found = cluster.exec(text);
  if (found && unit > 31) return from + found[0].length;
  return from + ((text.codePointAt(from) ?? 0) > 0xffff ? 2 : 1);
}

function plain(text: string, from: number, to: number, isLoose: boolean): string {
  const unit = text.charCodeAt(from);
  if (unit === carriageReturn && (isLoose || to - from === 2)) return "\n";
  const part = text.slice(from, to);
  if (!isLoose || (unit < 128 && to - from === 1)) return part;
  const seen = Array.from(part.normalize("NFC")).filter((one) => !invisible.test(one));
  return seen.map((one) => plainOf.get(one) ?? narrow(one)).join("");
}

/** The usual form of a full width letter or sign. */
function narrow(character: string): string {
  const unit = character.charCodeAt(0);
  return unit >= 0xff01 && unit <= 0xff5e ? String.fromCharCode(unit - 0xfee0) : character;
}

/** The parts of a folded text. */
class Parts {
  readonly #texts: string[] = [];
  #starts: Int32Array;
  #ends: Int32Array;
  #length = 0;

  constructor(length: number) {
    this.#starts = new Int32Array(length + 16);
    this.#ends = new Int32Array(length + 16);
  }

  add(text: string, from: number, to: number): void {
    if (this.#length + text.length > this.#starts.length) this.#grow();
    this.#texts.push(text);
    for (let index = 0; index < text.length; index++) {
      this.#starts[this.#length] = from;
      this.#ends[this.#length] = to;
      this.#length += 1;
    }
  }

  addBlanks(text: string, from: number, to: number): void {
    for (let index = from; index < to; index++)
      if (!isInvisibleAt(text, index))
        this.add(text.charCodeAt(index) === tab ? "\t" : " ", index, index + 1);
  }

  folded(): Folded {
    const [starts, ends] = [this.#starts, this.#ends].map((all) => all.subarray(0, this.#length));
    return { text: this.#texts.join(""), starts: starts as Int32Array, ends: ends as Int32Array };
  }

  #grow(): void {
    const longer = (all: Int32Array) => {
      const next = new Int32Array(all.length * 2 + 64);
      next.set(all);
      return next;
    };
    this.#starts = longer(this.#starts);
    this.#ends = longer(this.#ends);
  }
}
