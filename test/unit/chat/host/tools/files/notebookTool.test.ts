// The tool that changes cells: what it accepts, and what a model learns from its results.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as NotebookText from "../../../../../../src/changes/engine/notebooks/notebookText.ts";
import { createKnownTexts } from "../../../../../../src/changes/engine/records/knownTexts.ts";
import type * as Tool from "../../../../../../src/chat/host/tools/files/notebookTool.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { editor, loadWithEditor } from "../../../../changes/editorModel.ts";
import { openChanges } from "../../../../changes/openChanges.ts";
import { uriOf } from "../../../../changes/seenFiles.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";

const { shownCells } = await loadWithEditor<typeof NotebookText>(
  "src/changes/engine/notebooks/notebookText.ts",
);
const { createNotebookTool, withNotebookHint, addReadCells } = await loadWithEditor<typeof Tool>(
  "src/chat/host/tools/files/notebookTool.ts",
);

const cell = (source: string) => ({
  cell_type: "code",
  execution_count: null,
  metadata: {},
  outputs: [],
  source: [source],
});

function openTool() {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  mkdirSync(root);
  editor.start(root);
  const content = { cells: [cell("x = 1"), cell("y = 2")], metadata: {}, nbformat: 4, nbformat_minor: 4 };
  writeFileSync(uriOf("a.ipynb").path, JSON.stringify(content));
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const known = createKnownTexts()("task");
  const ran: string[] = [];
  const tool = createNotebookTool(
    async () => changes.writer,
    () => known,
    () => ran.push("run"),
  );
  const made: unknown[] = [];
  const call = (one: ChatTool, input: object) =>
    one.run?.({ ...input }, new AbortController().signal, {
      source: { kind: "chat" },
      results: { find: async () => "", maxTokens: 8000, addPicture: async () => {} },
      changed: (all) => void made.push(...all),
      planned() {},
      written() {},
      began() {},
    }) ?? assert.fail();
  const edit = (...edits: readonly object[]) => call(tool, { path: "a.ipynb", edits });
  const sources = () => {
    const { cells } = JSON.parse(readFileSync(uriOf("a.ipynb").path, "utf8")) as typeof content;
    return cells.map(({ source }) => source.join(""));
  };
  return { tool, call, edit, sources, made, known, ran, changes };
}

test("an edit shows the cells as they are now, and an edit that changes nothing says so", async () => {
  const { edit, sources, made, changes, ran } = openTool();
  assert.equal(
    await edit(
      { action: "replace", cell: "1", old_text: "1", new_text: "3" },
      { action: "insert_after", cell: "2", new_text: "z" },
    ),
    `Changed a.ipynb, which has 3 cells now. The user reviews the change and can reject it.

[cell 1] code, python
x = 3

[cell 3] code, python
z`,
  );
  assert.deepEqual([sources(), made.length, ran], [["x = 3", "y = 2", "z"], 1, []]);
  assert.equal(
    await edit({ action: "replace", cell: "1", new_text: "x = 3" }),
    "a.ipynb has these cells already.",
  );
  const long = Array.from({ length: 60 }, (_, index) => `a${index} = 1`).join("\n");
  assert.ok(
    (await edit({ action: "insert_after", cell: "0", new_text: long })).endsWith(
      "\n… (the rest of the cell is as it was written)",
    ),
  );
  changes.dispose();
});

test("the summary counts cells, and a notebook in a folder with code of others asks", () => {
  const { tool, changes } = openTool();
  assert.equal(tool.summary({ path: "a.ipynb", edits: [{}] }), "Edit a cell of a.ipynb");
  assert.equal(tool.summary({ path: "a.ipynb", edits: [{}, {}] }), "Edit 2 cells of a.ipynb");
  assert.equal(tool.question?.({ path: "a.ipynb" }), undefined);
  assert.match(tool.question?.({ path: "node_modules/a.ipynb" }) ?? "", /node_modules/);
  changes.dispose();
});

test("a text tool names edit_notebook for a notebook only, and a reader of a notebook knows its cells", async () => {
  const { call, edit, known, changes } = openTool();
  const failing = async () => {
    await changes.writer.edit("none.ipynb", [{ oldText: "a", newText: "b" }], new AbortController().signal);
    return "";
  };
  const read: ChatTool = {
    kind: "read",
    name: "read_file",
    title: "",
    description: "",
    parameters: {},
    origin: "built-in",
    fingerprint: async () => "",
    summary: () => "",
    run: async () => "text",
  };
  const hinted = withNotebookHint({ ...read, run: failing });
  await assert.rejects(
    call(hinted, { path: "none.ipynb" }),
    /It is a notebook: change its cells with edit_notebook\.$/,
  );
  await assert.rejects(call(hinted, { path: "a.txt" }), /Write it with write_file\.$/);
  const whole = { action: "replace", cell: "2", new_text: "z" };
  await assert.rejects(edit(whole), /you have not read cell 2/);
  const cells = [{ id: undefined, kind: "code", language: "", source: "y = 2", outputs: [] }] as const;
  const both = async () => [...cells, ...cells];
  await addReadCells("a.ipynb", shownCells("a.ipynb", cells), both, known);
  await assert.rejects(edit(whole), /you have not read cell 2/, "it was read before a cell was added");
  await addReadCells("a.ipynb", shownCells("a.ipynb", await both()), both, known);
  await edit(whole);
  changes.dispose();
});
