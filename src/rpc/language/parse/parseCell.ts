import { type LiteralCell, parseLiteral } from "./literal.ts";
import type { Placed } from "./nodes.ts";
import { parseStatement } from "./parseStatement.ts";
import { endOf } from "./tokens/tokens.ts";

/** A cell of lines. Its statements cover the text without gaps. */
export interface LinesCell {
  readonly form: "lines";
  readonly text: string;
  readonly statements: readonly Placed[];
}
export type Cell = LinesCell | LiteralCell;

/** Parses a cell; never throws. Reuses the statements of `previous` before and after the change. */
export function parseCell(text: string, previous?: Cell): Cell {
  if (previous?.text === text) return previous;
  const start = literalStart(text);
  if (start === 0) return parseLiteral(text);
  if (start !== undefined) return parseLiteral(text, start, parseAll(text.slice(0, start)));
  return previous?.form === "lines"
    ? reparse(text, previous)
    : { form: "lines", text, statements: parseAll(text) };
}

const space = /\s*/y;
const restOfLine = /[^\n\r]*/y;

/**
 * The offset of the JSON in a literal cell: after comments and directives its first character is a bracket. Undefined
 * for a cell of lines.
 */
function literalStart(text: string): number | undefined {
  let start = 0;
  for (let at = endOf(space, text, 0); at < text.length; at = endOf(space, text, at)) {
    if (text[at] === "@" || text[at] === "#") {
      at = endOf(restOfLine, text, at);
      start = at;
    } else if (text.startsWith("//", at)) at = endOf(restOfLine, text, at);
    else if (text.startsWith("/*", at)) {
      const end = text.indexOf("*/", at + 2);
      if (end < 0) return undefined;
      at = end + 2;
    } else return isJsonAt(text, at) ? start : undefined;
  }
  return undefined;
}

/** JSON never starts with two braces and a name, which is a variable. */
const variable = /\{\{[ \t]*[\w.-]+[ \t]*\}\}/y;

function isJsonAt(text: string, at: number): boolean {
  return text[at] === "[" || (text[at] === "{" && endOf(variable, text, at) === at);
}

function parseAll(text: string): Placed[] {
  const statements: Placed[] = [];
  for (let offset = 0, line = 0; offset < text.length; ) {
    const statement = parseStatement(text, offset);
    statements.push({ offset, line, statement });
    line += linesIn(text, offset, offset + statement.length);
    offset += statement.length;
  }
  return statements;
}

function reparse(text: string, previous: LinesCell): LinesCell {
  const old = previous.statements;
  const reused = unchangedBefore(old, commonPrefix(previous.text, text));
  const statements = old.slice(0, reused);
  const shift = text.length - previous.text.length;
  const firstSame = previous.text.length - commonSuffix(previous.text, text);
  let { offset = 0, line = 0 } = old[reused] ?? {};
  // An old statement that starts after the change at the same text can be reused, with all that follow.
  let candidate = reused;
  while (offset < text.length) {
    while (candidate < old.length && (old[candidate]?.offset ?? 0) + shift < offset) candidate++;
    const same = old[candidate];
    if (same && same.offset >= firstSame && same.offset + shift === offset) {
      const lines = line - same.line;
      return {
        form: "lines",
        text,
        statements: [...statements, ...moved(old.slice(candidate), shift, lines)],
      };
    }
    const statement = parseStatement(text, offset);
    statements.push({ offset, line, statement });
    line += linesIn(text, offset, offset + statement.length);
    offset += statement.length;
  }
  return { form: "lines", text, statements };
}

function moved(statements: readonly Placed[], shift: number, lines: number): readonly Placed[] {
  if (shift === 0 && lines === 0) return statements;
  return statements.map(({ offset, line, statement }) => ({
    offset: offset + shift,
    line: line + lines,
    statement,
  }));
}

/** The number of statements before the change. The last of them is parsed again, because the next line decides whether it continues. */
function unchangedBefore(statements: readonly Placed[], unchanged: number): number {
  let low = 0;
  let high = statements.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { offset = 0, statement } = statements[middle] ?? {};
    if (offset + (statement?.length ?? 0) < unchanged) low = middle + 1;
    else high = middle;
  }
  return Math.max(0, low - 1);
}

const chunk = 4096;

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at + chunk <= most && a.slice(at, at + chunk) === b.slice(at, at + chunk)) at += chunk;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

function commonSuffix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  const piece = (text: string, from: number, to: number) => text.slice(text.length - to, text.length - from);
  let at = 0;
  while (at + chunk <= most && piece(a, at, at + chunk) === piece(b, at, at + chunk)) at += chunk;
  while (at < most && a.charCodeAt(a.length - 1 - at) === b.charCodeAt(b.length - 1 - at)) at++;
  return at;
}

function linesIn(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 10 || (code === 13 && text.charCodeAt(at + 1) !== 10)) lines++;
  }
  return lines;
}
