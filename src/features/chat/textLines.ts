/** A text by lines, each with what ends it: what is not changed stays as it is, to the byte. */
export interface TextLines {
  readonly bom: string;
  readonly lines: readonly string[];
  /** Empty for a last line that nothing ends. */
  readonly ends: readonly string[];
  /** What ends most lines. */
  readonly eol: string;
}

/** Lines, from `start` to before `end`, and what is to stand in their place. */
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
  // What ended the text, or did not, does so still.
  if (written.length > 0) writtenEnds[written.length - 1] = ends.at(-1) ?? "";
  return bom + written.map((line, index) => line + writtenEnds[index]).join("");
}

/** The white space that a line begins with. */
export function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? "";
}

/** How far a line is indented, in columns. */
export function indentWidth(line: string): number {
  let width = 0;
  for (const sign of indentOf(line)) width += sign === "\t" ? 4 : 1;
  return width;
}

/** `lines` indented as their `from` would have to be to stand where `to` does. */
export function indentedAs(lines: readonly string[], from: string, to: string): string[] {
  const [old, fresh] = [indentOf(from), indentOf(to)];
  return lines.map((line) => {
    if (line.trim() === "") return "";
    return line.startsWith(old) ? fresh + line.slice(old.length) : line;
  });
}

export function isWritten(line: string): boolean {
  return line.trim() !== "";
}

const commentStart = /^(?:\/\/|#(?![\w[!])|\/\*|\*|\{\/\*|<!--|--(?!\w*:)|;+\s|""")/;

/** Whether a line is a comment, or a part of one. */
export function isComment(line: string): boolean {
  return commentStart.test(line.trim());
}
