import { indentedAs, type LineEdit } from "./textLines.ts";

/** True if a block is a unified diff. */
export function isPatch(language: string, code: readonly string[]): boolean {
  if (/^(?:diff|patch|udiff)$/i.test(language)) return true;
  const first = code.findIndex((line) => line.trim() !== "");
  return /^(?:diff --git |@@ )/.test(code[first] ?? "") || isHeader(code, first);
}

/** The file that a diff names; undefined if it names none or several. */
export function fileOfPatch(language: string, text: string): string | undefined {
  const code = text.split(/\r\n?|\n/);
  if (!isPatch(language, code)) return undefined;
  const names = code.flatMap((line, index) => (isHeader(code, index - 1) ? [line.slice(4)] : []));
  const [name] = names;
  return names.length === 1 ? name?.replace(/\t.*$/, "").trim().replace(/^b\//, "") : undefined;
}

/**
 * The line edits of a diff in a file; undefined if one of its hunks does not match, or matches more than once.
 * Context lines of the file stay unchanged, whatever their indentation in the diff.
 */
export function placePatch(file: readonly string[], code: readonly string[]): LineEdit[] | undefined {
  const edits: LineEdit[] = [];
  if (code.filter((_, index) => isHeader(code, index)).length > 1) return undefined;
  for (const hunk of toHunks(code)) {
    const edit = placeHunk(file, hunk);
    if (!edit || edit.start < (edits.at(-1)?.end ?? 0)) return undefined;
    edits.push(edit);
  }
  return edits.length > 0 ? edits : undefined;
}

interface Hunk {
  /** Counted from 0; undefined if the diff does not say. */
  readonly at: number | undefined;
  readonly lines: { readonly sign: "+" | "-" | " "; readonly text: string }[];
}

function isHeader(code: readonly string[], index: number): boolean {
  return /^--- /.test(code[index] ?? "") && /^\+\+\+ /.test(code[index + 1] ?? "");
}

function toHunks(code: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [{ at: undefined, lines: [] }];
  for (const [index, line] of code.entries()) {
    const isName = isHeader(code, index) || isHeader(code, index - 1);
    if (
      isName ||
      /^(?:diff --git |index [\da-f]+\.\.|\\ No newline|(?:new|deleted) file mode |old mode )/.test(line)
    )
      continue;
    const head = /^@@ (?:-(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@)?/.exec(line);
    if (head) hunks.push({ at: head[1] === undefined ? undefined : Number(head[1]) - 1, lines: [] });
    else hunks.at(-1)?.lines.push(toHunkLine(line));
  }
  return hunks.flatMap(({ at, lines }) => {
    const isEmpty = ({ sign, text }: Hunk["lines"][number]) => sign === " " && text.trim() === "";
    const from = lines.findIndex((line) => !isEmpty(line));
    const stored = lines.slice(from, lines.findLastIndex((line) => !isEmpty(line)) + 1);
    return from < 0 ? [] : [{ at: at === undefined ? undefined : at + from, lines: stored }];
  });
}

function toHunkLine(line: string): Hunk["lines"][number] {
  const sign = line[0];
  if (sign === "+" || sign === "-" || sign === " ") return { sign, text: line.slice(1) };
  return { sign: " ", text: line };
}

function placeHunk(file: readonly string[], { at, lines }: Hunk): LineEdit | undefined {
  const old = lines.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  if (!old.some((line) => /[\p{L}\p{N}]/u.test(line))) return undefined;
  const places = findAll(file, old, (line) => line.trim());
  const start = places.length === 1 ? places[0] : places.find((place) => place === at);
  if (start === undefined) return undefined;
  const first = old.findIndex((text) => text.trim() !== "");
  let next = start;
  const replacement = lines.flatMap(({ sign, text }) => {
    const texts =
      sign === "+" ? indentedAs([text], old[first] ?? "", file[start + first] ?? "") : [file[next] ?? ""];
    if (sign !== "+") next += 1;
    return sign === "-" ? [] : texts;
  });
  return { start, end: start + old.length, lines: replacement };
}

/** All matches of `sought` in the file, in a form of their lines (Knuth, Morris and Pratt: linear time). */
function findAll(
  file: readonly string[],
  sought: readonly string[],
  form: (line: string) => string,
): number[] {
  const pattern = sought.map(form);
  const back: number[] = [0];
  const step = (state: number, line: string) => {
    let next = state;
    while (next > 0 && pattern[next] !== line) next = back[next - 1] ?? 0;
    return pattern[next] === line ? next + 1 : next;
  };
  for (let index = 1; index < pattern.length; index++)
    back[index] = step(back[index - 1] ?? 0, pattern[index] ?? "");
  const found: number[] = [];
  let state = 0;
  for (const [index, line] of file.entries()) {
    state = step(state === pattern.length ? (back[state - 1] ?? 0) : state, form(line));
    if (state === pattern.length) found.push(index + 1 - pattern.length);
  }
  return found;
}
