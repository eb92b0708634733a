// What a command of an agent changes in files, in the review and by a rewind.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { FileChange, PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { type CommandRuns, createCommandRuns } from "../../../src/chat/host/tools/commands/commandRuns.ts";
import { createCommandTools } from "../../../src/chat/host/tools/commands/commandTools.ts";
import { ProgramChanges } from "../../../src/chat/host/tools/commands/programChanges.ts";
import type { CallContext } from "../../../src/chat/host/tools/tool.ts";
import { closeAll, until } from "../editors.ts";

const never = new AbortController().signal;
const text = "one\ntwo\nthree\n";
const names = ["a.txt", "b.txt", "c.txt", "gone.txt"];

describe("what a command of an agent changes", () => {
  let changes: PendingChanges;
  let runs: CommandRuns;
  let storage: string;
  let made: FileChange[];
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "programs", name));
  const seen = () =>
    readdirSync(join(root(), "programs")).map((name) => [name, readFileSync(at(name).fsPath, "utf8")]);
  beforeEach(() => {
    storage = mkdtempSync(join(tmpdir(), "command-changes-"));
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "changes.jsonl"),
      report: (error) => assert.fail(String(error)),
    });
    runs = createCommandRuns(root);
    made = [];
    mkdirSync(join(root(), "programs"));
    for (const name of names) writeFileSync(at(name).fsPath, text);
  });
  afterEach(async () => {
    runs.dispose();
    changes.dispose();
    await closeAll();
    rmSync(join(root(), "programs"), { recursive: true, force: true });
    rmSync(storage, { recursive: true, force: true });
  });

  async function run(command: string): Promise<string> {
    const programs = new ProgramChanges(async () => changes, runs);
    const [tool] = createCommandTools(runs).map((one) => programs.recorded(one));
    const context = {
      changed: (some: readonly FileChange[]) => void made.push(...some),
      began() {},
    };
    await tool?.prepare?.({});
    return (await tool?.run?.({ command }, never, context as unknown as CallContext)) ?? "";
  }

  it("is pending, one hunk can be rejected, and a rewind restores the rest and the deleted file", async () => {
    const before = seen();
    const document = await vscode.workspace.openTextDocument(at("a.txt"));
    await vscode.window.showTextDocument(document);
    const result = await run("cd programs && sed -i.old s/two/TWO/ a.txt b.txt c.txt && rm *.old gone.txt");
    assert.match(result, /Changed by it: programs\/[abc]\.txt \(\+1 −1\), .*programs\/gone\.txt \(deleted\)/);
    assert.deepEqual(changes.files.map(({ path, kind, hunks }) => [path, kind, hunks.length]).sort(), [
      ["programs/a.txt", "changed", 1],
      ["programs/b.txt", "changed", 1],
      ["programs/c.txt", "changed", 1],
      ["programs/gone.txt", "deleted", 0],
    ]);
    await changes.reject(at("a.txt"), changes.fileOf(at("a.txt"))?.hunks[0]?.id);
    assert.equal(readFileSync(at("a.txt").fsPath, "utf8"), text);
    await until(() => document.getText() === text); // the editor may still read what the command wrote
    const done = await changes.rewind(made, async () => assert.fail("nothing was changed by others"));
    assert.deepEqual(done?.kept, []);
    assert.deepEqual(seen(), before);
    assert.deepEqual(changes.files, []);
  });

  it("is recorded for a command that is stopped in the middle", async () => {
    const before = seen();
    const stop = new AbortController();
    const programs = new ProgramChanges(async () => changes, runs);
    const [tool] = createCommandTools(runs).map((one) => programs.recorded(one));
    const context = { changed: (some: readonly FileChange[]) => void made.push(...some), began() {} };
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(join(root(), "programs")), "new.txt"),
    );
    watcher.onDidCreate(() => stop.abort());
    const command = "echo new > programs/new.txt; rm programs/b.txt; sleep 60; rm programs/a.txt";
    await assert.rejects(async () =>
      tool?.run?.({ command }, stop.signal, context as unknown as CallContext),
    );
    watcher.dispose();
    assert.deepEqual(changes.files.map(({ path, kind }) => [path, kind]).sort(), [
      ["programs/b.txt", "deleted"],
      ["programs/new.txt", "created"],
    ]);
    await changes.rewind(made, async () => assert.fail("nothing was changed by others"));
    assert.deepEqual(seen(), before);
  });
});
