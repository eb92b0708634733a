// Which cells the edits of a call name, and which of them are refused.
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as Plan from "../../../../../src/changes/engine/notebooks/cellPlan.ts";
import { createKnownTexts } from "../../../../../src/changes/engine/records/knownTexts.ts";
import { loadWithEditor } from "../../editorModel.ts";

const { planCells, addKnownCells } = await loadWithEditor<typeof Plan>(
  "src/changes/engine/notebooks/cellPlan.ts",
);

const cell = (source: string, id?: string, kind: Plan.CellKind = "code"): Plan.NotebookCell => ({
  id,
  kind,
  language: kind === "code" ? "julia" : kind,
  source,
  outputs: [],
});
const cells = [cell("# T", "2", "markdown"), cell("x = 1", "b"), cell("")];
const knownTo = createKnownTexts();
const [known, stranger] = [knownTo("task"), knownTo("other")];
addKnownCells(known, "n", cells.entries());

const plan = (edits: readonly Partial<Plan.CellEdit>[], by = known, all = cells) =>
  planCells(
    "n",
    all,
    edits.map((edit) => ({ action: "replace", cell: "1", ...edit })),
    by,
  ).map(({ kind, source }) => (kind === "code" ? source : `${kind}: ${source}`));

test("a cell is named by its id, else by its number before all edits", () => {
  assert.deepEqual(
    plan([{ cell: "2", newText: "# U" }]),
    ["markdown: # U", "x = 1", ""],
    "an id comes first",
  );
  assert.deepEqual(
    plan([
      { cell: "1", action: "delete" },
      { cell: "3", newText: "y" },
    ]),
    ["x = 1", "y"],
  );
  assert.deepEqual(
    plan([
      { action: "insert_after", cell: "b", newText: "one" },
      { action: "insert_after", cell: "b", newText: "two" },
      { action: "insert_before", cell: "b", newText: "zero", kind: "raw" },
      { action: "insert_after", cell: "0", newText: "start" },
    ]),
    ["start", "markdown: # T", "raw: zero", "x = 1", "one", "two", ""],
  );
  for (const name of ["0", "4", "x", ""])
    assert.throws(() => plan([{ cell: name, newText: "y" }]), /there is no cell .*It has the cells 1 to 3/);
  assert.throws(() => plan([{ newText: "y" }], known, []), /It has no cells/);
});

test("edits of one cell follow each other, and a deleted one can't be edited", () => {
  const edits = [
    { cell: "b", newText: "a\nb" },
    { cell: "b", oldText: "b", newText: "c" },
  ];
  assert.deepEqual(plan(edits)[1], "a\nc");
  assert.throws(
    () =>
      plan([
        { cell: "b", action: "delete" },
        { cell: "b", newText: "x" },
      ]),
    /Edit 2 of n was not changed: cell b is deleted by another edit/,
  );
});

test("a part of a cell must be in it exactly and once", () => {
  assert.deepEqual(
    plan([{ cell: "b", oldText: "1", newText: "2" }], stranger)[1],
    "x = 2",
    "needs no reading",
  );
  assert.throws(
    () => plan([{ cell: "b", oldText: "3", newText: "2" }]),
    /^Error: Cell b of n was not changed: old_text was not found/,
  );
  assert.throws(() => plan([{ cell: "b", oldText: "3" }]), /new_text is missing/);
  assert.throws(() => plan([{ cell: "b" }]), /new_text is missing/);
});

test("a whole cell is replaced or deleted only if the model has read it as it is, under this number", () => {
  const moved = [cell("typed", "new"), ...cells];
  for (const edit of [{ action: "delete" as const }, { newText: "y" }]) {
    assert.throws(
      () => plan([{ cell: "1", ...edit }], known, moved),
      /you have not read cell 1 as it is now/,
    );
    assert.throws(() => plan([{ cell: "b", ...edit }], stranger), /you have not read cell b/);
    assert.throws(() => plan([{ cell: "b", ...edit }], known, [cell("x = 1 # typed", "b")]), /as a whole/);
  }
  assert.deepEqual(plan([{ cell: "b", newText: "x = 1" }], stranger)[1], "x = 1", "nothing is lost");
  assert.deepEqual(plan([{ cell: "3", newText: "y" }], stranger)[2], "y", "an empty one needs no reading");
});

test("a comment that stands for code is not written in its place", () => {
  const long = [cell("def f():\n    a()\n    b()\n    c()\n", "b")];
  addKnownCells(known, "n", long.entries());
  assert.throws(
    () => plan([{ cell: "b", newText: "def f():\n    # ... existing code ...\n" }], known, long),
    /line 2 of cell b would stand for text/,
  );
});
