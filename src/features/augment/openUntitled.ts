import * as vscode from "vscode";
import { resultColumn } from "./resultColumn.ts";

export interface UntitledText {
  /** The name that saving it proposes. */
  readonly name: string;
  readonly text: string;
  readonly languageId: string;
  /** The file beside which it is saved; anything but a file stands for the first folder of the workspace. */
  readonly beside: vscode.Uri;
}

const mostNames = 20;

/** Opens a text beside, as a document that is not saved yet. One that is open with the same text is shown instead. */
export async function openUntitled(text: UntitledText): Promise<vscode.TextDocument> {
  const document = (await openNamed(text)) ?? (await openNameless(text));
  await vscode.window.showTextDocument(document, { viewColumn: resultColumn(document.uri), preview: false });
  return document;
}

async function openNamed({ name, text, languageId, beside }: UntitledText) {
  const folder = await folderOf(beside);
  if (!folder) return undefined;
  for (let count = 1; count <= mostNames; count++) {
    const file = vscode.Uri.joinPath(folder, count === 1 ? name : numbered(name, count));
    const untitled = vscode.Uri.from({ scheme: "untitled", path: file.path });
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === untitled.toString());
    if (open?.getText() === text) return open;
    if (open || (await exists(file))) continue;
    const document = await vscode.workspace.openTextDocument(untitled);
    const edit = new vscode.WorkspaceEdit();
    edit.insert(untitled, new vscode.Position(0, 0), text);
    await vscode.workspace.applyEdit(edit);
    return vscode.languages.setTextDocumentLanguage(document, languageId);
  }
  return undefined;
}

function openNameless({ text, languageId }: UntitledText) {
  return vscode.workspace.openTextDocument({ content: text, language: languageId });
}

/** Only a folder on a disk can be proposed. */
async function folderOf(beside: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (beside.scheme === "file") return vscode.Uri.joinPath(beside, "..");
  const first = vscode.workspace.workspaceFolders?.[0]?.uri;
  return first?.scheme === "file" ? first : undefined;
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf(".");
  return dot <= 0 ? `${name}-${count}` : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}
