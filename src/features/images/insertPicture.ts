import { dirname } from "node:path/posix";
import * as vscode from "vscode";
import { relativePath, toHtml, toMarkdown } from "./pictureMarkup.ts";
import { numbered, plainName } from "./pictureNames.ts";

/** A picture on its way into a document. */
export interface PictureToInsert {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly data: Uint8Array;
  /** Read out where the picture can't be seen: its prompt. */
  readonly text: string;
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** Where text is inserted: the document that was worked on last, at its cursor. */
export interface InsertPlace {
  readonly document: vscode.TextDocument;
  readonly selection: vscode.Selection;
}

/** The sentence that tells what was done. */
export async function insertPicture(
  picture: PictureToInsert,
  as: "markdown" | "html",
  place: InsertPlace | undefined,
): Promise<string> {
  if (!place || place.document.isClosed) {
    return "No text editor is open to insert it. Open one, put the cursor where the picture goes, and insert again.";
  }
  const { document, selection } = place;
  const copy = await copyFor(picture, document);
  const path = copy ? copy.name : pathTo(picture.uri, document);
  const markup = as === "html" ? toHtml(path, picture.text, picture.size) : toMarkdown(path, picture.text);
  const edit = new vscode.WorkspaceEdit();
  // One edit: its undo takes the file away together with the text.
  if (copy) edit.createFile(copy.uri, { contents: picture.data });
  edit.replace(document.uri, selection, markup);
  if (!(await vscode.workspace.applyEdit(edit))) return `${nameOf(document)} can't be written to.`;
  await vscode.window.showTextDocument(document, {
    preserveFocus: true,
    preview: false,
    viewColumn: columnOf(document),
  });
  const where = `Inserted in ${nameOf(document)}`;
  return copy ? `${where}, with a copy of the picture beside it: ${copy.name}.` : `${where}.`;
}

/** A file beside a saved document has a copy of its own; the gallery's file stays whatever becomes of the text. */
async function copyFor({ name }: PictureToInsert, document: vscode.TextDocument) {
  if (document.isUntitled) return undefined;
  const folder = vscode.Uri.joinPath(document.uri, "..");
  for (let count = 1; count < 1000; count++) {
    const wanted = numbered(plainName(name), count);
    const uri = vscode.Uri.joinPath(folder, wanted);
    if (!(await isThere(uri))) return { name: wanted, uri };
  }
  return undefined;
}

function pathTo(uri: vscode.Uri, document: vscode.TextDocument): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const from = document.isUntitled ? folder?.path : dirname(document.uri.path);
  return from === undefined ? uri.path : relativePath(from, uri.path);
}

function columnOf(document: vscode.TextDocument): vscode.ViewColumn {
  const groups = vscode.window.tabGroups.all;
  const shows = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString();
  return groups.find(({ tabs }) => tabs.some(shows))?.viewColumn ?? vscode.ViewColumn.Beside;
}

function nameOf(document: vscode.TextDocument): string {
  return document.uri.path.split("/").at(-1) ?? "";
}

async function isThere(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
