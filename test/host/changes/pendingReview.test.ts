import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { createReviewFeature } from "../../../src/changes/review/reviewFeature.ts";
import { closeAll } from "../editors.ts";

const former = Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join("");
const edited = former.replace("line 3\n", "LINE 3\n").replace("line 12\nline 13\n", "").concat("line 30\n");

describe("review of what an agent wrote", () => {
  let store: string;
  let folder: vscode.Uri;
  let log: vscode.LogOutputChannel;
  const open: vscode.Disposable[] = [];
  const { signal } = new AbortController();

  before(() => {
    store = mkdtempSync(join(tmpdir(), "inference-review-"));
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    folder = workspace.uri;
    log = vscode.window.createOutputChannel("Review Test", { log: true });
  });
  after(() => {
    log.dispose();
    rmSync(store, { recursive: true, force: true });
  });
  afterEach(async () => {
    for (const disposable of open.splice(0)) disposable.dispose();
    await closeAll();
  });

  const start = () => {
    const report = (error: unknown) => log.error(String(error));
    const changes = createEditorChanges({
      blobs: join(store, "blobs"),
      stateFile: join(store, "changes.json"),
      report,
    });
    const review = createReviewFeature(changes, log);
    open.push(review, changes);
    return { changes, review };
  };
  const pendingFile = async (changes: PendingChanges, name: string) => {
    const uri = vscode.Uri.joinPath(folder, name);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(former));
    await changes.writer.write(name, edited, signal);
    return uri;
  };
  const textOf = async (uri: vscode.Uri) => Buffer.from(await vscode.workspace.fs.readFile(uri)).toString();
  const lensLines = async (uri: vscode.Uri) => {
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      "vscode.executeCodeLensProvider",
      uri,
      100,
    );
    return lenses.flatMap(({ range, command }) =>
      command?.title.startsWith("Show Diff") ? [`${range.start.line} ${command.title.slice(10)}`] : [],
    );
  };

  it("asks before files that were swapped by moves are rejected together, and names them", async () => {
    const { changes, review } = start();
    const [one, other] = ["swap-one.txt", "swap-other.txt"].map((name) => vscode.Uri.joinPath(folder, name));
    assert.ok(one && other);
    await vscode.workspace.fs.writeFile(one, Buffer.from("one\r\n"));
    await vscode.workspace.fs.writeFile(other, Buffer.from("other\n"));
    await vscode.window.showTextDocument(one);
    await changes.writer.move("swap-one.txt", "swap-aside.txt", signal);
    await changes.writer.move("swap-other.txt", "swap-one.txt", signal);
    await changes.writer.move("swap-aside.txt", "swap-other.txt", signal);
    const asked: string[] = [];
    const { showWarningMessage } = vscode.window;
    const answer = (button: string | undefined) => {
      const show = async (question: string, { detail = "" }: vscode.MessageOptions) => {
        asked.push(`${question} ${detail}`);
        return button;
      };
      Object.assign(vscode.window, { showWarningMessage: show });
    };
    try {
      answer(undefined);
      await review.decideFile("reject", one);
      assert.equal(await textOf(one), "other\n");
      answer("Reject Together");
      await review.decideFile("reject", one);
    } finally {
      Object.assign(vscode.window, { showWarningMessage });
    }
    assert.deepEqual([await textOf(one), await textOf(other)], ["one\r\n", "other\n"]);
    assert.deepEqual(changes.files, []);
    const names = "swap-one.txt (moved from swap-other.txt), swap-other.txt (moved from swap-one.txt)";
    assert.ok(asked[0]?.startsWith(`Reject the changes of 2 files together? ${names}.`), asked[0]);
    await closeAll();
    for (const uri of [one, other]) await vscode.workspace.fs.delete(uri);
  });

  it("rejects one hunk, accepts another, and leaves the user's own line alone", async () => {
    const { changes, review } = start();
    const uri = await pendingFile(changes, "decided.txt");
    await review.go("next");
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), uri.toString());
    assert.equal(editor.selection.active.line, 3);
    assert.deepEqual(await lensLines(uri), ["3 +1 −1", "12 −2", "28 +1"]);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), "mine\n"));
    editor.selection = new vscode.Selection(4, 0, 4, 0);
    await review.decideHunk("reject");
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 13);
    await review.decideHunk("accept");
    assert.equal(editor.document.getText(), `mine\n${edited.replace("LINE 3", "line 3")}`);
    assert.deepEqual(await lensLines(uri), ["29 +1"]);
    await review.decideFile("accept");
    assert.deepEqual(await lensLines(uri), []);
    assert.equal(changes.files.length, 0);
  });

  it("rejects files that were written, created and deleted", async () => {
    const { changes, review } = start();
    const written = await pendingFile(changes, "written.txt");
    const gone = vscode.Uri.joinPath(folder, "gone.txt");
    await vscode.workspace.fs.writeFile(gone, Buffer.from(former));
    await changes.writer.remove("gone.txt", signal);
    await changes.writer.write("created.txt", "new\n", signal);
    assert.equal(changes.files.length, 3);
    for (const { uri } of [...changes.files]) await review.decideFile("reject", uri.toString());
    assert.deepEqual([await textOf(written), await textOf(gone)], [former, former]);
    await assert.rejects(textOf(vscode.Uri.joinPath(folder, "created.txt")));
  });
});
