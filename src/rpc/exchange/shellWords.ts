import { endOf } from "../language/parse/tokens.ts";

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
  let at = start;
  while (at < command.length) {
    at = endOf(blank, command, at);
    const letter = command[at] ?? "";
    if (letter === "" || /[;|&#]/.test(letter)) break;
    if (letter === "\n" || letter === "\r") {
      const next = endOf(/\r?\n?/y, command, at);
      if (!continuesAt(command, next)) break;
      at = next;
    } else if (letter === "<" || letter === ">") {
      at = endOf(blank, command, endOf(/[<>&|]+/y, command, at));
      at = readWord(command, at).end;
    } else {
      const { text, end } = readWord(command, at);
      // The digit of `2>` is part of the redirection.
      if (!(/^\d$/.test(text) && /[<>]/.test(command[end] ?? ""))) words.push(text);
      at = end;
    }
  }
  return { words, end: at };
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
  const letter = command[at];
  const next = command[at + 1];
  if (letter === "'") {
    const end = command.indexOf("'", at + 1);
    return {
      text: command.slice(at + 1, end < 0 ? undefined : end),
      end: end < 0 ? command.length : end + 1,
    };
  }
  if (letter === '"') return quoted(command, at + 1, '"', inDouble, /["\\$`]/);
  if (letter === "$" && next === "'") return quoted(command, at + 2, "'", inAnsi, /['"\\]/);
  if (letter === "\\") {
    const joined = endOf(/\\\r?\n/y, command, at);
    if (joined > at) return { text: "", end: joined };
    return { text: next ?? "", end: Math.min(command.length, at + 2) };
  }
  if ((letter === "$" && next === "(") || letter === "`") return substitution(command, at);
  if (letter === "$" || letter === "#") return { text: letter, end: at + 1 };
  const end = endOf(plain, command, at);
  return { text: command.slice(at, end), end };
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
