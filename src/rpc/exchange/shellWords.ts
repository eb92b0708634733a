import { endOf } from "../language/parse/tokens/tokens.ts";

const blank = /(?:[ \t\f\v]|\\\r?\n)+/y;
const plain = /[^ \t\f\v\r\n'"\\$`;|&<>#]+/y;
const inDouble = /[^"\\]+/y;
const inAnsi = /[^'\\]+/y;

/** A part of a word. */
interface Piece {
  readonly text: string;
  readonly end: number;
}

export interface ShellCommand {
  readonly words: readonly string[];
  /** The end of the line, or the separator before the next command. */
  readonly end: number;
}

/**
 * Splits the first command into words like a POSIX shell: quotes, escapes, continuation lines. The command ends at `;`,
 * `|`, `&` or a comment. Redirections are skipped.
 */
export function shellWords(command: string): string[] {
  return [...readCommand(command, 0).words];
}

/** Reads one command at `start`. */
export function readCommand(command: string, start: number): ShellCommand {
  const words: string[] = [];
  for (let at = start; ; ) {
    at = nextWord(command, at);
    const letter = command[at] ?? "";
    if (letter === "" || /[;|&#\r\n]/.test(letter)) return { words, end: at };
    if (letter === "<" || letter === ">") {
      at = redirectionEnd(command, at);
      continue;
    }
    const { text, end } = readWord(command, at);
    // The digit of `2>` is part of the redirection.
    if (!/^\d$/.test(text) || !/[<>]/.test(command[end] ?? "")) words.push(text);
    at = end;
  }
}

/** Skips blanks, and line breaks before a line that continues the command. */
function nextWord(command: string, start: number): number {
  for (let at = endOf(blank, command, start); ; ) {
    const next = endOf(/\r?\n?/y, command, at);
    if (next === at || !continuesAt(command, next)) return at;
    at = endOf(blank, command, next);
  }
}

/** The end of the file name of a redirection. */
function redirectionEnd(command: string, start: number): number {
  const target = endOf(blank, command, endOf(/[<>&|]+/y, command, start));
  return readWord(command, target).end;
}

/** True if the next line continues the command although the line break is not escaped: it is indented or starts with an option. */
function continuesAt(command: string, at: number): boolean {
  return /^(?:[ \t]+\S|-)/.test(command.slice(at, at + 200));
}

function readWord(command: string, start: number): Piece {
  const parts: string[] = [];
  let at = start;
  for (;;) {
    const { text, end } = readPart(command, at);
    if (end === at) return { text: parts.join(""), end };
    parts.push(text);
    at = end;
  }
}

function readPart(command: string, at: number): Piece {
  switch (command[at]) {
    case "'":
      return literal(command, at);
    case '"':
      return quoted(command, at + 1, '"', inDouble, /["\\$`]/);
    case "\\":
      return escaped(command, at);
    case "`":
      return substitution(command, at);
    case "$":
      if (command[at + 1] === "'") return quoted(command, at + 2, "'", inAnsi, /['"\\]/);
      return command[at + 1] === "(" ? substitution(command, at) : { text: "$", end: at + 1 };
    case "#":
      return { text: "#", end: at + 1 };
    default: {
      const end = endOf(plain, command, at);
      return { text: command.slice(at, end), end };
    }
  }
}

/** Text in single quotes. */
function literal(command: string, start: number): Piece {
  const end = command.indexOf("'", start + 1);
  if (end < 0) return { text: command.slice(start + 1), end: command.length };
  return { text: command.slice(start + 1, end), end: end + 1 };
}

function escaped(command: string, start: number): Piece {
  const joined = endOf(/\\\r?\n/y, command, start);
  if (joined > start) return { text: "", end: joined };
  return { text: command[start + 1] ?? "", end: Math.min(command.length, start + 2) };
}

/** Quoted text with escapes. */
function quoted(command: string, start: number, quote: string, inside: RegExp, escapes: RegExp): Piece {
  const parts: string[] = [];
  let at = start;
  while (at < command.length && command[at] !== quote) {
    const end = endOf(inside, command, at);
    if (end > at) parts.push(command.slice(at, end));
    else {
      const escaped = command[at + 1] ?? "";
      parts.push(escapes.test(escaped) ? escaped : command.slice(at, at + 2));
    }
    at = Math.max(end, end > at ? end : at + 2);
  }
  return { text: parts.join(""), end: Math.min(command.length, at + 1) };
}

/** A command substitution as one word, unchanged. */
function substitution(command: string, start: number): Piece {
  if (command[start] === "`") {
    const end = command.indexOf("`", start + 1);
    const after = end < 0 ? command.length : end + 1;
    return { text: command.slice(start, after), end: after };
  }
  let depth = 0;
  let at = start + 1;
  for (; at < command.length; at++) {
    if (command[at] === "(") depth++;
    if (command[at] === ")" && --depth === 0) break;
  }
  const end = Math.min(command.length, at + 1);
  return { text: command.slice(start, end), end };
}
