import type { TextRun } from "./block.ts";

/** The text of a block as it is spoken. */
export interface SpokenText {
  /** White space is a single kind of blank. */
  readonly text: string;
  /** The source range of each unit of the text; ends are exclusive. */
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/** A part of a spoken text that is read in other words, or not at all. */
export interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function toSpokenText(runs: readonly TextRun[]): SpokenText {
  const from: number[] = [];
  const to: number[] = [];
  for (const run of runs) {
    const isSame = run.text.length === run.to - run.from;
    for (let index = 0; index < run.text.length; index++) {
      const start = run.offsets?.[index];
      from.push(start ?? (isSame ? run.from + index : run.from));
      to.push(
        start === undefined ? (isSame ? run.from + index + 1 : run.to) : (run.ends?.[index] ?? start + 1),
      );
    }
  }
  const written = { text: runs.map((run) => run.text).join(""), from, to };
  const { text, ...ranges } = replaced(written, cutWordsIn(written.text));
  return { text: text.replace(/\s/g, " "), ...ranges };
}

/** A hyphen at the end of a line, in a word that goes on: `exam-` and `ple`, but not `Vor-` and `und Nachteile`. */
const cutWord =
  /(?<=\p{Ll})(?:-|\u00ad)[ \t]*(?:\r\n?|\n)[ \t]*(?=(?!(?:and|or|und|oder|bzw|et|ou|y|e|o|en|of)\b)\p{Ll})/gu;

function cutWordsIn(text: string): Replacement[] {
  return [...text.matchAll(cutWord)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
    text: "",
  }));
}

/** Applies replacements, which may not overlap; of those that do, the first counts. */
export function replaced(spoken: SpokenText, replacements: readonly Replacement[]): SpokenText {
  if (replacements.length === 0) return spoken;
  const texts: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  let index = 0;
  const keep = (end: number) => {
    texts.push(spoken.text.slice(index, end));
    for (; index < end; index++) {
      from.push(spoken.from[index] ?? 0);
      to.push(spoken.to[index] ?? 0);
    }
  };
  for (const { start, end, text } of [...replacements].sort((a, b) => a.start - b.start)) {
    if (start < index) continue;
    keep(start);
    texts.push(text);
    for (let unit = 0; unit < text.length; unit++) {
      from.push(spoken.from[start] ?? 0);
      to.push(spoken.to[end - 1] ?? 0);
    }
    index = end;
  }
  keep(spoken.text.length);
  return { text: texts.join(""), from, to };
}
