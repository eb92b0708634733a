import { isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { Refusal } from "../../platform/refusal.ts";
import { type Content, changeOpen, decoded, readContent, shownText } from "./files/contents.ts";
import { modeOf, removeFile, replaceFile, statOf } from "./files/fileAccess.ts";
import type { TemporaryFiles } from "./files/temporaryFiles.ts";

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
  const isText = !bytes || content?.encoding !== undefined || isUtf8(bytes);
  // An open document that shows other bytes as text would write others. Without unsaved text, it follows the file.
  const shown = isText || content?.saved !== undefined ? content?.document : undefined;
  const document = shown?.isClosed ? undefined : shown;
  const stored = bytes ?? content?.saved;
  const text = stored && (isUnsavedText ? decoded(stored) : await shownText(content?.encoding, stored));
  if (document && (bytes || document.isDirty)) {
    const before = document.getText();
    if (text !== undefined && text !== null) await changeUnlessTyped(document, path, text);
    else if (bytes && document.isDirty)
      throw new Refusal(
        `${path} has unsaved text, and its former content is no text in ${document.encoding}.`,
      );
    if (document.isDirty && !(await document.save())) {
      await changeOpen(document, document.getText(), before);
      throw new Refusal(`${path} could not be saved: its file is newer than the text in the editor.`);
    }
  }
  // The editor has written the text in its encoding.
  if (isUnsavedText && document && content?.encoding !== undefined) return;
  const isThere = (content && content.saved !== null) || (await statOf(uri, path)) !== undefined;
  if (!bytes) return isThere ? await removeFile(uri, path) : undefined;
  const own = content?.encoding;
  const isEncoded = isUnsavedText && own !== undefined;
  const file = isEncoded ? await vscode.workspace.encode(decoded(bytes), { encoding: own }) : bytes;
  const read = content && (content.saved ?? content.bytes);
  const now = document || !read ? isThere && (await vscode.workspace.fs.readFile(uri)) : read;
  const hasMode = mode === undefined || (await modeOf(uri)) === mode;
  if (!now || !hasMode || Buffer.compare(now, file) !== 0)
    await replaceFile(uri, path, file, { temporary, mode });
}

export async function changeUnlessTyped(
  document: vscode.TextDocument,
  path: string,
  text: string,
): Promise<void> {
  if (!(await changeOpen(document, document.getText(), text)))
    throw new Refusal(`${path} was changed during the rewind.`);
}
