import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { type Content, hasMark, shownText, unmarked, withMark } from "./contents.ts";

/**
 * A new text as bytes, with the encoding and the byte order mark that the file has; a new file may bring its own. Lines that
 * stay keep their bytes: some encodings have several for one character.
 */
export async function encodedText(content: Content | undefined, text: string): Promise<Uint8Array> {
  if (!content) return withMark(text, false);
  const plain = unmarked(text);
  const { encoding, bytes } = content;
  if (encoding === undefined) return withMark(plain, hasMark(bytes));
  const encoded = await encodedIn(encoding, plain, hasWideMark(bytes));
  const before = content.text;
  if (before === undefined || before === plain) return before === plain ? bytes : encoded;
  const spliced = await splicedLines({ bytes, before, encoding }, plain);
  return spliced && (await shownText(encoding, spliced)) === plain ? spliced : encoded;
}

/**
 * The bytes of a new text if a save in the editor would write others, in lines that stay or as a byte order mark. Undefined if it
 * would write the same, and for unsaved text.
 */
export async function exactBytes(
  content: Content,
  before: string,
  text: string,
): Promise<Uint8Array | undefined> {
  const { encoding, saved, bytes } = content;
  if (encoding === undefined || saved !== undefined) return undefined;
  if ((await shownText(encoding, bytes)) !== before) return undefined;
  const exact = await encodedText({ ...content, text: before }, text);
  const written = await vscode.workspace.encode(unmarked(text), { encoding });
  return Buffer.compare(exact, written) === 0 ? undefined : exact;
}

/** The editor writes UTF-16 with a mark, which a file need not have. */
async function encodedIn(encoding: string, text: string, isMarked: boolean): Promise<Uint8Array> {
  const bytes = await vscode.workspace.encode(text, { encoding });
  return encoding.startsWith("utf16") && !isMarked && hasWideMark(bytes) ? bytes.subarray(2) : bytes;
}

function hasWideMark([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

interface FormerBytes {
  readonly bytes: Uint8Array;
  /** Their text, without its byte order mark. */
  readonly before: string;
  readonly encoding: string;
}

/** Encodes the lines between the first and the last difference, and keeps all other bytes. Undefined if the lines can't be told apart. */
async function splicedLines(
  { bytes, before, encoding }: FormerBytes,
  text: string,
): Promise<Uint8Array | undefined> {
  const width = encoding.startsWith("utf16") ? 2 : 1;
  const ends = lineEnds(bytes, width, encoding === "utf16be" ? 1 : 0);
  const [old, lines] = [linesOf(before), linesOf(text)];
  if (ends.length !== old.length - 1) return undefined;
  let start = 0;
  while (start < old.length - 1 && start < lines.length - 1 && old[start] === lines[start]) start += 1;
  let [oldEnd, end] = [old.length, lines.length];
  while (oldEnd > start && end > start && old[oldEnd - 1] === lines[end - 1])
    [oldEnd, end] = [oldEnd - 1, end - 1];
  const middle = await encodedIn(encoding, lines.slice(start, end).join(""), false);
  const first = width === 2 && hasWideMark(bytes) ? 2 : 0;
  const [from, to] = [start, oldEnd].map((line) => (line === 0 ? first : ends[line - 1]));
  return Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to ?? bytes.length)]);
}

/** Lines with their ends. */
function linesOf(text: string): readonly string[] {
  return text.split(/(?<=\n)/).concat(text.endsWith("\n") ? [""] : []);
}

/** The positions after the line breaks. No encoding of the editor has this byte inside another character. */
function lineEnds(bytes: Uint8Array, width: number, inUnit: number): readonly number[] {
  const ends: number[] = [];
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    const isWhole = width === 1 || (at % 2 === inUnit && bytes[at + (inUnit === 0 ? 1 : -1)] === 0);
    if (isWhole) ends.push(at - inUnit + width);
  }
  return ends;
}

/**
 * Throws a Refusal if the encoding of a file lacks a character of its new text: the editor would write a question mark. Text that
 * is not saved stays in the editor, so what the user has typed there is left alone.
 */
export async function refuseUnwritable(
  path: string,
  { encoding, saved }: Content,
  before: string | undefined,
  text: string,
): Promise<void> {
  if (encoding === undefined) return;
  const lost = await firstLost(encoding, text, saved === undefined ? "" : (before ?? ""));
  if (!lost) return;
  const code = lost.character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  const reason =
    lost.character === "\ufffd"
      ? "has bytes that are no text in this encoding, and an edit would lose them"
      : `would have the character “${lost.character}” (U+${code}), which this encoding lacks`;
  throw new Refusal(
    `${path} was not changed: the file is in ${encoding}, and its line ${lost.line} ${reason}. Use characters that it has, or ask the user to save the file in UTF-8.`,
  );
}

/** The first character that does not survive the encoding, and is not in the text that may have it. */
async function firstLost(
  encoding: string,
  given: string,
  mayHave: string,
): Promise<{ readonly line: number; readonly character: string } | undefined> {
  // Without the characters that are left alone, which are in no line break.
  let text = given;
  for (let tries = 0; tries < mostLost; tries++) {
    const kept = await keptText(encoding, text);
    if (kept === text) return undefined;
    const index = firstDifference(text, kept ?? "");
    const character = characterAt(text, index);
    if (!mayHave.includes(character)) return { line: text.slice(0, index).split("\n").length, character };
    text = text.replaceAll(character, "");
  }
  return undefined;
}

/** Limit of different characters of the user that an encoding lacks. */
const mostLost = 100;

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index += 1;
  return Math.min(index, Math.max(0, one.length - 1));
}

function characterAt(text: string, index: number): string {
  const isSecond = /[\udc00-\udfff]/.test(text.charAt(index));
  return String.fromCodePoint(text.codePointAt(isSecond ? index - 1 : index) ?? 0xfffd);
}

async function keptText(encoding: string, text: string): Promise<string | undefined> {
  const bytes = await vscode.workspace.encode(unmarked(text), { encoding }).then(undefined, () => undefined);
  return bytes && shownText(encoding, bytes);
}
