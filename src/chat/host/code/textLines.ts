import { indentOf } from "../../../shared/text/indent.ts";

/** A text split into lines with their line ends, so that unchanged lines stay identical to the byte. */
export interface TextLines {
  readonly bom: string;
  readonly lines: readonly string[];
  /** Empty for a last line without a line end. */
  readonly ends: readonly string[];
  /** The most frequent line end. */
  readonly eol: string;
}

/** Replaces the lines from `start` to before `end`. */
export interface LineEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export function toTextLines(text: string): TextLines {
  const bom = text.startsWith("\ufeff") ? "\ufeff" : "";
  const parts = text.slice(bom.length).split(/(\r\n|\n|\r)/);
  const lines = parts.filter((_, index) => index % 2 === 0);
  const ends = lines.map((_, index) => parts[2 * index + 1] ?? "");
  if (lines.at(-1) === "") {
    lines.pop();
    ends.pop();
  }
  const count = (sought: string) => ends.filter((end) => end === sought).length;
  const eol = ["\n", "\r\n", "\r"].reduce((most, end) => (count(end) > count(most) ? end : most));
  return { bom, lines, ends, eol };
}

/** The text with some of its lines replaced. `edits` are in order and do not overlap. */
export function withEdits({ bom, lines, ends, eol }: TextLines, edits: readonly LineEdit[]): string {
  const written: string[] = [];
  const writtenEnds: string[] = [];
  let from = 0;
  const keepTo = (to: number) => {
    for (; from < to; from++) {
      written.push(lines[from] as string);
      writtenEnds.push(ends[from] || eol);
    }
  };
  for (const { start, end, lines: fresh } of edits) {
    keepTo(start);
    for (const line of fresh) {
      written.push(line);
      writtenEnds.push(eol);
    }
    from = end;
  }
  keepTo(lines.length);
  // The text keeps its final line end, or its lack of one.
  if (written.length > 0) writtenEnds[written.length - 1] = ends.at(-1) ?? "";
  return bom + written.map((line, index) => line + writtenEnds[index]).join("");
}

/** `lines` with the indentation changed by the difference between `from` and `to`. */
export function indentedAs(lines: readonly string[], from: string, to: string): string[] {
  const [old, fresh] = [indentOf(from), indentOf(to)];
  return lines.map((line) => {
    if (line.trim() === "") return "";
    return line.startsWith(old) ? fresh + line.slice(old.length) : line;
  });
}
