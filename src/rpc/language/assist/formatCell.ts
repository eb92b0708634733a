import { format } from "jsonc-parser";
import type { Cell, LinesCell } from "../parse/parseCell.ts";
import { lineText } from "../parse/tokens/lineText.ts";
import { type Token, tokenizeStatement } from "../parse/tokens/tokens.ts";

/** Replaces a part of the cell's text. */
export interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Formats a cell. A cell with syntax errors is unchanged, because its lines may be grouped wrongly. */
export function formatCell(cell: Cell): TextEdit[] {
  if (cell.form === "lines") return formatLines(cell);
  if (cell.problems.length > 0) return [];
  const eol = cell.text.includes("\r\n") ? "\r\n" : "\n";
  const options = { tabSize: 2, insertSpaces: true, eol, keepLines: true };
  const { start } = cell;
  return format(cell.text.slice(start), undefined, options).map(({ offset, length, content }) => ({
    start: start + offset,
    end: start + offset + length,
    text: content,
  }));
}

function formatLines({ text, statements }: LinesCell): TextEdit[] {
  if (statements.some(({ statement }) => statement.problems.length > 0)) return [];
  return statements.flatMap(({ offset }) => {
    const { tokens, length } = tokenizeStatement(text, offset);
    const old = text.slice(offset, offset + length);
    const written = writeTokens(tokens) + old.slice(lineText(old).length);
    return written === old ? [] : [{ start: offset, end: offset + length, text: written }];
  });
}

function writeTokens(tokens: readonly Token[]): string {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  let before: Token | undefined;
  for (const token of tokens) {
    if (depthChange(token) < 0) depth--;
    if (token.kind === "newline") {
      lines.push(`${line.trimEnd()}${token.text}`);
      line = "";
    } else if (before?.kind === "newline") line = `${"  ".repeat(Math.max(1, depth))}${token.text}`;
    else line += `${gapBetween(before, token, depth)}${token.text.trimEnd()}`;
    if (depthChange(token) > 0) depth++;
    before = token;
  }
  return `${lines.join("")}${line}`.trimEnd();
}

/** The space between two tokens of a line. */
function gapBetween(before: Token | undefined, token: Token, depth: number): string {
  if (!before) return "";
  if (token.kind === "comment") return "  ";
  const [left, right] = [before.text, token.text];
  if (/^[,)\].:]$/.test(right) || /^[([@.]$/.test(left)) return "";
  if (left === ":") return depth > 0 ? " " : "";
  if (left === "{" && right === "}") return "";
  // `6s`, `keccak(` and a key such as `2026-11-26-a` stay together.
  const isJoined = before.end === token.start;
  if (isJoined && (right === "(" || (before.kind !== "mark" && token.kind !== "mark"))) return "";
  return " ";
}

function depthChange({ kind, text }: Token): number {
  if (kind !== "mark") return 0;
  return /^[{[(]$/.test(text) ? 1 : /^[}\])]$/.test(text) ? -1 : 0;
}
