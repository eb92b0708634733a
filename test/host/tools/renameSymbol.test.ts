// A symbol renamed by an agent through the language service of the editor, with the way back.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { FileChange, PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { BackgroundTabs } from "../../../src/chat/host/tools/language/backgroundTabs.ts";
import { createRenameTool } from "../../../src/chat/host/tools/language/renameTool.ts";
import { editorFiles } from "../../../src/tools/files/editorFiles.ts";
import { noProblems } from "../../unit/chat/host/tools/files/noProblems.ts";
import { closeAll, insert } from "../editors.ts";

describe("rename_symbol", () => {
  let changes: PendingChanges;
  let storage: string;
  let made: FileChange[] = [];
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "renamed", name));
  const onDisk = (name: string) => readFileSync(at(name).fsPath, "utf8");
  const put = (name: string, content: string) => writeFileSync(at(name).fsPath, content);
  const tool = createRenameTool({
    writer: async () => changes.writer,
    onRunChanged() {},
    problems: noProblems,
    tabs: new BackgroundTabs(),
    files: editorFiles,
  });
  const context = {
    source: { kind: "chat" as const },
    changed: (all: readonly FileChange[]) => void made.push(...all),
    planned() {},
    written() {},
    began() {},
    results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
  };
  const rename = (path: string, line: number, symbol: string, new_name: string) =>
    tool.run?.({ path: `renamed/${path}`, line, symbol, new_name }, new AbortController().signal, context) ??
    assert.fail("no run");
  let registered: vscode.Disposable[] = [];
  /** A service of a language of its own, whose answer names these files. */
  const provide = (edits: readonly (readonly [vscode.Uri, vscode.Range])[]) =>
    registered.push(
      vscode.languages.registerRenameProvider(
        { pattern: "**/renamed/*.own" },
        {
          provideRenameEdits(_, __, newName) {
            const edit = new vscode.WorkspaceEdit();
            for (const [uri, range] of edits) edit.replace(uri, range, newName);
            return edit;
          },
        },
      ),
    );
  const word = new vscode.Range(0, 0, 0, 3);

  beforeEach(() => {
    mkdirSync(at("").fsPath, { recursive: true });
    storage = mkdtempSync(join(tmpdir(), "rename-"));
    made = [];
    changes = createEditorChanges({
      blobs: join(storage, "blobs"),
      stateFile: join(storage, "changes.json"),
      report: (error) => assert.fail(String(error)),
    });
  });
  afterEach(async () => {
    vscode.Disposable.from(...registered).dispose();
    registered = [];
    changes.dispose();
    await closeAll();
    rmSync(at("").fsPath, { recursive: true });
    rmSync(storage, { recursive: true });
  });

  it("renames in all files that TypeScript knows, as hunks that a rewind takes back", async () => {
    const [a, b] = ["export function sum() {}\r\n", "import { sum } from './a';\nsum();\nsum();\n"];
    put("tsconfig.json", '{ "compilerOptions": { "module": "commonjs" } }\n');
    put("a.ts", a);
    put("b.ts", b);
    const told = await rename("a.ts", 1, "sum", "total");
    assert.match(told, /^Renamed sum to total: 4 places in 2 files\. No file was renamed\./);
    assert.match(told, /\nrenamed\/b\.ts: 3/);
    assert.equal(onDisk("a.ts"), "export function total() {}\r\n");
    assert.equal(onDisk("b.ts"), "import { total } from './a';\ntotal();\ntotal();\n");
    assert.equal(changes.files.length, 2);
    assert.ok(await changes.rewind(made, async () => assert.fail("only the agent changed them")));
    assert.deepEqual([onDisk("a.ts"), onDisk("b.ts")], [a, b]);
  });

  it("asks a service again that leaves out a file with the name, and names those that it leaves out still", async () => {
    put("a.own", "sum\n");
    put("b.own", "sum\n");
    put("other.txt", "the sum, not summed\nsummed\n");
    let asked = 0;
    registered.push(
      vscode.languages.registerRenameProvider(
        { pattern: "**/renamed/*.own" },
        {
          provideRenameEdits(_, __, newName) {
            const edit = new vscode.WorkspaceEdit();
            asked += 1;
            for (const name of asked === 1 ? ["a.own"] : ["a.own", "b.own"])
              edit.replace(at(name), word, newName);
            return edit;
          },
        },
      ),
    );
    const told = await rename("a.own", 1, "sum", "total");
    assert.equal(onDisk("b.own"), "total\n");
    assert.equal(asked, 2);
    assert.match(told, /may mean something else: (?:\S+, )*renamed\/other\.txt:1\.?/);
    assert.doesNotMatch(told, /other\.txt:2/);
  });

  it("keeps the line ends of a file with both, and unsaved text unsaved", async () => {
    put("mixed.own", "sum\r\none\ntwo\r\n");
    put("typed.own", "sum\n");
    const typed = await vscode.workspace.openTextDocument(at("typed.own"));
    await vscode.window.showTextDocument(typed);
    await insert(typed, new vscode.Position(1, 0), "typed");
    provide([
      [at("mixed.own"), word],
      [at("typed.own"), word],
    ]);
    await rename("typed.own", 1, "sum", "total");
    assert.equal(onDisk("mixed.own"), "total\r\none\ntwo\r\n");
    assert.deepEqual([typed.getText(), typed.isDirty], ["total\ntyped", true]);
    assert.equal(onDisk("typed.own"), "sum\n");
  });

  it("refuses all if one file must not be changed, and leaves those that ask to edit_file", async () => {
    put("a.own", "sum\n");
    put(".env", "sum\n");
    put("package.json", "sum\n");
    provide([
      [at("a.own"), word],
      [at(".env"), word],
    ]);
    await assert.rejects(
      rename("a.own", 1, "sum", "total"),
      /Nothing was renamed, because renamed\/\.env would/,
    );
    registered.pop()?.dispose();
    provide([
      [at("a.own"), word],
      [vscode.Uri.file("/etc/hosts"), word],
    ]);
    await assert.rejects(
      rename("a.own", 1, "sum", "total"),
      /\/etc\/hosts would change too, which is not a file/,
    );
    assert.deepEqual([onDisk("a.own"), onDisk(".env")], ["sum\n", "sum\n"]);
    registered.pop()?.dispose();
    provide([
      [at("a.own"), word],
      [at("package.json"), word],
    ]);
    assert.match(
      await rename("a.own", 1, "sum", "total"),
      /\nNot changed, because the user is asked about these files: renamed\/package\.json:1\. Rename there with edit_file\.$/,
    );
    assert.deepEqual([onDisk("a.own"), onDisk("package.json")], ["total\n", "sum\n"]);
  });

  it("says that no language service renames there, and that a module is moved", async () => {
    put("none.unknown", "sum\n");
    await assert.rejects(
      rename("none.unknown", 1, "sum", "total"),
      /No language service of the editor has renamed sum in renamed\/none\.unknown, so nothing was changed\. Find its places/,
    );
    put("c.ts", "import { sum } from './other';\n");
    await assert.rejects(rename("c.ts", 1, "other", "total"), /move its file with move_file/);
    await assert.rejects(rename("c.ts", 9, "sum", "total"), /has 2 lines/);
  });
});
