// What trained models send to change a notebook, and the edits that it stands for.
import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../vscodeDouble.ts";

const { createNotebookTool } = await import("../../../../../../src/chat/host/tools/files/notebookTool.ts");
const { acceptanceOf, readCall } = await import("../../../../../../src/chat/host/tools/input/readCall.ts");

const unused = (): never => assert.fail("no tool runs here");
const roots = { folders: [{ name: "app", paths: ["/ws"] }], isWindows: false };
const tool = createNotebookTool(unused, unused, unused);
const tools = [{ ...tool, accept: acceptanceOf(tool, () => roots) }];

function edits(name: string, input: object): unknown {
  const found = readCall(tools, { name, arguments: JSON.stringify(input) });
  if (!found || !("input" in found)) return found?.problem;
  assert.equal(found.input.path, "a.ipynb");
  return found.input.edits;
}

test("Claude Code: one cell, which is replaced unless the mode says otherwise", () => {
  const path = { notebook_path: "/ws/a.ipynb" };
  assert.deepEqual(edits("NotebookEdit", { ...path, cell_id: "x1", new_source: "a" }), [
    { action: "replace", cell: "x1", new_text: "a" },
  ]);
  assert.deepEqual(
    edits("NotebookEdit", {
      ...path,
      cell_id: "x1",
      new_source: "a",
      cell_type: "markdown",
      edit_mode: "insert",
    }),
    [{ action: "insert_after", cell: "x1", new_text: "a", kind: "markdown" }],
  );
  assert.deepEqual(
    edits("NotebookEdit", { ...path, new_source: "a", edit_mode: "insert", cell_type: "code" }),
    [{ action: "insert_after", cell: "0", new_text: "a", kind: "code" }],
  );
  assert.deepEqual(edits("NotebookEdit", { ...path, cell_number: 2, new_source: "", edit_mode: "delete" }), [
    { action: "delete", cell: "2", new_text: "" },
  ]);
});

test("Copilot: lines of code, and a language beside them", () => {
  const input = {
    filePath: "/ws/a.ipynb",
    cellId: "x1",
    editType: "edit",
    newCode: ["a", "b"],
    language: "python",
  };
  assert.deepEqual(edits("edit_notebook_file", input), [{ action: "replace", cell: "x1", new_text: "a\nb" }]);
});

test("our own form, also with a list as text and with other names in it; what is not known is refused", () => {
  const list = [{ cell: 1, old_string: "a", new_string: "b" }];
  const read = [{ action: "replace", cell: "1", old_text: "a", new_text: "b" }];
  assert.deepEqual(edits("edit_notebook", { path: "a.ipynb", edits: list }), read);
  assert.deepEqual(edits("edit_notebook", { path: "./a.ipynb", edits: JSON.stringify(list) }), read);
  assert.match(
    String(edits("edit_notebook", { path: "a.ipynb", edits: [{ cell: "1", action: "move" }] })),
    /action/,
  );
  assert.match(
    String(edits("edit_notebook", { path: "a.ipynb", edits: list, cell: "2" })),
    /cell is not known/,
  );
  assert.match(String(edits("edit_notebook", { path: "a.ipynb" })), /edits/);
});
