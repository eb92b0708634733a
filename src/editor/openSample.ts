import * as vscode from "vscode";
import { readSample, sampleCode, sampleName } from "../shared/names/sampleCode.ts";

/** Opens the sample of the tour as an unsaved file and selects it. An open one keeps what the user has typed. */
export async function openSample(): Promise<void> {
  const uri = vscode.Uri.from({ scheme: "untitled", path: sampleName });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { preview: false });
  const start = new vscode.Position(0, 0);
  if (document.getText() === "") await editor.edit((edit) => edit.insert(start, sampleCode));
  if (readSample(document.getText()) === undefined) return;
  editor.selection = new vscode.Selection(start, document.positionAt(document.getText().length));
}
