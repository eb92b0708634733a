// Cells that an agent changes: an open notebook is changed in its editor and saved, what the user has typed in other cells stays,
// and the way back restores the file to the byte.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as Plan from "../../../../../src/changes/engine/notebooks/cellPlan.ts";
import { createKnownTexts, type KnownTexts } from "../../../../../src/changes/engine/records/knownTexts.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { allTexts } from "../../callTools.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { type Notebook, notebookMoments } from "../../notebookDocument.ts";
import { openChanges } from "../../openChanges.ts";
import { uriOf } from "../../seenFiles.ts";

type CellEdit = Plan.CellEdit;
const { addKnownCells } = await loadWithEditor<typeof Plan>("src/changes/engine/notebooks/cellPlan.ts");
const never = new AbortController().signal;
const unasked = async () => assert.fail("asked");

const jupyter = (sources: readonly string[], space: number | string = 1) => {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    execution_count: index,
    id: `c${index}`,
    metadata: {},
    outputs: [],
    source: source.match(/[^\n]*\n|[^\n]+/g) ?? [],
  }));
  return `${JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, space)}\n`;
};

function openFolder(text = jupyter(["x = 1", "y = 2"])) {
  const [storage, root] = [temporaryFolder(), join(temporaryFolder(), "work")];
  mkdirSync(root);
  editor.start(root);
  const put = (content: string) => writeFileSync(uriOf("a.ipynb").path, content);
  const read = () => readFileSync(uriOf("a.ipynb").path, "utf8");
  put(text);
  const changes = openChanges(`${storage}/blobs`, `${storage}/changes.jsonl`);
  const edit = (edits: readonly CellEdit[], known: KnownTexts = allTexts) =>
    changes.writer.editCells("a.ipynb", edits, never, { known });
  return { put, read, changes, edit };
}

const toThree: CellEdit = { action: "replace", cell: "c1", oldText: "y = 2", newText: "y = 3" };
const sources = (notebook: Notebook) => notebook.getCells().map(({ document }) => document.getText());

test("a closed notebook is changed in its file, and rejected and rewound to the byte", async () => {
  const before = jupyter(["x = 1", "y = 2"], "\t");
  const { read, changes, edit } = openFolder(before);
  await edit([toThree]);
  assert.equal(read(), before.replace("y = 2", "y = 3"));
  assert.equal(changes.fileOf(uriOf("a.ipynb"))?.hunks.length, 1);
  await changes.reject(uriOf("a.ipynb"));
  assert.equal(read(), before);
  const { change } = await edit([{ action: "delete", cell: "1" }]);
  assert.ok(await changes.rewind([change], unasked));
  assert.equal(read(), before);
  changes.dispose();
});

test("typed cells that are not saved and the agent's change both survive, in the editor and in the file", async () => {
  const before = jupyter(["x = 1", "y = 2"]);
  const { read, changes, edit } = openFolder(before);
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  notebook.type(0, "# typed\n");
  const { change, hasSavedTyped, edited, count } = await edit([toThree]);
  assert.deepEqual([hasSavedTyped, count, edited.map(({ index }) => index)], [true, 2, [1]]);
  assert.deepEqual([sources(notebook), notebook.isDirty], [["# typed\nx = 1", "y = 3"], false]);
  const typed = jupyter(["# typed\nx = 1", "y = 2"]);
  assert.equal(read(), typed.replace("y = 2", "y = 3"));
  await changes.rewind([change], unasked);
  assert.equal(read(), typed, "what the user has typed is not the agent's");
  changes.dispose();
});

test("an open notebook is changed by its cells and saved, whatever form its file had, which a rejection restores", async () => {
  const before = jupyter(["x = 1", "y = 2", "z"], 4);
  const { read, changes, edit } = openFolder(before);
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  const kept = notebook.getCells()[2];
  await edit([
    toThree,
    { action: "delete", cell: "1" },
    { action: "insert_after", cell: "c1", newText: "new" },
    { action: "insert_before", cell: "3", kind: "markdown", newText: "# T" },
  ]);
  assert.deepEqual(sources(notebook), ["y = 3", "new", "# T", "z"]);
  assert.equal(notebook.getCells()[3], kept, "a cell that is not touched keeps its outputs");
  assert.equal(read(), notebook.text());
  await edit([{ action: "replace", cell: "3", kind: "code" }]);
  assert.equal(notebook.getCells()[2]?.kind, 2);
  await changes.reject(uriOf("a.ipynb"));
  assert.equal(read(), before);
  editor.settle();
  assert.deepEqual(sources(notebook), ["x = 1", "y = 2", "z"]);
  changes.dispose();
});

test("what the user types while the agent's change is made stays, and a rewind asks before it overwrites it", async () => {
  for (const moment of ["after the change", "in the save"] as const) {
    const { read, changes, edit } = openFolder();
    const notebook = editor.openNotebook(uriOf("a.ipynb"));
    let isTyped = false;
    notebookMoments.at = (now) => {
      if (now === moment && !isTyped) {
        isTyped = true;
        notebook.type(0, "# typed ");
      }
    };
    const { change } = await edit([toThree]);
    notebookMoments.at = () => {};
    assert.deepEqual(sources(notebook), ["# typed x = 1", "y = 3"], moment);
    if (notebook.isDirty) await notebook.save();
    const asked: string[] = [];
    await changes.rewind([change], async (paths) => void asked.push(...paths));
    assert.deepEqual(asked, ["a.ipynb"], moment);
    await changes.reject(uriOf("a.ipynb"));
    assert.equal(
      read(),
      jupyter(["# typed x = 1", "y = 2"]),
      `${moment}: only the agent's lines are rejected`,
    );
    changes.dispose();
  }
});

test("it is refused with nothing written if the typed cells can't be saved, or the file is open as text with unsaved text", async () => {
  const { put, read, changes, edit } = openFolder();
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  notebook.type(0, "typed ");
  const newer = jupyter(["other"]);
  put(newer);
  await assert.rejects(
    edit([toThree]),
    /a\.ipynb was not changed: it has unsaved cells of the user, and they could not be saved/,
  );
  assert.deepEqual([read(), sources(notebook)], [newer, ["typed x = 1", "y = 2"]]);
  put(jupyter(["x = 1", "y = 2"]));
  await notebook.save();
  editor.open(uriOf("a.ipynb")).type(0, 0, " ");
  const now = read();
  await assert.rejects(edit([toThree]), /unsaved changes in a text editor/);
  assert.deepEqual([read(), changes.files], [now, []]);
  changes.dispose();
});

test("a notebook that has yet to read a newer file is changed in the file", async () => {
  const { put, read, changes, edit } = openFolder();
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  put(jupyter(["newer", "y = 2"]));
  await edit([toThree]);
  assert.equal(read(), jupyter(["newer", "y = 3"]));
  editor.settle();
  assert.deepEqual(sources(notebook), ["newer", "y = 3"]);
  changes.dispose();
});

test("a save that fails after the change takes it back", async () => {
  const { put, read, changes, edit } = openFolder();
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  const newer = jupyter(["newer"]);
  notebookMoments.at = (moment) => moment === "after the change" && put(newer);
  await assert.rejects(
    edit([toThree, { action: "delete", cell: "1" }]),
    /could not be saved: its file is newer/,
  );
  assert.deepEqual([read(), sources(notebook), changes.files], [newer, ["x = 1", "y = 2"], []]);
  changes.dispose();
});

test("edits that change nothing save nothing, and a file that is no notebook has no cells", async () => {
  const { read, changes, edit } = openFolder();
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  notebook.type(0, "typed ");
  const { change } = await edit([{ action: "replace", cell: "2", newText: "y = 2" }]);
  assert.deepEqual([change.before, notebook.isDirty], [change.after, true]);
  assert.equal(read(), jupyter(["x = 1", "y = 2"]));
  writeFileSync(uriOf("b.md").path, "text\n");
  await assert.rejects(
    changes.writer.editCells("b.md", [toThree], never),
    /b\.md is not open as a notebook, so it has no cells\. Change its text with edit_file/,
  );
  await assert.rejects(changes.writer.editCells("c.ipynb", [toThree], never), /There is no file c\.ipynb/);
  changes.dispose();
});

test("after its own edits, a model still knows the cells that it has read, whatever their numbers are", async () => {
  const { changes, edit } = openFolder(jupyter(["x = 1", "y = 2"]).replaceAll(/ "id": "c\d",\n/g, ""));
  const known = createKnownTexts()("task");
  const whole = (cell: string, newText: string): CellEdit => ({ action: "replace", cell, newText });
  await assert.rejects(edit([whole("1", "z")], known), /you have not read cell 1/);
  const read = ["x = 1", "y = 2"].map((source) => ({ id: undefined, source }));
  addKnownCells(known, "a.ipynb", read.entries());
  await edit([{ action: "insert_before", cell: "1", newText: "new" }], known);
  await edit([whole("3", "y = 4"), whole("1", "newer")], known);
  await edit([{ action: "delete", cell: "2" }], known);
  await edit([whole("2", "y = 5")], known);
  changes.dispose();
});
