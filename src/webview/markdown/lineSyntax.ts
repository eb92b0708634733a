import { characterEntities } from "character-entities";

/** The indentation of a line in columns, and the rest of it. A tab extends to the next multiple of four. */
interface Indented {
  readonly columns: number;
  readonly rest: string;
}

/** Measures the white space at the start of `text`, which begins in column `column`. */
export function measureIndent(text: string, column: number): Indented {
  let columns = 0;
  let at = 0;
  for (; at < text.length; at++) {
    if (text[at] === " ") columns += 1;
    else if (text[at] === "\t") columns += 4 - ((column + columns) % 4);
    else break;
  }
  return { columns, rest: text.slice(at) };
}

/** Removes `count` columns of white space; the rest of a tab becomes spaces. */
export function dropColumns(text: string, column: number, count: number): string {
  let columns = 0;
  let at = 0;
  while (columns < count && (text[at] === " " || text[at] === "\t")) {
    columns += text[at] === " " ? 1 : 4 - ((column + columns) % 4);
    at++;
  }
  return " ".repeat(Math.max(0, columns - count)) + text.slice(at);
}

export function isSpace(char: string | undefined): boolean {
  return char === " " || char === "\t" || char === "\n";
}

/** Removes Markdown's white space at both ends. Other kinds, such as non-breaking spaces, are text. */
export function trimmed(text: string): string {
  let start = 0;
  while (isSpace(text[start])) start++;
  return trimmedEnd(text.slice(start));
}

export function trimmedEnd(text: string): string {
  let end = text.length;
  while (isSpace(text[end - 1])) end--;
  return text.slice(0, end);
}

export function isBlankText(text: string): boolean {
  return /^[ \t]*$/.test(text);
}

export function isRule(text: string): boolean {
  return /^(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(text);
}

/** `#` to `######`, followed by white space. */
export function headingStart(text: string): { readonly level: number; readonly rest: string } | undefined {
  const marks = /^#{1,6}(?=[ \t]|$)/.exec(text)?.[0];
  return marks ? { level: marks.length, rest: text.slice(marks.length).replace(/^[ \t]+/, "") } : undefined;
}

export interface Fence {
  readonly mark: string;
  readonly length: number;
  /** Columns of indentation that are removed from its lines. */
  readonly indent: number;
  readonly info: string;
}

export function fenceStart(text: string, indent: number): Fence | undefined {
  const match = /^(?:(`{3,})([^`]*)|(~{3,})(.*))$/.exec(text);
  if (!match) return undefined;
  const run = match[1] ?? match[3] ?? "";
  return {
    mark: run.charAt(0),
    length: run.length,
    indent,
    info: unescaped(trimmed(match[2] ?? match[4] ?? "")),
  };
}

export function closesFence(text: string, { mark, length }: Fence): boolean {
  const run = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(text)?.[1];
  return run?.startsWith(mark) === true && run.length >= length;
}

export interface ListMark {
  /** Shared by all items of a list: the bullet, or the character after the number. */
  readonly sign: string;
  readonly ordered: boolean;
  readonly start: number;
  readonly width: number;
  readonly rest: string;
}

export function listMark(text: string): ListMark | undefined {
  const match = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(text);
  if (!match) return undefined;
  const [whole, bullet, number, sign] = match;
  return {
    sign: bullet ?? sign ?? "",
    ordered: bullet === undefined,
    start: Number(number ?? 1),
    width: whole.length,
    rest: text.slice(whole.length),
  };
}

const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,31}));/y;

/** Reads the HTML character reference at `offset`. */
export function referenceAt(
  source: string,
  offset: number,
): { readonly text: string; readonly end: number } | undefined {
  reference.lastIndex = offset;
  const match = reference.exec(source);
  if (!match) return undefined;
  const [whole, decimal, hex, name] = match;
  const end = offset + whole.length;
  if (name === undefined)
    return { text: fromCode(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number(decimal)), end };
  const text = Object.hasOwn(characterEntities, name) ? characterEntities[name] : undefined;
  return text === undefined ? undefined : { text, end };
}

/** An escape or a character reference; an escaped `&` does not begin a reference. */
const escapeOrReference = /\\([!-/:-@[-`{-~])|&#?\w{1,32};/g;

/** Resolves escapes and character references (destinations, info strings). */
export function unescaped(text: string): string {
  if (!/[\\&]/.test(text)) return text;
  return text.replace(
    escapeOrReference,
    (written, escaped?: string) => escaped ?? referenceAt(written, 0)?.text ?? written,
  );
}

function fromCode(code: number): string {
  const impossible = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return impossible ? "\ufffd" : String.fromCodePoint(code);
}
