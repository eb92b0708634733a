// The file of a closed notebook: its cells are read and changed, and whatever is not a touched cell keeps its bytes.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type * as Plan from "../../../../../src/changes/engine/notebooks/cellPlan.ts";
import type * as NotebookJson from "../../../../../src/changes/engine/notebooks/notebookJson.ts";
import { loadWithEditor } from "../../editorModel.ts";

const { parseNotebook } = await loadWithEditor<typeof NotebookJson>(
  "src/changes/engine/notebooks/notebookJson.ts",
);
const { planCells } = await loadWithEditor<typeof Plan>("src/changes/engine/notebooks/cellPlan.ts");
const all = { has: () => true, add() {} };

const cells = [
  { cell_type: "markdown", id: "a1", metadata: {}, source: ["# Title\n", "text"] },
  {
    cell_type: "code",
    execution_count: 3,
    id: "b2",
    metadata: { tags: ["keep"] },
    outputs: [{ output_type: "stream", name: "stdout", text: ["1\n", "2\n"] }],
    source: ["x = 1\n", "y = 2"],
  },
  { cell_type: "raw", id: "c3", metadata: {}, source: "one text" },
];
const notebook = (some: unknown = cells) => ({
  cells: some,
  metadata: { language_info: { name: "python" }, other: "kept as it is" },
  nbformat: 4,
  nbformat_minor: 5,
});
/** Forms in which programs write notebooks. */
const forms: Readonly<Record<string, (value: unknown) => string>> = {
  "one space, as Jupyter": (value) => `${JSON.stringify(value, undefined, 1)}\n`,
  "four spaces, CR LF and no last line break": (value) =>
    JSON.stringify(value, undefined, 4).replaceAll("\n", "\r\n"),
  tabs: (value) => `${JSON.stringify(value, undefined, "\t")}\n`,
  "one line": (value) => JSON.stringify(value),
};

const edited = (text: string, ...edits: readonly Plan.CellEdit[]) => {
  const { cells: found, withCells } = parseNotebook("a.ipynb", text);
  return withCells(planCells("a.ipynb", found, edits, all));
};

test("an edit changes the source of its cell and no other byte", () => {
  for (const write of Object.values(forms)) {
    const text = write(notebook());
    const now = edited(text, { action: "replace", cell: "b2", oldText: "y = 2", newText: "y = 3\nz = 4" });
    const source = ["x = 1\n", "y = 3\n", "z = 4"];
    assert.equal(now, write(notebook(cells.map((cell) => (cell.id === "b2" ? { ...cell, source } : cell)))));
    assert.equal(edited(now, { action: "replace", cell: "2", newText: "x = 1\ny = 2" }), text, "and back");
    const raw = edited(text, { action: "replace", cell: "3", newText: "a\nb" });
    assert.equal(raw, text.replace("one text", "a\\nb"), "a source that is one text stays one");
  }
});

for (const [name, write] of Object.entries(forms))
  test(`cells are inserted and deleted in the form of the file: ${name}`, () => {
    const text = write(notebook());
    const added = edited(
      text,
      { action: "insert_after", cell: "0", kind: "markdown", newText: "first" },
      { action: "insert_before", cell: "2", newText: "new = 1" },
      { action: "insert_after", cell: "c3", newText: "last = 1" },
    );
    const found = JSON.parse(added) as ReturnType<typeof notebook>;
    const ids = (found.cells as typeof cells).map(({ id }) => id);
    assert.deepEqual([ids[1], ids[3], ids[4]], ["a1", "b2", "c3"]);
    assert.equal(new Set(ids).size, 6);
    assert.match(ids[0] ?? "", /^[0-9a-f]{8}$/);
    assert.equal(added, write(found), "as the whole would be written");
    const numbers = ["1", "3", "6"].map((cell) => ({ action: "delete" as const, cell }));
    assert.equal(edited(added, ...numbers), text, "deleting them gives the former bytes");
    assert.equal(
      edited(text, ...["1", "2", "3"].map((cell) => ({ action: "delete" as const, cell }))),
      write(notebook([])).replace(/\[\s*\]/, "[]"),
    );
  });

test("an empty notebook gets its first cell", () => {
  for (const write of Object.values(forms)) {
    const now = edited(write(notebook([])), { action: "insert_after", cell: "0", newText: "x = 1" });
    assert.equal(now, write(JSON.parse(now)));
  }
});

test("a cell of another kind has the members of its kind", () => {
  const text = forms["one line"]?.(notebook()) ?? "";
  const turned = JSON.parse(
    edited(
      text,
      { action: "replace", cell: "2", kind: "markdown" },
      { action: "replace", cell: "1", kind: "code" },
    ),
  ) as ReturnType<typeof notebook>;
  assert.deepEqual((turned.cells as unknown[]).slice(0, 2), [
    {
      cell_type: "code",
      execution_count: null,
      id: "a1",
      metadata: {},
      outputs: [],
      source: ["# Title\n", "text"],
    },
    { cell_type: "markdown", id: "b2", metadata: { tags: ["keep"] }, source: ["x = 1\n", "y = 2"] },
  ]);
});

test("a notebook without ids gets none, and one of an old format is refused", () => {
  const old = { ...notebook(cells.map(({ id: _, ...cell }) => cell)), nbformat_minor: 4 };
  const now = JSON.parse(edited(JSON.stringify(old), { action: "insert_after", cell: "1", newText: "x" }));
  assert.deepEqual(Object.keys(now.cells[1]), [
    "cell_type",
    "execution_count",
    "metadata",
    "outputs",
    "source",
  ]);
  for (const text of ["", "[]", "{}", '{"cells": [1]}', '{"worksheets": [], "nbformat": 3}', '{"cells": [}'])
    assert.throws(() => parseNotebook("a.ipynb", text), /a\.ipynb is no Jupyter notebook of format 4/, text);
});

test("outputs are texts where they have one", () => {
  const outputs = [
    { output_type: "stream", name: "stdout", text: "out\n" },
    { output_type: "execute_result", data: { "text/plain": ["a", "b"], "image/png": "AAAA" } },
    { output_type: "error", ename: "NameError", evalue: "x", traceback: [] },
  ];
  const { cells: found } = parseNotebook("a.ipynb", JSON.stringify(notebook([{ ...cells[1], outputs }])));
  assert.deepEqual(found[0]?.outputs, [
    { mime: "text/plain", text: "out\n" },
    { mime: "text/plain", text: "ab" },
    { mime: "image/png", text: undefined },
    { mime: "error", text: "NameError: x" },
  ]);
});

const source = fc.constantFrom("", "a", "a\nb\n", 'quoted "text" \\ and é', "\n");
const kind = fc.constantFrom<Plan.CellKind>("code", "markdown", "raw");
const anyEdit = fc.record({
  action: fc.constantFrom<Plan.CellAction>("replace", "insert_before", "insert_after", "delete"),
  cell: fc.constantFrom("1", "2", "3"),
  newText: source,
  kind: fc.option(kind, { nil: undefined }),
});

test("any edits give the planned cells, and cells that are not touched keep their text", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(forms)),
      fc.uniqueArray(anyEdit, { selector: ({ cell }) => cell, maxLength: 3 }),
      (write, edits) => {
        const text = write(notebook());
        const { cells: found, withCells } = parseNotebook("a.ipynb", text);
        const plan = planCells("a.ipynb", found, edits, all);
        const now = withCells(plan);
        const shape = ({ kind, source }: { kind: string; source: string }) => ({ kind, source });
        assert.deepEqual(parseNotebook("a.ipynb", now).cells.map(shape), plan.map(shape));
        assert.equal(now.includes("\r\n"), text.includes("\r\n"));
        for (const { from, isEdited } of plan)
          if (from !== undefined && !isEdited)
            assert.ok(now.includes(write(cells[from]).trim().split(/\r?\n/)[1] ?? ""));
      },
    ),
  );
});
