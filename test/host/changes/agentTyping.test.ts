// The user types while an agent changes the same document.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import { changeAndSave } from "../../../src/changes/engine/files/contents.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { closeAll, insert, until } from "../editors.ts";

const never = new AbortController().signal;
const cancel = async (): Promise<undefined> => undefined;

describe("changes of an agent in a document that the user types in", () => {
  let changes: PendingChanges;
  let storage: string;
  let path: string;
  /** Another one for each test: for a moment, the editor shows the last text of a closed file. */
  let name: string;
  let count = 0;
  let document: vscode.TextDocument;
  const onDisk = () => readFileSync(path, "utf8");
  const edit = (oldText: string, newText: string) => changes.writer.edit(name, [{ oldText, newText }], never);
  const type = (line: number, text: string) => insert(document, new vscode.Position(line, 0), text);
  beforeEach(async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
    storage = mkdtempSync(join(tmpdir(), "agent-typing-"));
    count += 1;
    name = `typing${count}.txt`;
    path = join(root, name);
    writeFileSync(path, "one\ntwo\nthree\n");
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "changes.jsonl"),
      report: (error) => assert.fail(String(error)),
    });
    document = await vscode.workspace.openTextDocument(path);
    await vscode.window.showTextDocument(document);
  });
  afterEach(async () => {
    changes.dispose();
    await closeAll();
    rmSync(storage, { recursive: true, force: true });
    rmSync(path, { force: true });
  });

  it("a rewind leaves text unsaved that was unsaved before, and so does its undo", async () => {
    await type(0, "typed\n");
    const made = await edit("two", "TWO");
    const done = await changes.rewind([made], cancel);
    assert.deepEqual([document.getText(), document.isDirty], ["typed\none\ntwo\nthree\n", true]);
    assert.equal(onDisk(), "one\ntwo\nthree\n");
    await changes.rewind(done?.changes ?? [], cancel);
    assert.deepEqual([document.getText(), document.isDirty], ["typed\none\nTWO\nthree\n", true]);
    assert.equal(onDisk(), "one\ntwo\nthree\n");
  });

  it("unsaved text that a rewind restores keeps the line ends and the byte order mark of its file", async () => {
    const mark = "\ufeff";
    const marked = join(dirname(path), "marked.txt");
    writeFileSync(marked, `${mark}one\r\ntwo\r\nthree\r\n`);
    try {
      document = await vscode.workspace.openTextDocument(marked);
      await vscode.window.showTextDocument(document);
      await type(0, "typed\n");
      const made = await changes.writer.edit("marked.txt", [{ oldText: "two", newText: "TWO" }], never);
      await changes.rewind([made], cancel);
      const text = "typed\r\none\r\ntwo\r\nthree\r\n";
      assert.deepEqual([document.getText(), document.isDirty], [text, true]);
      assert.equal(readFileSync(marked, "utf8"), `${mark}one\r\ntwo\r\nthree\r\n`);
      assert.ok(await document.save());
      assert.equal(readFileSync(marked, "utf8"), `${mark}${text}`);
    } finally {
      rmSync(marked);
    }
  });

  it("the undo of a rewind that overwrote unsaved text brings that back, unsaved", async () => {
    const made = await edit("two", "TWO");
    await type(0, "typed\n");
    const done = await changes.rewind([made], async () => "overwrite");
    assert.deepEqual([document.isDirty, onDisk()], [false, "one\ntwo\nthree\n"]);
    await changes.rewind(done?.changes ?? [], cancel);
    assert.deepEqual([document.getText(), document.isDirty], ["typed\none\nTWO\nthree\n", true]);
    assert.equal(onDisk(), "one\nTWO\nthree\n");
  });

  for (const moment of ["the change arrives", "it is saved"])
    it(`what is typed when ${moment} is the user's`, async () => {
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(2, 0, 2, 0);
      let typing: Thenable<unknown> | undefined;
      const press = () => {
        if (document.getText().includes("ONE"))
          typing ??= vscode.commands.executeCommand("type", { text: "+" });
      };
      const listening =
        moment === "it is saved"
          ? vscode.workspace.onWillSaveTextDocument(press)
          : vscode.workspace.onDidChangeTextDocument(press);
      const made = await edit("one", "ONE");
      await typing;
      listening.dispose();
      const text = document.getText();
      assert.equal(text.replace("+", ""), "ONE\ntwo\nthree\n");
      const asked: string[] = [];
      await changes.rewind([made], async (paths) => void asked.push(...paths));
      assert.deepEqual(asked, [name]);
      await changes.reject(document.uri);
      assert.equal(document.getText(), text.replace("ONE", "one"));
    });

  describe("when its last editor closes", () => {
    const find = () => vscode.workspace.textDocuments.find(({ uri }) => uri.fsPath === path);
    /** By a command, because a document that an extension has opened stays open for minutes. */
    const openAlone = async () => {
      await closeAll();
      path = path.replace("typing", "closing");
      writeFileSync(path, "one\n");
      await vscode.commands.executeCommand("vscode.open", vscode.Uri.file(path));
      await until(() => find() !== undefined);
      return find() ?? assert.fail("no document");
    };

    it("while a change is on its way, the change is saved all the same, or not made", async () => {
      const open = await openAlone();
      const { promise, resolve } = Promise.withResolvers<string | undefined>();
      // The editor tells of the tab before it closes the document.
      const listening = vscode.window.tabGroups.onDidChangeTabs(
        ({ closed }) => closed.length > 0 && resolve(changeAndSave(open, "one\n", "ONE\n")),
      );
      await closeAll();
      const written = await promise;
      listening.dispose();
      assert.equal(onDisk(), written ?? "one\n");
      assert.equal(find()?.isDirty ?? false, false);
    });

    it("before a change, nothing is changed, because the file may have another text by now", async () => {
      const open = await openAlone();
      const { promise: closed, resolve } = Promise.withResolvers<void>();
      const listening = vscode.workspace.onDidCloseTextDocument((one) => one === open && resolve());
      await closeAll();
      await closed;
      listening.dispose();
      writeFileSync(path, "new\n");
      assert.equal(await changeAndSave(open, "one\n", "ONE\n"), undefined);
      assert.equal(onDisk(), "new\n");
      assert.equal(find()?.isDirty ?? false, false);
    });
  });
});
