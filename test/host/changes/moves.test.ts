// Files that an agent moves: their editors follow, and no other extension is told, which would ask the user.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { closeAll, insert, until } from "../editors.ts";

const never = new AbortController().signal;

describe("files that an agent moves", () => {
  let changes: PendingChanges;
  let storage: string;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "moves", name));
  const put = (name: string, content: string) => writeFileSync(at(name).fsPath, content);
  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.fsPath] : []));
  beforeEach(() => {
    mkdirSync(at("").fsPath, { recursive: true });
    storage = mkdtempSync(join(tmpdir(), "moves-"));
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "changes.json"),
      report: (error) => assert.fail(String(error)),
    });
  });
  afterEach(async () => {
    changes.dispose();
    await closeAll();
    rmSync(at("").fsPath, { recursive: true });
    rmSync(storage, { recursive: true });
  });

  it("are moved with their editors, back as well, and no extension is told", async () => {
    put("a.ts", "export const a = 1;\n");
    let told = 0;
    const listening = vscode.Disposable.from(
      vscode.workspace.onWillRenameFiles(() => (told += 1)),
      vscode.workspace.onDidRenameFiles(() => (told += 1)),
    );
    await vscode.window.showTextDocument(at("a.ts"), { preview: false });
    const made = await changes.writer.move("moves/a.ts", "moves/deep/b.ts", never);
    await until(() => tabs().includes(at("deep/b.ts").fsPath));
    assert.ok(!tabs().includes(at("a.ts").fsPath) && !existsSync(at("a.ts").fsPath));
    assert.equal(changes.fileOf(at("deep/b.ts"))?.kind, "moved");
    const done = await changes.rewind(made, async () => assert.fail("only the agent moved it"));
    assert.equal(done?.kept.length, 0);
    await until(() => tabs().includes(at("a.ts").fsPath));
    assert.equal(readFileSync(at("a.ts").fsPath, "utf8"), "export const a = 1;\n");
    assert.equal(told, 0);
    listening.dispose();
  });

  it("save what was typed and not saved first, and no extension is told", async () => {
    put("typed.ts", "one\n");
    const document = await vscode.workspace.openTextDocument(at("typed.ts"));
    await vscode.window.showTextDocument(document, { preview: false });
    await insert(document, new vscode.Position(1, 0), "typed\n");
    let told = 0;
    const listening = vscode.workspace.onWillRenameFiles(() => (told += 1));
    await changes.writer.move("moves/typed.ts", "moves/moved.ts", never);
    listening.dispose();
    const moved = await vscode.workspace.openTextDocument(at("moved.ts"));
    assert.deepEqual([moved.getText(), moved.isDirty], ["one\ntyped\n", false]);
    assert.equal(readFileSync(at("moved.ts").fsPath, "utf8"), "one\ntyped\n");
    assert.equal(told, 0);
  });

  it("are not moved over another file", async () => {
    put("a.ts", "a\n");
    put("b.ts", "b\n");
    await assert.rejects(changes.writer.move("moves/a.ts", "moves/b.ts", never), /b\.ts exists/);
    assert.equal(readFileSync(at("b.ts").fsPath, "utf8"), "b\n");
  });
});
