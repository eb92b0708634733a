import { functions, type Span } from "./nodes.ts";

export type TokenKind =
  | "comment"
  | "newline"
  | "string"
  | "number"
  | "hex"
  | "reference"
  | "signature"
  | "word"
  | "mark"
  | "bad";

export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
}

/** The tokens of one statement; it may go on over several lines. */
export interface StatementTokens {
  readonly tokens: readonly Token[];
  /** Of the statement's text, its last line's end included. */
  readonly length: number;
}

const parameters = String.raw`\([^()\n\r]*(?:\([^()\n\r]*\)[^()\n\r]*)*\)`;
const modifiers = String.raw`(?:[ \t]+(?:external|public|view|pure|payable|nonpayable))*[ \t]*(?:returns[ \t]*)?`;

/** In this order; each is tried at the place where the one before it ended. */
const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ["newline", /\r\n|\n|\r/y],
  ["comment", /(?:#|\/\/)[^\n\r]*/y],
  ["string", /"(?:[^"\\\n\r]|\\[^\n\r])*"?|'(?:[^'\\\n\r]|\\[^\n\r])*'?/y],
  ["hex", /0[xX]\w*/y],
  ["number", /-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y],
  ["reference", /\$\w*(?:\.\w+|\[\d+\])*/y],
  [
    "signature",
    new RegExp(
      String.raw`(?!(?:${functions.join("|")})\()[A-Za-z_]\w*${parameters}(?:${modifiers}${parameters})?`,
      "y",
    ),
  ],
  ["word", /[A-Za-z_](?:[\w-]|\.(?=\w))*/y],
  ["mark", /[{}[\](),:=@.]/y],
];
const space = /[ \t\f\v\u00a0\ufeff]*/y;
/** What no line inside a bracket starts with: whoever left the bracket open loses one statement, not the cell. */
const opensStatement = /@[A-Za-z]|[A-Za-z_]\w*[ \t]*=|[a-z][A-Za-z0-9]*_\w|(?:call|logs|send|wait)[ \t]/y;

/** Reads the statement that starts at `start`, to the end of its last line. Never throws, and always moves on. */
export function tokenizeStatement(text: string, start: number): StatementTokens {
  const tokens: Token[] = [];
  const indent = spaceAt(text, start);
  let at = start + indent;
  let depth = 0;
  let saysSomething = false;
  while (at < text.length) {
    const token = tokenAt(text, at, start);
    at = start + token.end;
    if (token.kind === "newline") {
      if (!saysSomething || !goesOn(text, at, indent, depth)) return { tokens, length: at - start };
    } else if (token.kind !== "comment") saysSomething = true;
    if (token.kind === "mark") depth = Math.max(0, depth + (depthChange[token.text] ?? 0));
    tokens.push(token);
    at += spaceAt(text, at);
  }
  return { tokens, length: text.length - start };
}

const depthChange: Readonly<Record<string, number>> = { "{": 1, "[": 1, "(": 1, "}": -1, "]": -1, ")": -1 };

function tokenAt(text: string, at: number, start: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) return { kind, text: found[0], start: at - start, end: pattern.lastIndex - start };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { kind: "bad", text: character, start: at - start, end: at - start + character.length };
}

/** Whether the line at `at` belongs to the statement before it: it is indented, or a bracket is open. */
function goesOn(text: string, at: number, indent: number, depth: number): boolean {
  const own = spaceAt(text, at);
  const first = text[at + own];
  if (first === undefined) return false;
  const isBlank = first === "\n" || first === "\r";
  if (depth === 0) return !isBlank && own > indent;
  if (isBlank || own > indent) return true;
  opensStatement.lastIndex = at + own;
  return !opensStatement.test(text);
}

function spaceAt(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex - at;
}
