// What an agent's edit tells of new problems, with the TypeScript service of the editor and with none.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../src/changes/engine/records/knownTexts.ts";
import { createEditTools } from "../../../src/chat/host/tools/files/editTools.ts";
import { BackgroundTabs } from "../../../src/chat/host/tools/language/backgroundTabs.ts";
import { EditProblems } from "../../../src/chat/host/tools/language/editProblems.ts";
import { closeAll } from "../editors.ts";

describe("problems after an agent's edit", () => {
  let changes: PendingChanges;
  let storage: string;
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "problems", name));
  const put = (name: string, content: string) => writeFileSync(at(name).fsPath, content);
  const known = createKnownTexts();
  // A busy machine is slow, and each of these files has problems that are reported.
  const waits = { firstReport: 60_000, quiet: 1_000, longest: 100_000 };
  const problems = new EditProblems(new BackgroundTabs(), waits, waits);
  const tools = createEditTools(
    async () => changes.writer,
    () => known("task"),
    () => {},
    problems,
  );
  const context = {
    source: { kind: "chat" as const },
    changed() {},
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  };
  const call = (name: string, input: object, signal = new AbortController().signal) =>
    tools.find((tool) => tool.name === name)?.run?.({ ...input }, signal, context) ?? assert.fail(name);
  const edit = (path: string, old_text: string, new_text: string, signal?: AbortSignal) =>
    call("edit_file", { path: `problems/${path}`, edits: [{ old_text, new_text }] }, signal);
  const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));

  before(() => {
    mkdirSync(at("").fsPath);
    storage = mkdtempSync(join(tmpdir(), "edit-problems-"));
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "changes.json"),
      report: (error) => assert.fail(String(error)),
    });
  });
  after(async () => {
    changes.dispose();
    await closeAll();
    rmSync(at("").fsPath, { recursive: true });
    rmSync(storage, { recursive: true });
  });

  it("tells the new problems of an open file, not those that it had", async () => {
    put("open.ts", "export const a: number = 'old';\nexport const b = 1;\n");
    await vscode.window.showTextDocument(at("open.ts"));
    const { problems } = await untilProblems("open.ts");
    assert.equal(problems.length, 1);
    const told = await edit("open.ts", "const b = 1", "const added = 0;\nexport const b: string = 2");
    assert.match(told, /open\.ts is now:\n {5}1\texport const a/);
    assert.match(told, /\nNew problems:\nproblems\/open\.ts:3: Error: Type 'number' is not assignable/);
    assert.doesNotMatch(told, /open\.ts:1:/);
    assert.match(
      await edit("open.ts", "string = 2", "string = '2'"),
      /\nNo new problems were reported within [\d.]+ s\.$/,
    );
  });

  it("looks at a closed file in a tab that it closes again, and says what may be older", async () => {
    put("closed.ts", "export const a: number = 'old';\nexport const b = 1;\n");
    const before = tabs();
    const told = await edit("closed.ts", "const b = 1", "const b: string = 2");
    assert.match(told, /some of which may be older, because these files were not open before:\n/);
    assert.match(told, /closed\.ts:1: Error/);
    assert.match(told, /closed\.ts:2: Error/);
    const again = await edit("closed.ts", "string = 2", "boolean = 2");
    assert.match(
      again,
      /\nNew problems:\nproblems\/closed\.ts:2: Error: Type 'number' is not assignable to type 'boolean'\.$/,
    );
    assert.deepEqual(tabs(), before);
  });

  it("tells a task in its next request, without a tab that stays", async () => {
    put("task.ts", "export const a = 1;\n");
    const before = tabs();
    const input = {
      path: "problems/task.ts",
      edits: [{ old_text: "a = 1", new_text: "a: string = 1" }],
    };
    const of = { ...context, conversation: "c" };
    const run = tools.find(({ name }) => name === "edit_file")?.run ?? assert.fail();
    assert.match(await run(input, new AbortController().signal, of), /1;$/, "it waits for nothing");
    assert.equal(await problems.ofTasks.take("c", []), "");
    // The end of a task waits some seconds, and the service may be starting.
    while (!(await problems.ofTasks.haveErrors("c")));
    assert.match(await problems.ofTasks.take("c", []), /task\.ts:1: Error: Type 'number' is not assignable/);
    assert.deepEqual(tabs(), before);
  });

  it("tells the problems of a new file", async () => {
    const told = await call("write_file", { path: "problems/new.ts", text: "export const a: string = 1;\n" });
    assert.match(told, /\nNew problems:\nproblems\/new\.ts:1: Error/);
  });

  it("says nothing of a file that no service watches, and opens no tab for it", async () => {
    put("plain.unknown", "one\ntwo\n");
    const before = tabs();
    const told = await edit("plain.unknown", "two", "2");
    assert.match(told, /\n {5}2\t2$/);
    assert.deepEqual(tabs(), before);
  });

  it("ends with the signal, and says only what is known", async () => {
    put("ended.ts", "export const a = 1;\n");
    const stop = new AbortController();
    const editing = edit("ended.ts", "a = 1", "a = 2", stop.signal);
    const written = new Promise<void>((resolve) => {
      const listening = changes.onDidChange(() => {
        listening.dispose();
        resolve();
      });
    });
    await written;
    stop.abort();
    assert.match(await editing, /\n {5}1\texport const a = 2;$/);
  });

  async function untilProblems(name: string) {
    const has = () => vscode.languages.getDiagnostics(at(name));
    if (has().length === 0)
      await new Promise<void>((resolve) => {
        const listening = vscode.languages.onDidChangeDiagnostics(() => {
          if (has().length === 0) return;
          listening.dispose();
          resolve();
        });
      });
    return { problems: has() };
  }
});
