import { isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { TemporaryFiles } from "../../../platform/files/durable/temporaryFiles.ts";
import { type Content, changeOpen, decoded, readContent, shownText } from "../files/contents.ts";
import {
  isReadOnly,
  modeOf,
  type ReplaceOptions,
  removeFile,
  replaceFile,
  separateNames,
  statOf,
} from "../files/fileAccess.ts";
import { isLinkName, targetIn } from "../files/fileState.ts";
import { placeLink } from "../files/placeLink.ts";

interface RestoreOptions {
  readonly temporary: TemporaryFiles;
  /** The content was unsaved text, so that it is stored in UTF-8 whatever the encoding of the file. */
  readonly isUnsavedText?: boolean;
  /** The mode that the file gets; undefined for that which it has. */
  readonly mode?: number | undefined;
  /** The file as it was just read; it is read if this is undefined. Each access takes a message to the window. */
  readonly content?: Content | undefined;
}

/**
 * Restores a file byte for byte, or deletes it without a content. An open document takes the text first, so that its
 * editor does not show a conflict.
 */
export async function restoreFile(
  uri: vscode.Uri,
  path: string,
  bytes: Uint8Array | undefined,
  { temporary, isUnsavedText = false, mode, content: known }: RestoreOptions,
): Promise<void> {
  const content = known ?? (await readContent(uri, path));
  const isDone = !isUnsavedText && isRestored(content, bytes);
  const document = isDone ? undefined : await documentToChange(uri, content, bytes);
  const encoding = isUnsavedText ? undefined : content?.encoding;
  // Unsaved text is stored in UTF-8, and written in the encoding of its file.
  const newEncoding = isUnsavedText ? content?.encoding : undefined;
  if (document) {
    await separateNames(uri, path, temporary);
    await restoreText({ document, saved: content?.saved, encoding }, path, bytes);
    // The editor has written the text in its encoding.
    if (newEncoding !== undefined) return;
  }
  const read = readBytes(content);
  const isThere = read !== undefined || (await statOf(uri, path)) !== undefined;
  if (!bytes) return isThere ? await removeFile(uri, path) : undefined;
  const file = await encodedIn(newEncoding, bytes);
  // A document may have saved other bytes than those that were read.
  const now = isThere && (document || !read) ? await vscode.workspace.fs.readFile(uri) : read;
  await replaceUnlessSame(uri, path, { now, file }, { temporary, mode, isRestore: true });
}

interface NamedEntry {
  /** The name of the content that is there; null if nothing is. */
  readonly now: string | null;
  /** The name of the content that is restored, and the content; null and undefined remove what is there. */
  readonly target: string | null;
  readonly bytes: Uint8Array | undefined;
}

/** The same where a symbolic link is, or was: its content is its target. */
export async function restoreEntry(
  uri: vscode.Uri,
  path: string,
  { now, target, bytes }: NamedEntry,
  options: RestoreOptions,
): Promise<void> {
  const isLink = isLinkName(target);
  if (isLink || isLinkName(now)) {
    const link = isLink && bytes ? targetIn(bytes) : undefined;
    await placeLink(uri, path, { expected: now, target: link, temporary: options.temporary });
  }
  if (!isLink && (bytes || !isLinkName(now))) await restoreFile(uri, path, bytes, options);
}

/**
 * True if the file has these bytes, and its editor no other text. An editor that still hears of earlier texts of the file
 * follows it, and must not be changed: its text would count as unsaved.
 */
function isRestored(content: Content | undefined, bytes: Uint8Array | undefined): boolean {
  if (!content || !bytes || content.saved !== undefined) return false;
  return Buffer.compare(content.bytes, bytes) === 0;
}

/** The file behind a content; undefined if there was none. */
function readBytes(content: Content | undefined): Uint8Array | undefined {
  return content?.saved === undefined ? content?.bytes : (content.saved ?? undefined);
}

/** Unsaved text, which is stored in UTF-8, as bytes in another encoding. */
async function encodedIn(encoding: string | undefined, bytes: Uint8Array): Promise<Uint8Array> {
  return encoding === undefined ? bytes : vscode.workspace.encode(decoded(bytes), { encoding });
}

async function replaceUnlessSame(
  uri: vscode.Uri,
  path: string,
  { now, file }: { readonly now: Uint8Array | undefined; readonly file: Uint8Array },
  options: ReplaceOptions,
): Promise<void> {
  const { mode } = options;
  const hasMode = mode === undefined || (await modeOf(uri)) === mode;
  if (!now || !hasMode || Buffer.compare(now, file) !== 0) await replaceFile(uri, path, file, options);
}

/**
 * The open document that takes the text. One that shows other bytes as text would write others, and no editor can save a
 * read-only file; without unsaved text, it follows the file.
 */
async function documentToChange(
  uri: vscode.Uri,
  content: Content | undefined,
  bytes: Uint8Array | undefined,
): Promise<vscode.TextDocument | undefined> {
  const isUnsaved = content?.saved !== undefined;
  if (bytes && !isUnsaved && (await isReadOnly(uri))) return undefined;
  if (!content?.document || content.document.isClosed) return undefined;
  const isText = !bytes || content.encoding !== undefined || isUtf8(bytes);
  return isText || isUnsaved ? content.document : undefined;
}

interface OpenText {
  readonly document: vscode.TextDocument;
  /** The bytes on disk, if the text is unsaved. Null if the file does not exist. */
  readonly saved: Content["saved"];
  /** Of the restored bytes; undefined for UTF-8. */
  readonly encoding: string | undefined;
}

/** Puts the text of the bytes into an open document and saves it; without bytes, that of the file in place of unsaved text. */
async function restoreText(
  { document, saved, encoding }: OpenText,
  path: string,
  bytes: Uint8Array | undefined,
): Promise<void> {
  const stored = bytes ?? saved;
  const text = stored ? await shownText(encoding, stored) : undefined;
  if (!bytes && !document.isDirty) return;
  const before = document.getText();
  if (text !== undefined) await changeUnlessTyped(document, path, text);
  else if (bytes && document.isDirty)
    throw new Refusal(`${path} has unsaved text, and its former content is no text in ${document.encoding}.`);
  if (!document.isDirty || (await document.save())) return;
  await changeOpen(document, document.getText(), before);
  throw new Refusal(`${path} could not be saved: its file is newer than the text in the editor.`);
}

export async function changeUnlessTyped(
  document: vscode.TextDocument,
  path: string,
  text: string,
): Promise<void> {
  if (!(await changeOpen(document, document.getText(), text)))
    throw new Refusal(`${path} was changed during the rewind.`);
}
