// What a model reads of a notebook: its cells with short text outputs.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type * as Plan from "../../../../../src/changes/engine/notebooks/cellPlan.ts";
import type * as Text from "../../../../../src/changes/engine/notebooks/notebookText.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { editor, loadWithEditor } from "../../editorModel.ts";
import { uriOf } from "../../seenFiles.ts";

const { shownCell, notebookText } = await loadWithEditor<typeof Text>(
  "src/changes/engine/notebooks/notebookText.ts",
);

const shownOutputs = (...outputs: readonly Plan.CellOutput[]) =>
  shownCell({ id: undefined, kind: "code", language: "python", source: "x", outputs }, 0);
const text = (given: string) => ({ mime: "text/plain", text: given });

test("outputs are short: lines and characters are counted, pictures are named, and colours are left out", () => {
  const title = "[cell 1] code, python\nx";
  assert.equal(shownOutputs(), title);
  const long = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  assert.ok(shownOutputs(text(long)).endsWith("line 29\n(70 more lines)"));
  assert.equal(shownOutputs(text("y".repeat(10_000))), `${title}\n[output of cell 1]\n${"y".repeat(3_000)}…`);
  assert.equal(
    shownOutputs(text("\u001b[31mred\u001b[0m\n"), { mime: "image/png", text: undefined }, text("end\n\n")),
    `${title}\n[output of cell 1]\nred\nend\n(image/png)`,
  );
  assert.equal(
    shownOutputs({ mime: "text/html", text: undefined }, text("a")),
    `${title}\n[output of cell 1]\na`,
  );
});

test("a notebook is read as its editor shows it, else as its file; what is no notebook has no cells", async () => {
  const root = join(temporaryFolder(), "work");
  mkdirSync(root);
  editor.start(root);
  const cells = [{ cell_type: "markdown", metadata: {}, source: ["# T"] }];
  const file = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
  writeFileSync(uriOf("a.ipynb").path, file);
  const read = (path = "a.ipynb", bytes = file) =>
    notebookText(uriOf(path), path, async () => Buffer.from(bytes));
  const shown =
    "a.ipynb is a notebook with 1 cell. Change them with edit_notebook.\n\n[cell 1] markdown\n# T";
  assert.equal(await read(), shown);
  const notebook = editor.openNotebook(uriOf("a.ipynb"));
  notebook.type(0, "typed ");
  assert.equal(await read(), shown.replace("# T", "typed # T"));
  editor.closeNotebook(notebook);
  for (const broken of ["", "{", "[]"]) assert.equal(await read("a.ipynb", broken), undefined, broken);
  assert.equal(await read("a.md", "# T"), undefined);
  editor.open(uriOf("a.ipynb")).type(0, 0, " ");
  assert.equal(await read(), undefined, "the text of a text editor is read as text");
});
