// Auto save is off: what the agent's tools read, change and run is one text, that of the editor, and nothing typed is lost. Each
// test has a file of its own name, because a closed document lives on for some time.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { FileChange, PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../src/changes/engine/records/knownTexts.ts";
import { createCommandRuns } from "../../../src/chat/host/tools/commands/commandRuns.ts";
import { createCommandTools } from "../../../src/chat/host/tools/commands/commandTools.ts";
import { withSavedFiles } from "../../../src/chat/host/tools/commands/savedFirst.ts";
import { createEditTools } from "../../../src/chat/host/tools/files/editTools.ts";
import { createReadTools } from "../../../src/chat/host/tools/files/readTools.ts";
import { createSearchTool } from "../../../src/chat/host/tools/search/searchTool.ts";
import { editorFiles } from "../../../src/tools/files/editorFiles.ts";
import { noProblems } from "../../unit/chat/host/tools/files/noProblems.ts";
import { closeAll, insert, until } from "../editors.ts";

describe("files with unsaved changes", () => {
  let changes: PendingChanges;
  let storage: string;
  let made: FileChange[];
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "unsaved", name));
  const onDisk = (name: string) => readFileSync(at(name).fsPath, "utf8");
  const put = (name: string, content: string | Uint8Array) => writeFileSync(at(name).fsPath, content);
  const runs = createCommandRuns(root);
  const known = createKnownTexts();
  const tools = [
    ...createReadTools(
      editorFiles,
      (_, text) => known("task").add(text),
      () => assert.fail(),
    ),
    createSearchTool(editorFiles),
    ...createEditTools(
      async () => changes.writer,
      () => known("task"),
      () => {},
      noProblems,
    ),
    ...createCommandTools(runs).map(withSavedFiles),
  ];
  const call = async (name: string, input: object) => {
    const tool = tools.find((one) => one.name === name);
    const changed = (all: readonly FileChange[]) => void made.push(...all);
    const context = {
      source: { kind: "chat" as const },
      changed,
      planned() {},
      written() {},
      began() {},
      results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
    };
    return tool?.run?.({ ...input }, new AbortController().signal, context) ?? assert.fail(name);
  };
  const edit = (name: string, old_text: string, new_text: string) =>
    call("edit_file", { path: `unsaved/${name}`, edits: [{ old_text, new_text }] });
  const read = async (name: string) => {
    const lines = await call("read_file", { path: `unsaved/${name}` });
    return `${lines.replace(/^ *\d+\t/gm, "")}\n`;
  };
  const typed = async (name: string, text: string) => {
    const document = await vscode.workspace.openTextDocument(at(name));
    await vscode.window.showTextDocument(document);
    await insert(document, new vscode.Position(0, 0), text);
    return document;
  };

  beforeEach(() => {
    mkdirSync(join(root(), "unsaved"), { recursive: true });
    storage = mkdtempSync(join(tmpdir(), "unsaved-files-"));
    const report = (error: unknown) => assert.fail(String(error));
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "c.json"),
      report,
    });
    made = [];
  });
  afterEach(async () => {
    changes.dispose();
    await closeAll();
    rmSync(join(root(), "unsaved"), { recursive: true, force: true });
    rmSync(storage, { recursive: true, force: true });
  });
  after(() => runs.dispose());

  it("reads what was typed, changes it, and reads its own change", async () => {
    put("a1.txt", "const limit = 10;\n");
    const document = await typed("a1.txt", "// typed\n");
    assert.equal(await read("a1.txt"), "// typed\nconst limit = 10;\n");
    const result = await edit("a1.txt", "limit = 10", "limit = 20");
    assert.match(result, /It is not saved, because the user has unsaved text in it\./);
    assert.equal(await read("a1.txt"), "// typed\nconst limit = 20;\n");
    await edit("a1.txt", "// typed\nconst limit = 20", "// typed\nconst limit = 30");
    assert.equal(document.getText(), "// typed\nconst limit = 30;\n");
    assert.deepEqual([onDisk("a1.txt"), document.isDirty], ["const limit = 10;\n", true]);
  });

  it("saves before a command, which then sees the same text, and names what it saved", async () => {
    put("a2.txt", "one\n");
    const document = await typed("a2.txt", "typed\n");
    await edit("a2.txt", "one", "two");
    const result = await call("run_command", { command: "cat unsaved/a2.txt" });
    assert.match(result, /^typed\ntwo\n[\s\S]*\nSaved before it ran: unsaved\/a2\.txt\.$/);
    assert.equal(document.isDirty, false);
  });

  it("names files that were not saved before a command, because the user's setting says so", async () => {
    put("a3.txt", "one\n");
    const note = /\nNot saved, so it did not see the unsaved text of: unsaved\/a3\.txt\.$/;
    const setting = vscode.workspace.getConfiguration("task");
    // Before the user types, because the editor saves files when a setting changes.
    await setting.update("saveBeforeRun", "never", vscode.ConfigurationTarget.Global);
    try {
      const document = await typed("a3.txt", "typed\n");
      assert.match(await call("run_command", { command: "cat unsaved/a3.txt" }), note);
      assert.deepEqual([onDisk("a3.txt"), document.isDirty], ["one\n", true]);
    } finally {
      await setting.update("saveBeforeRun", undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it("does not replace typed lines that the model has not read", async () => {
    put("a4.txt", "one\n");
    const document = await typed("a4.txt", "typed\n");
    const write = (text: string) => call("write_file", { path: "unsaved/a4.txt", text });
    await assert.rejects(write("agent\n"), /a4\.txt was not written: it has unsaved text of the user/);
    assert.equal(document.getText(), "typed\none\n");
    await read("a4.txt");
    await write("typed\nagent\n");
    assert.equal(document.getText(), "typed\nagent\n");
    assert.equal(onDisk("a4.txt"), "one\n");
  });

  it("refuses to change, move or delete the file of a notebook with an unsaved cell; both survive", async () => {
    const cell = { cell_type: "code", source: ["x = 1\n", "y = 2"], metadata: {}, outputs: [] };
    const content = { cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 };
    put("a.ipynb", JSON.stringify(content));
    await edit("a.ipynb", '"x = 1\\n"', '"x = 5\\n"');
    const notebook = await vscode.workspace.openNotebookDocument(at("a.ipynb"));
    await vscode.window.showNotebookDocument(notebook);
    const typing = new vscode.WorkspaceEdit();
    const where = notebook.cellAt(0).document;
    typing.insert(where.uri, new vscode.Position(0, 0), "typed = True\n");
    assert.ok(await vscode.workspace.applyEdit(typing));
    await until(() => notebook.isDirty);
    const before = onDisk("a.ipynb");
    const refusal =
      /a\.ipynb was not changed, because it has unsaved changes in an editor that is not a text/;
    await assert.rejects(edit("a.ipynb", "y = 2", "y = 3"), refusal);
    await assert.rejects(call("move_file", { from: "unsaved/a.ipynb", to: "unsaved/b.ipynb" }), refusal);
    await assert.rejects(call("delete_file", { path: "unsaved/a.ipynb" }), refusal);
    await assert.rejects(changes.reject(at("a.ipynb")), refusal);
    await assert.rejects(
      changes.rewind(made, async () => "overwrite"),
      refusal,
    );
    assert.equal(onDisk("a.ipynb"), before);
    assert.match(await read("a.ipynb"), /\[cell 1\] code, python[^\n]*\ntyped = True\nx = 5\ny = 2/);
    const result = await call("run_command", { command: "grep -c typed unsaved/a.ipynb" });
    assert.match(result, /^1\n[\s\S]*Saved before it ran: unsaved\/a\.ipynb\.$/);
    await edit("a.ipynb", "y = 2", "y = 3");
    assert.match(onDisk("a.ipynb"), /typed = True[\s\S]*y = 3/);
  });

  it("reads and changes a file in the encoding of its editor, and refuses one that is no text in it", async () => {
    put("a6.txt", Buffer.from("caf\xe9 one\n", "latin1"));
    await assert.rejects(read("a6.txt"), /a6\.txt is no text in UTF-8\. Choose its encoding/);
    await assert.rejects(edit("a6.txt", "one", "two"), /not a text file in UTF-8/);
    await vscode.workspace.openTextDocument(at("a6.txt"), { encoding: "windows1252" });
    assert.equal(await read("a6.txt"), "café one\n");
    await edit("a6.txt", "é one", "és two");
    assert.equal(readFileSync(at("a6.txt").fsPath, "latin1"), "cafés two\n");
    put("b.bin", new Uint8Array([1, 0, 2, 0, 0, 3]));
    await assert.rejects(read("b.bin"), /b\.bin is not a text file/);
    put("c.txt", Buffer.from("\ufeffcafé\n", "utf16le"));
    assert.equal(await read("c.txt"), "café\n");
  });
});
