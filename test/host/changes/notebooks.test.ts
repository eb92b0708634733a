// Notebooks in the real editor: what the agent's tools read are its cells, what they change is in the editor and in the file, and
// nothing that was typed in another cell is lost. Other editors that are no text editors keep their unsaved changes, too.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../../src/changes/engine/editorChanges.ts";
import type { FileChange, PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../src/changes/engine/records/knownTexts.ts";
import { createEditTools } from "../../../src/chat/host/tools/files/editTools.ts";
import {
  addReadCells,
  createNotebookTool,
  withNotebookHint,
} from "../../../src/chat/host/tools/files/notebookTool.ts";
import { createReadTools } from "../../../src/chat/host/tools/files/readTools.ts";
import { createSearchTool } from "../../../src/chat/host/tools/search/searchTool.ts";
import { cellsOfFile, editorFiles } from "../../../src/tools/files/editorFiles.ts";
import { noProblems } from "../../unit/chat/host/tools/files/noProblems.ts";
import { closeAll, until } from "../editors.ts";
import { activateProbe } from "../extensions.ts";

const unasked = async () => assert.fail("nothing was changed by others");
const png = "iVBORw0KGgo=";
const cells = [
  { cell_type: "markdown", id: "t", metadata: {}, source: ["# Title"] },
  {
    cell_type: "code",
    execution_count: 1,
    id: "x",
    metadata: { tags: ["keep"] },
    outputs: [
      { name: "stdout", output_type: "stream", text: ["1\n"] },
      { data: { "image/png": png, "text/plain": ["<plot>"] }, metadata: {}, output_type: "display_data" },
    ],
    source: ["x = 1\n", "print(x)"],
  },
  { cell_type: "code", execution_count: null, id: "y", metadata: {}, outputs: [], source: ["y = 2"] },
];
const metadata = { language_info: { name: "python" } };
const jupyter = (some: unknown, space = 1) =>
  `${JSON.stringify({ cells: some, metadata, nbformat: 4, nbformat_minor: 5 }, undefined, space)}\n`;

describe("notebooks of the agent's tools", () => {
  let changes: PendingChanges;
  let storage: string;
  let made: FileChange[];
  const root = () => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder");
  const at = (name: string) => vscode.Uri.file(join(root(), "notebooks", name));
  const onDisk = (name: string) => readFileSync(at(name).fsPath, "utf8");
  const put = (name: string, content: string | Uint8Array) => writeFileSync(at(name).fsPath, content);
  const known = createKnownTexts();
  const knownTo = () => known("task");
  const writer = async () => changes.writer;
  const tools = [
    ...createReadTools(
      editorFiles,
      (path, text) => addReadCells(path, text, cellsOfFile, knownTo()),
      () => assert.fail(),
    ),
    ...createEditTools(writer, knownTo, () => {}, noProblems).map(withNotebookHint),
    createNotebookTool(writer, knownTo, () => {}),
    createSearchTool(editorFiles),
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
  const read = (name: string) => call("read_file", { path: `notebooks/${name}` });
  const edit = (name: string, ...edits: readonly object[]) =>
    call("edit_notebook", { path: `notebooks/${name}`, edits });
  const open = async (name: string) => {
    const notebook = await vscode.workspace.openNotebookDocument(at(name));
    await vscode.window.showNotebookDocument(notebook);
    return notebook;
  };
  const type = async (notebook: vscode.NotebookDocument, index: number, text: string) => {
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(index).document.uri, new vscode.Position(0, 0), text);
    assert.ok(await vscode.workspace.applyEdit(typing));
    await until(() => notebook.isDirty);
  };
  const sources = (notebook: vscode.NotebookDocument) =>
    notebook.getCells().map(({ document }) => document.getText());
  /** Resolves once the editor has read the file again. */
  const shows = async (notebook: vscode.NotebookDocument, wanted: readonly string[]) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const check = () => void (sources(notebook).join("\0") === wanted.join("\0") && resolve());
    const listening = vscode.workspace.onDidChangeNotebookDocument(check);
    check();
    await promise;
    listening.dispose();
  };

  beforeEach(() => {
    mkdirSync(join(root(), "notebooks"), { recursive: true });
    storage = mkdtempSync(join(tmpdir(), "notebooks-"));
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
    rmSync(join(root(), "notebooks"), { recursive: true, force: true });
    rmSync(storage, { recursive: true, force: true });
  });

  it("reads the cells of a closed notebook, changes one, and takes the bytes back", async () => {
    const before = jupyter(cells, 2);
    put("closed.ipynb", before);
    assert.equal(
      await read("closed.ipynb"),
      `notebooks/closed.ipynb is a notebook with 3 cells. Change them with edit_notebook.

[cell 1] markdown, id t
# Title

[cell 2] code, python, id x
x = 1
print(x)
[output of cell 2]
1
<plot>
(image/png)

[cell 3] code, python, id y
y = 2`,
    );
    const result = await edit("closed.ipynb", {
      action: "replace",
      cell: "x",
      old_text: "x = 1",
      new_text: "x = 3",
    });
    assert.match(result, /^Changed notebooks\/closed\.ipynb, which has 3 cells now\. The user reviews/);
    assert.match(result, /\[cell 2\] code, python, id x\nx = 3\nprint\(x\)$/);
    assert.equal(onDisk("closed.ipynb"), before.replace("x = 1", "x = 3"));
    await changes.reject(at("closed.ipynb"));
    assert.equal(onDisk("closed.ipynb"), before);
  });

  it("keeps what is typed in another cell, in the editor and in the file; a rewind leaves it", async () => {
    put("typed.ipynb", jupyter(cells));
    const notebook = await open("typed.ipynb");
    await type(notebook, 1, "# typed\n");
    assert.match(await read("typed.ipynb"), /# typed\nx = 1/);
    assert.match(await call("search_workspace", { query: "# typed" }), /typed\.ipynb:\d+: # typed/);
    const result = await edit("typed.ipynb", { action: "replace", cell: "3", old_text: "2", new_text: "3" });
    assert.match(result, /Cells that the user had typed and not saved were saved before\./);
    assert.deepEqual(sources(notebook), ["# Title", "# typed\nx = 1\nprint(x)", "y = 3"]);
    assert.equal(notebook.isDirty, false);
    // The editor knows that the outputs are of another source.
    const typed = jupyter(cells)
      .replace('"execution_count": 1', '"execution_count": null')
      .replace('"x = 1\\n"', '"# typed\\n",\n    "x = 1\\n"');
    assert.equal(onDisk("typed.ipynb"), typed.replace("y = 2", "y = 3"));
    assert.equal(changes.fileOf(at("typed.ipynb"))?.hunks.length, 1, "what was typed is not the agent's");
    assert.equal(notebook.cellAt(1).outputs.length, 2, "outputs stay");
    await changes.rewind(made, unasked);
    assert.equal(onDisk("typed.ipynb"), typed);
    await shows(notebook, ["# Title", "# typed\nx = 1\nprint(x)", "y = 2"]);
  });

  it("inserts, deletes and turns cells of an open notebook; a rejection restores a file of another form to the byte", async () => {
    const before = jupyter(cells, 4);
    put("open.ipynb", before);
    const notebook = await open("open.ipynb");
    await read("open.ipynb");
    const result = await edit(
      "open.ipynb",
      { action: "insert_after", cell: "0", kind: "markdown", new_text: "first" },
      { action: "insert_before", cell: "y", new_text: "new = 1" },
      { action: "delete", cell: "1" },
      { action: "replace", cell: "3", kind: "markdown" },
    );
    assert.match(result, /which has 4 cells now/);
    assert.deepEqual(sources(notebook), ["first", "x = 1\nprint(x)", "new = 1", "y = 2"]);
    assert.deepEqual(
      notebook.getCells().map(({ kind }) => kind),
      [1, 2, 2, 1],
    );
    assert.equal(notebook.isDirty, false);
    const written = JSON.parse(onDisk("open.ipynb")) as { cells: typeof cells };
    assert.deepEqual(
      written.cells.map(({ cell_type, source }) => [cell_type, source.join("")]),
      [
        ["markdown", "first"],
        ["code", "x = 1\nprint(x)"],
        ["code", "new = 1"],
        ["markdown", "y = 2"],
      ],
    );
    assert.deepEqual([written.cells[1]?.id, written.cells[1]?.outputs], ["x", cells[1]?.outputs]);
    assert.equal(new Set(written.cells.map(({ id }) => id)).size, 4);
    await changes.reject(at("open.ipynb"));
    assert.equal(onDisk("open.ipynb"), before);
    await shows(notebook, ["# Title", "x = 1\nprint(x)", "y = 2"]);
  });

  it("refuses to reject or rewind over cells that were typed since, and to replace a cell that was typed unread", async () => {
    put("since.ipynb", jupyter(cells));
    const notebook = await open("since.ipynb");
    await edit("since.ipynb", { action: "replace", cell: "3", old_text: "2", new_text: "3" });
    await type(notebook, 0, "typed ");
    const refusal =
      /since\.ipynb was not changed, because it has unsaved changes in an editor that is not a text/;
    await assert.rejects(changes.reject(at("since.ipynb")), refusal);
    await assert.rejects(changes.rewind(made, unasked), refusal);
    await assert.rejects(
      edit("since.ipynb", { action: "replace", cell: "1", new_text: "agent" }),
      /you have not read cell 1 as it is now/,
    );
    await assert.rejects(
      call("edit_file", { path: "notebooks/since.ipynb", edits: [{ old_text: "y = 3", new_text: "y = 4" }] }),
      /Save or revert them there first\. It is a notebook: change its cells with edit_notebook\./,
    );
    assert.equal(notebook.cellAt(0).document.getText(), "typed # Title");
    await read("since.ipynb");
    await edit("since.ipynb", { action: "replace", cell: "1", new_text: "# typed and read" });
    assert.match(onDisk("since.ipynb"), /# typed and read[\s\S]*y = 3/);
  });

  it("changes the cells of an open RPC notebook, and the text of a closed one", async () => {
    const text = "# Blocks\n\n```rpc\neth_blockNumber\n```\n";
    put("open.rpc.md", text);
    assert.equal(`${(await read("open.rpc.md")).replace(/^ *\d+\t/gm, "")}\n`, text);
    await assert.rejects(
      edit("open.rpc.md", { action: "replace", cell: "1", old_text: "# Blocks", new_text: "# B" }),
      /is not open as a notebook, so it has no cells\. Change its text with edit_file/,
    );
    const notebook = await open("open.rpc.md");
    await type(notebook, 0, "Typed. ");
    assert.match(await read("open.rpc.md"), /\[cell 1\] markdown\nTyped\. # Blocks\n\n\[cell 2\] code, /);
    await edit("open.rpc.md", {
      action: "replace",
      cell: "2",
      old_text: "eth_blockNumber",
      new_text: "eth_gasPrice",
    });
    const typed = text.replace("# Blocks", "Typed. # Blocks");
    assert.equal(onDisk("open.rpc.md"), typed.replace("eth_blockNumber", "eth_gasPrice"));
    await changes.rewind(made, unasked);
    assert.equal(onDisk("open.rpc.md"), typed);
  });

  it("writes nothing behind unsaved bytes of a custom editor, and says so", async () => {
    await activateProbe();
    const changed = new vscode.EventEmitter<vscode.CustomDocumentEditEvent>();
    const provider: vscode.CustomEditorProvider = {
      onDidChangeCustomDocument: changed.event,
      openCustomDocument: (uri) => ({ uri, dispose() {} }),
      resolveCustomEditor() {},
      saveCustomDocument: async ({ uri }) => void writeFileSync(uri.fsPath, "saved by the custom editor\n"),
      saveCustomDocumentAs: async () => {},
      revertCustomDocument: async () => {},
      backupCustomDocument: async (_, { destination }) => ({ id: destination.toString(), delete() {} }),
    };
    let document: vscode.CustomDocument | undefined;
    const { openCustomDocument } = provider;
    provider.openCustomDocument = (...given) => {
      document = openCustomDocument.apply(provider, given) as vscode.CustomDocument;
      return document;
    };
    const registered = vscode.window.registerCustomEditorProvider("probe.bytes", provider);
    put("a.bytes", "one\n");
    await vscode.commands.executeCommand("vscode.openWith", at("a.bytes"), "probe.bytes");
    assert.ok(document);
    changed.fire({ document, undo() {}, redo() {} });
    const tab = () => vscode.window.tabGroups.activeTabGroup.activeTab;
    await until(() => tab()?.isDirty === true);
    const refusal =
      /a\.bytes was not changed, because it has unsaved changes in an editor that is not a text editor/;
    const path = "notebooks/a.bytes";
    await assert.rejects(call("edit_file", { path, edits: [{ old_text: "one", new_text: "two" }] }), refusal);
    await assert.rejects(call("write_file", { path, text: "two\n" }), refusal);
    await assert.rejects(call("move_file", { from: path, to: "notebooks/b.bytes" }), refusal);
    await assert.rejects(call("delete_file", { path }), refusal);
    assert.match(
      await read("a.bytes"),
      /^\(notebooks\/a\.bytes has unsaved changes in an editor that is not a text editor/,
    );
    assert.equal(onDisk("a.bytes"), "one\n");
    await vscode.commands.executeCommand("workbench.action.files.save");
    await until(() => tab()?.isDirty === false);
    await call("edit_file", { path, edits: [{ old_text: "saved", new_text: "changed" }] });
    assert.equal(onDisk("a.bytes"), "changed by the custom editor\n");
    registered.dispose();
  });
});
