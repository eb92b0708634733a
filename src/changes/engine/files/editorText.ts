import { isAscii, isUtf8 } from "node:buffer";
import * as vscode from "vscode";
import { Refusal } from "../../../platform/errors/refusal.ts";
import { shownCells } from "../notebooks/notebookText.ts";
import { cellsOf } from "../notebooks/openNotebook.ts";
import { decoded, encodingOf, shownText } from "./contents.ts";
import { documentOf, unsavedDocumentOf } from "./openEditors.ts";

/** The unsaved text of a file's text editor, by whatever name it has the file; undefined without one. */
export async function unsavedText(uri: vscode.Uri): Promise<string | undefined> {
  return (await unsavedDocumentOf(uri))?.getText();
}

/**
 * The files of the workspace whose text in text editors and notebooks is another one than the disk tells: what is not saved, also
 * of files that are not on the disk any more, and what is in another encoding than UTF-8. The text of a notebook is that which a
 * model reads of it.
 */
export function editorTexts(): readonly { readonly uri: vscode.Uri; readonly text: string }[] {
  const { textDocuments, notebookDocuments } = vscode.workspace;
  const isInside = ({ uri }: vscode.TextDocument | vscode.NotebookDocument) =>
    uri.scheme !== "vscode-notebook-cell" && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  const documents = textDocuments.filter((one) => one.isDirty || encodingOf(one) !== undefined);
  const notebooks = notebookDocuments.filter(({ isDirty }) => isDirty);
  return [
    ...documents.filter(isInside).map((document) => ({ uri: document.uri, text: document.getText() })),
    ...notebooks.filter(isInside).map((notebook) => {
      const { uri } = notebook;
      return { uri, text: shownCells(vscode.workspace.asRelativePath(uri), cellsOf(notebook)) };
    }),
  ];
}

/**
 * The text of a file as its editor shows it: the unsaved text, else the bytes of the file in the encoding of the editor
 * that has it open, or that would open it. Without its byte order mark. Throws a Refusal for a file that is no text,
 * or none in that encoding, because the characters that stand for the rest would be taken for its text.
 */
export async function shownFileText(
  uri: vscode.Uri,
  path: string,
  bytes: () => Promise<Uint8Array>,
): Promise<string> {
  const unsaved = await unsavedText(uri);
  return unsaved ?? decodedAsShown(uri, path, await bytes());
}

/** The text of these bytes, which are all of a file, as its editor shows them. Throws a Refusal as above. */
export async function decodedAsShown(uri: vscode.Uri, path: string, bytes: Uint8Array): Promise<string> {
  const open = documentOf(uri);
  if (!open && isPlainText(uri, bytes)) return decoded(bytes);
  const document = open ?? (await vscode.workspace.openTextDocument(uri).then(undefined, () => undefined));
  if (!document) throw new Refusal(`${path} is not a text file.`);
  const encoding = encodingOf(document);
  const isDamaged = encoding === undefined && !isUtf8(bytes);
  const text = isDamaged ? undefined : await shownText(encoding, bytes);
  if (text !== undefined) return text;
  throw new Refusal(
    `${path} is no text in ${encoding ?? "UTF-8"}. Choose its encoding with “Reopen Editor with Encoding”, or by the setting files.encoding.`,
  );
}

/** True for bytes that each editor shows as UTF-8. */
export function isPlainText(uri: vscode.Uri | undefined, bytes: Uint8Array): boolean {
  const files = vscode.workspace.getConfiguration("files", uri);
  if (!files.get("encoding", "utf8").startsWith("utf8")) return false;
  if (!isUtf8(bytes) || bytes.subarray(0, 8000).includes(0)) return false;
  // Short texts of other encodings may be valid UTF-8 by chance.
  const mayBeOther = files.get("autoGuessEncoding", false) || hasLanguageEncoding(files);
  return !mayBeOther || isAscii(bytes);
}

/** True if the files of a language have an encoding of their own; which language a file has is known once it is open. */
function hasLanguageEncoding(files: vscode.WorkspaceConfiguration): boolean {
  return (files.inspect("encoding")?.languageIds?.length ?? 0) > 0;
}
