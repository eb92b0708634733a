// Documents, editors and diffs for tests of edits.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { reviewScheme } from "../../src/shared/names/ids.ts";

export const code = "function greet(name) {\n  return name;\n}\n\nlet other = 1;\n";

let files: string;
let opened = 0;

/** Creates the folder of `open` before the tests of a suite, and removes it after them. */
export function useFiles(): void {
  before(() => {
    files = mkdtempSync(join(tmpdir(), "inference-edit-"));
  });
  after(() => rmSync(files, { recursive: true, force: true }));
}

/**
 * Opens a new file each time: an untitled document gets the name of the last closed one, and for a moment also
 * its text.
 */
export async function open(content: string, extension = "js"): Promise<vscode.TextEditor> {
  opened += 1;
  const path = join(files, `${opened}.${extension}`);
  writeFileSync(path, content);
  const document = await vscode.workspace.openTextDocument(path);
  return vscode.window.showTextDocument(document, { preview: false });
}

/** Inserts as a user does, and waits until the editor tells that the document has unsaved text, which it does later. */
export async function insert(
  document: vscode.TextDocument,
  at: vscode.Position,
  text: string,
): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  change.insert(document.uri, at, text);
  assert.ok(await vscode.workspace.applyEdit(change), "The editor refused the edit.");
  await until(() => document.isDirty);
}

/** Changes the document as undoing an accepted hunk does. */
export async function replace(document: vscode.TextDocument, text: string): Promise<void> {
  const at = document.positionAt(document.getText().indexOf("hello(1)"));
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, new vscode.Range(at, at.translate(0, 5)), "greet");
  assert.ok(await vscode.workspace.applyEdit(change));
  assert.equal(document.getText(), text);
}

/** Puts the cursor into the new side of the active diff. */
export async function cursorAt(line: number): Promise<void> {
  const isNew = () => vscode.window.activeTextEditor?.document.uri.path.includes("/after/") === true;
  await until(isNew);
  const at = new vscode.Position(line, 0);
  if (vscode.window.activeTextEditor) vscode.window.activeTextEditor.selection = new vscode.Selection(at, at);
}

/** Requests an edit. Resolves once its diff is active, which this window may learn after the command has ended. */
export async function ask(command: string, ...args: readonly unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
  await until(() => vscode.window.tabGroups.activeTabGroup.activeTab?.input === (diffTab() ?? null));
}

export function diffTab(): vscode.TabInputTextDiff | undefined {
  const inputs = vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ input }) => input));
  return inputs.find(
    (input): input is vscode.TabInputTextDiff =>
      input instanceof vscode.TabInputTextDiff && input.modified.scheme === reviewScheme,
  );
}

/** Waits until a side of the open diff has this text. */
export async function sideIs(side: "before" | "after", text: string): Promise<void> {
  const tab = diffTab();
  assert.ok(tab);
  const uri = side === "before" ? tab.original : tab.modified;
  const { getText } = await vscode.workspace.openTextDocument(uri);
  await until(() => getText() === text);
}

/** Resolves once the condition holds; checked after each change of a document, an editor, the tabs or their groups. */
export async function until(condition: () => boolean): Promise<void> {
  if (condition()) return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (!condition()) return;
      listening.dispose();
      resolve();
    };
    const listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(check),
      vscode.window.onDidChangeActiveTextEditor(check),
      vscode.window.tabGroups.onDidChangeTabs(check),
      // If the editor sends all tabs again, this is the only event.
      vscode.window.tabGroups.onDidChangeTabGroups(check),
    );
  });
}

/** Closes all editors without the prompt to save. */
export async function closeAll(): Promise<void> {
  while (vscode.window.tabGroups.all.some(({ tabs }) => tabs.length > 0))
    await vscode.commands.executeCommand("workbench.action.revertAndCloseActiveEditor");
}
