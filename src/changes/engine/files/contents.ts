import { isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { lineHunks } from "../../../shared/text/lineHunks.ts";
import { withoutReturns } from "../hunkList.ts";
import { statOf, unreadable } from "./fileAccess.ts";
import { linkAbove, linkAt } from "./linkAt.ts";
import { documentOf } from "./openEditors.ts";
import { mostTextBytes } from "./replaceText.ts";

/** The current content of a file: the unsaved text of its editor, else that on disk. */
export interface Content {
  readonly bytes: Uint8Array;
  /** Undefined if it is not open, or still has an older text than the file. */
  readonly document: vscode.TextDocument | undefined;
  /** The bytes on disk, if the text is unsaved. Null if the file does not exist. */
  readonly saved?: Uint8Array | null;
  /** The encoding of its text; undefined for UTF-8. */
  readonly encoding?: string | undefined;
  /** The text in `encoding` if no document shows it. */
  readonly text?: string | undefined;
}

/** The encoding of pending hunks, and the text that they refer to. */
export interface HunkText {
  readonly hunks: readonly unknown[];
  /** Undefined for UTF-8. */
  readonly encoding?: string;
  readonly known?: string;
}

/**
 * Reads a file, with the unsaved text of its editor. The text of a closed file is read as its hunks say. Undefined if it
 * does not exist. Refuses folders and large files.
 */
export async function readContent(
  uri: vscode.Uri,
  path: string,
  hunkText?: HunkText,
): Promise<Content | undefined> {
  const found = await statOf(uri, path);
  if (found && found.type & vscode.FileType.Directory) throw new Refusal(`${path} is a folder, not a file.`);
  if (found && found.size > mostTextBytes)
    throw new Refusal(`${path} is larger than 25 MB, so it is not changed.`);
  const bytes =
    found &&
    (await vscode.workspace.fs.readFile(uri).then(undefined, async (error: unknown) => {
      if (await statOf(uri, path)) throw unreadable(path, error);
      return undefined; // deleted meanwhile
    }));
  const document = documentOf(uri);
  if (document?.isDirty) {
    const unsaved = withMark(document.getText(), bytes !== undefined && hasMark(bytes));
    return { bytes: unsaved, document, saved: bytes ?? null, encoding: encodingOf(document) };
  }
  return bytes && savedContent(bytes, document, hunkText?.hunks.length ? hunkText : undefined);
}

/** What is at a place: the target of a link, or the content of a file. Nothing is at one that is reached through a link. */
export async function entryAt(
  uri: vscode.Uri,
  path: string,
  hunkText?: HunkText,
): Promise<{ readonly link?: string; readonly content?: Content | undefined }> {
  const link = linkAt(uri);
  if (link !== undefined) return { link };
  return linkAbove(uri) ? {} : { content: await readContent(uri, path, hunkText) };
}

async function savedContent(
  bytes: Uint8Array,
  document: vscode.TextDocument | undefined,
  hunkText: HunkText | undefined,
): Promise<Content> {
  if (document && (await isShown(document, bytes, hunkText)))
    return { bytes, document, encoding: encodingOf(document) };
  const { encoding, known } = hunkText ?? { encoding: document && encodingOf(document) };
  if (encoding === undefined) return { bytes, document: undefined };
  const isKnown = known !== undefined && (await isEncoded(bytes, known, encoding));
  const text = isKnown ? known : await shownText(encoding, bytes);
  return { bytes, document: undefined, encoding, text };
}

/**
 * False for a document that has yet to read the file, which the editor does some time later, and for one that was opened
 * in another encoding since, in which the file is another text than that of the hunks.
 */
async function isShown(
  document: vscode.TextDocument,
  bytes: Uint8Array,
  hunkText: HunkText | undefined,
): Promise<boolean> {
  const own = encodingOf(document);
  const encoding = hunkText ? hunkText.encoding : own;
  const text = await shownText(encoding, bytes);
  if (text !== undefined && hasSameLines(text, document.getText())) return true;
  return own !== undefined && own === encoding && isEncoded(bytes, document.getText(), own);
}

/** True if a text is stored as these bytes, which may lack characters of it that the encoding does not have. */
async function isEncoded(bytes: Uint8Array, text: string, encoding: string): Promise<boolean> {
  const stored = await vscode.workspace.encode(text, { encoding }).then(undefined, () => undefined);
  return stored !== undefined && Buffer.compare(stored, bytes) === 0;
}

const lineEnds = /\r\n?|\n/g;

/** True if two texts differ at most in their line ends, which an editor makes all the same. */
export function hasSameLines(one: string, other: string): boolean {
  return one === other || one.replace(lineEnds, "\n") === other.replace(lineEnds, "\n");
}

/** The encoding of a document; undefined for UTF-8. */
export function encodingOf({ encoding }: vscode.TextDocument): string | undefined {
  return encoding.startsWith("utf8") ? undefined : encoding;
}

export function hasMark(bytes: Uint8Array): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** A text as UTF-8, after a byte order mark if it is marked. */
export function withMark(text: string, isMarked: boolean): Uint8Array {
  return new TextEncoder().encode(isMarked ? `\ufeff${text}` : text);
}

/** The text of a content without its byte order mark. */
export function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8").decode(bytes);
}

/** The text that a document in this encoding shows of a content; undefined if that is no text in it. */
export async function shownText(
  encoding: string | undefined,
  bytes: Uint8Array,
): Promise<string | undefined> {
  if (encoding === undefined) return decoded(bytes);
  const text = await vscode.workspace.decode(bytes, { encoding }).then(undefined, () => undefined);
  return text?.replace(/^\ufeff/, "");
}

export function unmarked(text: string): string {
  return text.replace(/^\ufeff/, "");
}

/** The text of a file without its byte order mark; refuses what is not UTF-8. An open document has its own text. */
export function contentText({ bytes, document, saved, encoding, text: own }: Content, path: string): string {
  if (own !== undefined) return own;
  if (document && (saved !== undefined || encoding !== undefined)) return document.getText();
  if (isUtf8(bytes) && !bytes.includes(0)) return document?.getText() ?? decoded(bytes);
  throw new Refusal(`${path} is not a text file in UTF-8, so it is not changed.`);
}

/** The same; undefined for what is not UTF-8. */
export function textIn(content: Content, path: string): string | undefined {
  try {
    return contentText(content, path);
  } catch {
    return undefined;
  }
}

export function isSameText(one: string, other: string): boolean {
  return one === other || withoutReturns(one) === withoutReturns(other);
}

/**
 * Puts a text into an open document, line by line. False with nothing changed if the document no longer has the text
 * `before`, because the user types, or was closed: a closed one keeps its text, whatever the file is.
 */
export async function changeOpen(
  document: vscode.TextDocument,
  before: string,
  text: string,
): Promise<boolean> {
  if (document.isClosed || document.getText() !== before) return false;
  const edit = new vscode.WorkspaceEdit();
  const lines = text.split("\n");
  const last = before.split("\n").length;
  let former: readonly [vscode.Range, string] | undefined;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of lineHunks(before, text)) {
    const written = lines.slice(afterStart, afterEnd).map((line) => line.replace(/\r$/, ""));
    const next = rangeOf(document, { beforeStart, beforeEnd, last, written });
    // Around an empty last line, two hunks insert at the same position: as two edits, they have no certain order.
    const touches = former?.[0].end.isEqual(next[0].start);
    if (former && !touches) edit.replace(document.uri, ...former);
    former = former && touches ? [new vscode.Range(former[0].start, next[0].end), former[1] + next[1]] : next;
  }
  if (former) edit.replace(document.uri, ...former);
  if (edit.size === 0 || (await vscode.workspace.applyEdit(edit))) return true;
  if (document.getText() !== before) return false;
  throw new Refusal(`The editor did not accept the change of ${document.fileName}.`);
}

/** A text with the line ends that a document gives it. */
export function inLinesOf({ eol }: vscode.TextDocument, text: string): string {
  return text.replace(lineEnds, eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
}

/**
 * Puts a text into an open document and saves it, unless it had unsaved text. Returns the text without what the user
 * types meanwhile, or undefined with nothing changed if the document no longer has the text `before`. Throws a
 * Refusal if it can't be saved, and takes the text back.
 */
export async function changeAndSave(
  found: vscode.TextDocument,
  before: string,
  text: string,
): Promise<string | undefined> {
  const wasDirty = found.isDirty;
  if (!(await changeOpen(found, before, text))) return undefined;
  // Its last editor was closed meanwhile: then the edit has opened the file again, and only the new document can be saved.
  const document = found.isClosed ? await vscode.workspace.openTextDocument(found.uri) : found;
  const written = inLinesOf(document, text);
  if (wasDirty || !document.isDirty) return written;
  const isTyped = document.getText() !== written;
  let last: vscode.TextDocumentContentChangeEvent | undefined;
  const listening = vscode.workspace.onDidChangeTextDocument((event) => {
    if (event.document === document) last = event.contentChanges[0] ?? last;
  });
  const isSaved = await document.save();
  listening.dispose();
  if (!isSaved) {
    await changeOpen(document, written, before);
    throw new Refusal(
      `${document.fileName} could not be saved: its file is newer than the text in the editor, or can't be written.`,
    );
  }
  if (isTyped || document.isDirty || (last && looksTyped(document, last))) return written;
  // A formatter may have changed more.
  return document.getText();
}

/** True for a pressed key and a paste, and seldom for the edit of a formatter. */
function looksTyped(
  document: vscode.TextDocument,
  { rangeOffset, rangeLength, text }: vscode.TextDocumentContentChangeEvent,
): boolean {
  if (rangeLength + text.length === 1) return true;
  const end = rangeOffset + text.length;
  return vscode.window.visibleTextEditors.some(
    (editor) =>
      editor.document === document &&
      editor.selections.some(({ active }) => document.offsetAt(active) === end),
  );
}

interface Lines {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  /** The number of lines of the document. */
  readonly last: number;
  readonly written: readonly string[];
}

/** The range and the text that replace whole lines. At the end of the document, the line break before is a part of it. */
function rangeOf(
  document: vscode.TextDocument,
  { beforeStart, beforeEnd, last, written }: Lines,
): [vscode.Range, string] {
  const eol = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  const text = written.join(eol);
  if (beforeEnd < last)
    return [new vscode.Range(beforeStart, 0, beforeEnd, 0), written.length ? text + eol : ""];
  const end = document.lineAt(last - 1).range.end;
  if (beforeStart === 0) return [new vscode.Range(new vscode.Position(0, 0), end), text];
  const start = document.lineAt(beforeStart - 1).range.end;
  return [new vscode.Range(start, end), written.length ? eol + text : ""];
}
