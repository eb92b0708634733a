/** Lines before the cursor that are compared. */
const mostCompared = 200;
/** Characters of a line that are compared. */
const longest = 500;

/** A line as it is compared: without its indentation, with single spaces. */
export function comparable(line: string): string {
  return line.slice(0, longest).replace(/\s+/g, " ").trim();
}

export function opensBlock(line: string): boolean {
  return /(?:[{([:]|=>|\b(?:do|then|else))$/.test(line.slice(-200).trimEnd());
}

/** Width of the indentation; a tab counts as four. */
export function indentOf(line: string): number {
  return (/^[ \t]*/.exec(line)?.[0] ?? "").replaceAll("\t", "    ").length;
}

interface Line {
  readonly text: string;
  readonly indent: number;
}

/** The last lines before that of the cursor, without blank ones. */
function linesBefore(before: string): readonly Line[] {
  const lines = before.slice(0, before.lastIndexOf("\n") + 1).split("\n");
  return lines
    .filter((line) => line.trim() !== "")
    .slice(-mostCompared)
    .map((line) => ({ text: comparable(line), indent: indentOf(line) }));
}

/** Cuts first lines of the answer that repeat lines before the cursor, where the model begins above it. */
export function withoutLinesBefore(answer: string, before: string): string {
  const lines = answer.split("\n");
  const filled = lines.flatMap((line, index) => (line.trim() === "" ? [] : [index]));
  const said = filled.map((index) => comparable(lines[index] ?? ""));
  const last = linesBefore(before);
  const count = repeatedAtEnd(said, last) || repeatedHead(said, last);
  if (count === 0) return answer;
  const next = filled[count];
  // The same line alone may be meant.
  if (next === undefined) return count > 1 ? "" : answer;
  return lines.slice(next).join("\n");
}

/** How many first lines of the answer are the last lines of the document. */
function repeatedAtEnd(said: readonly string[], last: readonly Line[]): number {
  for (let count = Math.min(last.length, said.length); count > 0; count--) {
    const repeated = last.slice(-count);
    if (repeated.some(({ text }, index) => text !== said[index])) continue;
    // Brackets alone are new text as often as not.
    if (/[\p{L}\p{N}]{2}/u.test(repeated.map(({ text }) => text).join(""))) return count;
  }
  return 0;
}

/**
 * How many first lines of the answer repeat the block around the cursor: its head, and lines of it in their order. The
 * model may leave out some, such as a comment.
 */
function repeatedHead(said: readonly string[], last: readonly Line[]): number {
  const [head = "", second = ""] = said;
  const isHead = /\p{L}{2}/u.test(head) && (opensBlock(head) || /^[{(]$/.test(second));
  const start = isHead ? enclosing(head, last) : -1;
  if (start < 0) return 0;
  let count = 1;
  for (let at = start + 1; count < said.length; count++) {
    const found = last.findIndex(({ text }, index) => index >= at && text === said[count]);
    if (found < 0) break;
    at = found + 1;
  }
  return count;
}

/** The index of the line that opens the block around the cursor, if it is `head`; else -1. */
function enclosing(head: string, last: readonly Line[]): number {
  let inner = Number.POSITIVE_INFINITY;
  for (let index = last.length - 1; index >= 0; index--) {
    const { text, indent } = last[index] ?? { text: "", indent: 0 };
    if (text === head) return indent < inner ? index : -1;
    // The end of parameters, and a bracket in its own line, belong to the head.
    if (!/^(?:\).*|\{)$/.test(text)) inner = Math.min(inner, indent);
  }
  return -1;
}

const commentOrList = /^(?:\/\/[/!]?|#+!?|--+|;+|%+|\/\*+|\*|<!--|"""|'''|[-+]|>+|\d+[.)])$/;

/**
 * Cuts the line before the cursor, or its end, where the model repeats it; and blank lines in an empty line. `isLine` if the
 * answer is known to begin with the line.
 */
export function withoutStart(answer: string, line: string, isLine: boolean): string {
  if (line.trim() === "") {
    const text = answer.replace(/^([ \t]*\n)+/, "");
    return text.startsWith(line) ? text.slice(line.length) : text.replace(/^[ \t]+/, "");
  }
  const end = answer.trimStart();
  const hasIndent = /^\s/.test(line) && answer.startsWith(line);
  const rest = afterLine(end, line, isLine || hasIndent) ?? afterWords(end, line) ?? afterSigns(end, line);
  // The space at the cursor is there already.
  const isSpaced = /\s$/.test(line);
  if (rest !== undefined) return isSpaced ? rest.replace(/^[ \t]+/, "") : rest;
  return isSpaced ? answer.replace(/^[ \t]+/, "") : answer;
}

/** What follows the whole line in the answer; spaces may differ. */
function afterLine(answer: string, line: string, isLine: boolean): string | undefined {
  const said = line.slice(-longest).replace(/\s+/g, "");
  if (said.length < 3 && !isLine && !commentOrList.test(said)) return undefined;
  let at = 0;
  for (const character of said) {
    while (/\s/.test(answer.charAt(at))) at++;
    if (!answer.startsWith(character, at)) return undefined;
    at += character.length;
  }
  return answer.slice(at);
}

const inWord = /[\p{L}\p{N}_$]/u;
const longestEnd = 200;

/** What follows the last words of the line in the answer: `return a` and `a + b`. */
function afterWords(answer: string, line: string): string | undefined {
  const text = line.slice(-longestEnd).trimEnd();
  for (let at = 0; at < text.length; at++) {
    const isBoundary = at === 0 || !inWord.test(text.charAt(at - 1)) || !inWord.test(text.charAt(at));
    const end = text.slice(at);
    if (!isBoundary || !/^\S/.test(end) || !answer.startsWith(end)) continue;
    const follows = answer.charAt(end.length);
    const isWhole = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(end) && !inWord.test(follows);
    if (isWhole || (/\p{L}/u.test(end) && end.length >= (/^[\p{L}\p{N}_$]+$/u.test(end) ? 2 : 3)))
      return answer.slice(end.length);
  }
  return undefined;
}

/** What follows the signs at the end of the line in the answer. */
function afterSigns(answer: string, line: string): string | undefined {
  const [signs = ""] = /[^\p{L}\p{N}\s"'`()[\]{}]+$/u.exec(line.slice(-longestEnd).trimEnd()) ?? [];
  if (signs === "" || !answer.startsWith(signs)) return undefined;
  const rest = answer.slice(signs.length);
  const isSpaced = /\s$/.test(line) && /^\s/.test(rest);
  const isComment = commentOrList.test(signs) && /^[\s\p{L}]/u.test(rest) && /(?:^|\s)\S+\s+$/.test(line);
  // A single sign may be the first half of another one: `x =` and `= 3`.
  const isMember = /^[.@#$<]$/.test(signs) && /^[\p{L}_/!]/u.test(rest);
  const isLong = signs.length > 1 && !rest.startsWith(signs.slice(-1));
  return isSpaced || isComment || isMember || isLong ? rest : undefined;
}
