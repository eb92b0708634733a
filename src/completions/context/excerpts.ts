/** A document in another tab, as far as an excerpt needs it. */
export interface Neighbour {
  readonly name: string;
  readonly languageId: string;
  /** Changes with each change of the text. */
  readonly version: number;
  /** At most `mostRead` characters of it are read. */
  readonly text: () => string;
}

interface Excerpt {
  readonly name: string;
  readonly text: string;
}

const mostNeighbours = 3;
const mostRead = 20_000;
const excerptLines = 14;
const excerptLength = 900;
/** Characters before the cursor whose words count. */
const nearLength = 1_200;
const wordsPerLine = 40;
/** Documents whose words are kept. */
const mostKept = 24;

interface Lines {
  readonly version: number;
  readonly lines: readonly string[];
  readonly words: readonly ReadonlySet<string>[];
}

/** Excerpts of neighbours that share words with the text at the cursor. Keeps the words of each document. */
export class Excerpts {
  readonly #kept = new Map<string, Lines>();

  /** The best part of each neighbour; documents of the same language come first. */
  of(neighbours: readonly Neighbour[], languageId: string, before: string): readonly Excerpt[] {
    const near = wordsIn(before.slice(-nearLength), 400);
    const isSame = (one: Neighbour) => one.languageId === languageId;
    const chosen = [...neighbours.filter(isSame), ...neighbours.filter((one) => !isSame(one))];
    return chosen.slice(0, mostNeighbours).flatMap((one) => {
      const text = bestPart(this.#linesOf(one), near);
      return text === "" ? [] : [{ name: one.name, text }];
    });
  }

  #linesOf(neighbour: Neighbour): Lines {
    const found = this.#kept.get(neighbour.name);
    this.#kept.delete(neighbour.name);
    const current = found?.version === neighbour.version ? found : readLines(neighbour);
    this.#kept.set(neighbour.name, current);
    if (this.#kept.size > mostKept)
      for (const oldest of [...this.#kept.keys()].slice(0, 1)) this.#kept.delete(oldest);
    return current;
  }
}

function readLines({ version, text }: Neighbour): Lines {
  const lines = text().slice(0, mostRead).split(/\r?\n/);
  return { version, lines, words: lines.map((line) => wordsIn(line.slice(0, 400), wordsPerLine)) };
}

function wordsIn(text: string, most: number): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu)) {
    words.add(word);
    if (words.size >= most) break;
  }
  return words;
}

/** The window of lines that shares the most words, found in one pass; empty if none shares any. */
function bestPart({ lines, words }: Lines, near: ReadonlySet<string>): string {
  const scores = words.map((line) => {
    let shared = 0;
    for (const word of line) if (near.has(word)) shared++;
    return shared;
  });
  let sum = 0;
  let best = { sum: 0, from: 0 };
  for (const [at, score] of scores.entries()) {
    sum += score - (scores[at - excerptLines] ?? 0);
    if (sum > best.sum) best = { sum, from: Math.max(0, at - excerptLines + 1) };
  }
  if (best.sum === 0) return "";
  const part = lines.slice(best.from, best.from + excerptLines).join("\n");
  return part.length > excerptLength ? `${part.slice(0, excerptLength)} …` : part;
}
