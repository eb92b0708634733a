import { dirname } from "node:path/posix";
import * as vscode from "vscode";
import { insertAfter } from "../../../platform/editor/changeDocument.ts";
import type { InsertTarget } from "../../../platform/editor/lastEditor.ts";
import { pictureMarkdown, relativePath, toHtml } from "./pictureMarkup.ts";
import { numbered, plainName } from "./pictureNames.ts";

/** A picture to insert into a document. */
export interface PictureToInsert {
  readonly uri: vscode.Uri;
  readonly name: string;
  readonly data: Uint8Array;
  /** Alternative text; empty for a picture that only decorates. */
  readonly text: string;
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** The result, or the reason why nothing was inserted. */
export interface Inserted {
  readonly isDone: boolean;
  readonly text: string;
}

export async function insertPicture(
  picture: PictureToInsert,
  as: "markdown" | "html",
  place: InsertTarget | undefined,
): Promise<Inserted> {
  if (!place || place.document.isClosed) {
    const text =
      "No text editor is open. Open a document, put the cursor where the picture should be, and insert again.";
    return { isDone: false, text };
  }
  const { document, selections } = place;
  const copy = isLinked(picture, document) ? undefined : await copyFor(picture, document);
  const path = copy ? copy.name : pathTo(picture.uri, document);
  const markup =
    as === "html" ? toHtml(path, picture.text, picture.size) : pictureMarkdown(path, picture.text);
  const file = copy && { uri: copy.uri, data: picture.data };
  if (!(await insertAfter(document, selections.slice(0, 1), markup, { file }))) {
    return { isDone: false, text: `${nameOf(document)} can't be edited.` };
  }
  const where = `Inserted in ${nameOf(document)}`;
  const beside = copy ? `, with a copy of the picture beside it: ${copy.name}` : "";
  return { isDone: true, text: `${where}${beside}.` };
}

/** A picture in the same workspace folder is linked, not copied. */
function isLinked({ uri }: PictureToInsert, document: vscode.TextDocument): boolean {
  if (document.isUntitled) return true;
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  return folder !== undefined && folder === vscode.workspace.getWorkspaceFolder(document.uri);
}

/** Another picture is copied beside the saved document, which would otherwise break if the folder is moved. */
async function copyFor({ name }: PictureToInsert, document: vscode.TextDocument) {
  const folder = vscode.Uri.joinPath(document.uri, "..");
  for (let count = 1; count < 1000; count++) {
    const candidate = numbered(plainName(name), count);
    const uri = vscode.Uri.joinPath(folder, candidate);
    if (!(await exists(uri))) return { name: candidate, uri };
  }
  return undefined;
}

function pathTo(uri: vscode.Uri, document: vscode.TextDocument): string {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const from = document.isUntitled ? folder?.path : dirname(document.uri.path);
  return from === undefined ? uri.path : relativePath(from, uri.path);
}

function nameOf(document: vscode.TextDocument): string {
  return document.uri.path.split("/").at(-1) ?? "";
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
