import { upperTokens } from "../../../../shared/chat/tokenEstimate.ts";
import type { ReadLine, SomeLines } from "../../../../tools/files/diskLines.ts";

/** Room for the notes at the end of a read text, in tokens. */
const noteTokens = 120;

/** A part of a text as the model reads it. */
export interface ShownRange {
  readonly text: string;
  /** The shown lines, from 1; `to` is less than `from` if there are none. */
  readonly from: number;
  readonly to: number;
  /** True if no shown line is cut. */
  readonly isExact: boolean;
}

/** Lines with their numbers as `cat -n` shows them, as many as fit, and what is left out. A whole text ends without a note. */
export function shownRange(some: SomeLines, maxTokens: number, isNumbered = true): ShownRange {
  const { from, total, isCounted, endsWithBreak } = some;
  const lines: string[] = [];
  let tokens = noteTokens;
  for (const [index, line] of some.lines.entries()) {
    const shown = `${isNumbered ? `${String(from + index).padStart(6)}\t` : ""}${shownLine(line)}`;
    tokens += upperTokens(shown) + 1;
    if (lines.length > 0 && tokens > maxTokens) break;
    lines.push(shown);
  }
  const to = from + lines.length - 1;
  const isExact = some.lines.slice(0, lines.length).every(({ text, length }) => text.length === length);
  const isEnd = isCounted && to === total;
  const notes = [
    ...(isEnd && from === 1 && total > 0 ? [] : [rangeNote(some, to, isEnd)]),
    ...(isEnd && isNumbered && total > 0 && !endsWithBreak ? ["no line break at the end"] : []),
    ...(lines.some((line) => line.includes("\ufffd")) ? ["\ufffd stands for bytes that are no text"] : []),
  ];
  const note = notes.length > 0 ? [`(${notes.join("; ")})`] : [];
  return { text: [...lines, ...note].join("\n"), from, to, isExact };
}

function rangeNote({ from, total, isCounted }: SomeLines, to: number, isEnd: boolean): string {
  const all = `${isCounted ? "" : "more than "}${total}`;
  if (total === 0) return "the file is empty";
  if (to < from) return `there is no line ${from}: the file has ${all} lines`;
  const range = from === to ? `line ${from} of ${all}` : `lines ${from} to ${to} of ${all}`;
  return isEnd ? range : `${range}; to read on, use offset ${to + 1}`;
}

function shownLine({ text, length }: ReadLine): string {
  return text.length < length ? `${text} … (cut: the line has ${length} characters)` : text;
}

/** Whether a model has read a text in parts, which is the case for one that is longer than a result. */
export class ReadParts {
  /** The read lines of each text, as ranges in order that do not touch, by its key. */
  readonly #read = new Map<string, readonly (readonly [from: number, to: number])[]>();

  /** Notes a part; true if all lines have been read now. `key` names the text and who reads it. */
  add(key: string, from: number, to: number, total: number): boolean {
    const known = this.#read.get(key) ?? [];
    const touching = known.filter(([start, end]) => start <= to + 1 && end >= from - 1);
    const others = known.filter((range) => !touching.includes(range));
    const [first, last] = [
      Math.min(from, ...touching.map(([start]) => start)),
      Math.max(to, ...touching.map(([, end]) => end)),
    ];
    this.#read.delete(key);
    this.#read.set(key, [...others, [first, last]]);
    const [oldest] = this.#read.keys();
    if (this.#read.size > maxTexts && oldest !== undefined) this.#read.delete(oldest);
    return first <= 1 && last >= total;
  }
}

/** Limit of texts of which parts have been read. */
const maxTexts = 200;
