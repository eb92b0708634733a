import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { double, replace } from "../../../vscodeDouble.ts";

const { useCode } = await import("../../../../../src/chat/host/code/codeActions.ts");
const { LastEditor } = await import("../../../../../src/platform/editor/lastEditor.ts");

const event = () => ({ dispose() {} });
const code = { action: "insert", text: "b", language: "ts" } as const;
const proposals = {} as never;

/** A file with one selected character in the second group. A page covers it after `cover`. */
function openFile(t: TestContext) {
  const uri = double.Uri.file("/work/a.ts");
  const document = { uri, eol: 1, isClosed: false, offsetAt: Number, positionAt: (offset: number) => offset };
  const selection = { start: 3, end: 4 };
  const editor = { document, selections: [selection], viewColumn: 2 };
  const tabs = [{ input: new double.TabInputText(uri) }];
  const events = {
    onDidChangeActiveTextEditor: event,
    onDidChangeTextEditorSelection: event,
    tabGroups: { all: [{ viewColumn: 2, tabs }] },
  };
  replace("window", { ...events, activeTextEditor: editor, visibleTextEditors: [editor] }, t);
  const lastEditor = new LastEditor();
  t.after(() => lastEditor.dispose());
  const shown: unknown[][] = [];
  const cover = () =>
    replace(
      "window",
      {
        activeTextEditor: undefined,
        visibleTextEditors: [],
        showTextDocument: async (...opened: readonly unknown[]) => {
          shown.push([...opened]);
          return {};
        },
      },
      t,
    );
  return { uri, document, selection, lastEditor, shown, cover, tabs };
}

test("code is inserted into the file that a page covers, in its own group and in place of the selection", async (t) => {
  const { uri, document, selection, lastEditor, shown, cover } = openFile(t);
  const applied: { readonly replaced: readonly unknown[] }[] = [];
  replace(
    "workspace",
    {
      notebookDocuments: [],
      openTextDocument: () => assert.fail("a new document was opened"),
      applyEdit: async (edit: (typeof applied)[number]) => applied.push(edit) > 0,
    },
    t,
  );
  cover();
  await useCode(code, { proposals, lastEditor });
  assert.deepEqual(
    applied.map(({ replaced }) => replaced),
    [[[uri, selection, "b"]]],
  );
  const cursor = new double.Selection(4, 4);
  assert.deepEqual(shown, [[document, { preview: false, viewColumn: 2, selection: cursor }]]);
});

test("code becomes a new document once the file is closed", async (t) => {
  const { lastEditor, shown, cover, tabs } = openFile(t);
  const openTextDocument = async (made: unknown) => made;
  replace("workspace", { openTextDocument, applyEdit: () => assert.fail("a document was changed") }, t);
  cover();
  tabs.pop();
  await useCode(code, { proposals, lastEditor });
  assert.deepEqual(shown, [[{ content: "b", language: "typescript" }]]);
});
