import { functions, type Span } from "../nodes.ts";

type TokenKind =
  | "comment"
  | "newline"
  | "string"
  | "number"
  | "hex"
  | "reference"
  | "variable"
  | "signature"
  | "word"
  | "mark"
  | "bad";

export interface Token extends Span {
  readonly kind: TokenKind;
  readonly text: string;
}

/** The tokens of one statement, which may span several lines. */
export interface StatementTokens {
  readonly tokens: readonly Token[];
  /** Length of the statement's text, including the last line end. */
  readonly length: number;
}

/** The end of the match of a sticky pattern; without a match, `at`. */
export function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

/** Returns the end of the token; without one, `at`. */
type Scanner = (text: string, at: number) => number;

/**
 * Patterns of tokens only repeat single characters: for a repeated group the engine stores a backtracking position per
 * iteration, so that a long token would exhaust its stack.
 */
function pattern(sticky: RegExp): Scanner {
  return (text, at) => endOf(sticky, text, at);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";

/** The kinds of tokens in order of precedence, with their possible first characters. */
const scanners: readonly (readonly [TokenKind, Scanner, starts: string])[] = [
  ["newline", pattern(/\r\n|\n|\r/y), "\r\n"],
  ["comment", pattern(/(?:#|\/\/)[^\n\r]*/y), "#/"],
  ["string", stringEnd, "\"'"],
  ["hex", pattern(/0[xX]\w*/y), "0"],
  // A key or a signature of Solana in Base58, which may begin with a digit.
  ["word", pattern(/[1-9](?=[1-9]*[A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{31,89}(?![\w.])/y), "123456789"],
  ["number", pattern(/-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?/y), "-0123456789"],
  ["reference", referenceEnd, "$"],
  // An unclosed one ends after its name.
  ["variable", pattern(/\{\{[ \t]*[\w.-]*[ \t]*(?:\}\})?/y), "{"],
  ["signature", signatureEnd, letters],
  ["word", wordEnd, letters],
  ["mark", pattern(/[=!<>]=|[{}[\](),:=@.<>!]/y), "{}[](),:=@.<>!"],
];

/** The scanners by first character code, because thousands of tokens are scanned at each key press. */
const scannersOf: readonly (typeof scanners)[] = Array.from({ length: 128 }, (_, code) =>
  scanners.filter(([, , starts]) => starts.includes(String.fromCharCode(code))),
);
const none: typeof scanners = [];

const inDoubleQuotes = /[^"\\\n\r]*/y;
const inSingleQuotes = /[^'\\\n\r]*/y;
const escaped = /\\[^\n\r]/y;

/** An unclosed string ends with its line. */
function stringEnd(text: string, start: number): number {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return start;
  const inside = quote === '"' ? inDoubleQuotes : inSingleQuotes;
  for (let at = start + 1; ; ) {
    at = endOf(inside, text, at);
    const afterEscape = endOf(escaped, text, at);
    if (afterEscape === at) return text[at] === quote ? at + 1 : at;
    at = afterEscape;
  }
}

const name = /\$\w*/y;
const step = /\.\w+|\[\d+\]/y;

function referenceEnd(text: string, start: number): number {
  let at = endOf(name, text, start);
  if (at === start) return start;
  for (let end = endOf(step, text, at); end > at; end = endOf(step, text, at)) at = end;
  return at;
}

const wordStart = /[A-Za-z_][\w-]*/y;
const wordContinues = /\.\w[\w-]*/y;

function wordEnd(text: string, start: number): number {
  let at = endOf(wordStart, text, start);
  if (at === start) return start;
  for (let end = endOf(wordContinues, text, at); end > at; end = endOf(wordContinues, text, at)) at = end;
  return at;
}

const functionWords: ReadonlySet<string> = new Set(functions);
const identifier = /[A-Za-z_]\w*/y;
const inBrackets = /[^()\n\r]*/y;
const modifier = /[ \t]+(?:external|public|view|pure|payable|nonpayable)/y;
const returns = /[ \t]*(?:returns[ \t]*)?/y;

/** `balanceOf(address)(uint256)`, `name() view returns (string)`. */
function signatureEnd(text: string, start: number): number {
  const named = endOf(identifier, text, start);
  if (named === start || text[named] !== "(" || functionWords.has(text.slice(start, named))) return start;
  const inputs = parametersEnd(text, named);
  if (inputs === named) return start;
  let at = inputs;
  for (let end = endOf(modifier, text, at); end > at; end = endOf(modifier, text, at)) at = end;
  at = endOf(returns, text, at);
  const outputs = parametersEnd(text, at);
  return outputs === at ? inputs : outputs;
}

/** Deeper than the types of compilers. With a limit, the time stays linear in unclosed brackets. */
const maxNesting = 16;

/** The end of the brackets at `start`; without a closing one, `start`. */
function parametersEnd(text: string, start: number): number {
  if (text[start] !== "(") return start;
  let depth = 1;
  for (let at = endOf(inBrackets, text, start + 1); ; at = endOf(inBrackets, text, at + 1)) {
    if (text[at] === "(" && depth < maxNesting) depth++;
    else if (text[at] === ")") {
      if (--depth === 0) return at + 1;
    } else return start;
  }
}

const space = /[ \t\f\v\u00a0\ufeff]*/y;
/** Line starts that are impossible inside brackets, so that an open bracket breaks one statement only, not the whole cell. */
const opensStatement =
  /@[A-Za-z]|[A-Za-z_]\w*[ \t]*=(?!=)|[a-z][A-Za-z0-9]*_\w|(?:call|logs|send|wait|expect)[ \t]/y;

/** Tokenizes the statement at `start`, to the end of its last line. Never throws; the length is never 0. */
export function tokenizeStatement(text: string, start: number): StatementTokens {
  const tokens: Token[] = [];
  const indent = spaceAt(text, start);
  let at = start + indent;
  let depth = 0;
  let hasContent = false;
  while (at < text.length) {
    const token = tokenAt(text, at, start);
    at = start + token.end;
    if (token.kind === "newline") {
      if (!hasContent || !continuesAt(text, at, indent, depth)) return { tokens, length: at - start };
    } else if (token.kind !== "comment") hasContent = true;
    if (token.kind === "mark") depth = Math.max(0, depth + depthChange(token.text));
    tokens.push(token);
    at += spaceAt(text, at);
  }
  return { tokens, length: text.length - start };
}

function depthChange(mark: string): number {
  if (mark === "{" || mark === "[" || mark === "(") return 1;
  return mark === "}" || mark === "]" || mark === ")" ? -1 : 0;
}

function tokenAt(text: string, at: number, start: number): Token {
  for (const [kind, scan] of scannersOf[text.charCodeAt(at)] ?? none) {
    const end = scan(text, at);
    if (end > at) return { kind, text: text.slice(at, end), start: at - start, end: end - start };
  }
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { kind: "bad", text: character, start: at - start, end: at - start + character.length };
}

/** True if the line at `at` continues the statement: it is indented, or a bracket is open. */
function continuesAt(text: string, at: number, indent: number, depth: number): boolean {
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
  return endOf(space, text, at) - at;
}
