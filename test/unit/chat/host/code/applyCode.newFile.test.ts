// Code for a file that the workspace does not have: it can be created, after a look at it.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { applyCode as ApplyCode } from "../../../../../src/chat/host/code/applyCode.ts";
import { editor, loadWithEditor } from "../../../changes/editorModel.ts";
import { uriOf } from "../../../changes/seenFiles.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";

const { applyCode } = await loadWithEditor<{ readonly applyCode: typeof ApplyCode }>(
  "src/chat/host/code/applyCode.ts",
);
const { window } = (globalThis as unknown as { readonly editorModel: { readonly window: object } })
  .editorModel;

/** Applies code for this path; resolves to the buttons, and to the new file that was shown after a click on the first. */
async function apply(path: string, text: string, language = "ts", active?: string) {
  const root = join(temporaryFolder(), "work");
  mkdirSync(join(root, "src"), { recursive: true });
  writeFileSync(join(root, "src", "play.ts"), "export const one = 1;\n");
  editor.start(root);
  const buttons: string[] = [];
  Object.assign(window, {
    activeTextEditor: active === undefined ? undefined : { document: editor.open(uriOf(active)) },
    visibleTextEditors: [],
    showInformationMessage: async (_: string, ...offered: readonly string[]) => {
      buttons.push(...offered);
      return offered[0];
    },
  });
  const made: string[] = [];
  const proposals = {
    show: () => assert.fail("an existing file was shown"),
    showNew: async ({ fsPath }: { readonly fsPath: string }, after: string) =>
      void made.push(fsPath.slice(root.length + 1), after),
  };
  const inserted: string[] = [];
  await applyCode(
    { action: "apply", text, language, path },
    proposals as never,
    async (use) => void inserted.push(use.text),
  );
  return { buttons, made, inserted };
}

test("a named file that does not exist is offered first, with its whole path, and shown before it is made", async () => {
  const { buttons, made, inserted } = await apply("test/play.test.ts", "// test/play.test.ts\ntest();\n");
  assert.deepEqual(buttons, ["Create test/play.test.ts", "Insert at Cursor", "Copy"]);
  assert.deepEqual(made, ["test/play.test.ts", "test();\n"]);
  assert.deepEqual(inserted, []);
});

test("a name without a folder is that of a file beside the active one", async () => {
  const { buttons, made } = await apply("play.test.ts", "test();", "ts", "src/play.ts");
  assert.equal(buttons[0], "Create src/play.test.ts");
  assert.deepEqual(made, ["src/play.test.ts", "test();\n"]);
});

test("what is no whole file, or may not be written, is not offered as a new one", async () => {
  for (const [path, text, language] of [
    ["a.ts", "f();\n// ... existing code ...\n", "ts"],
    ["a.ts", "--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-a\n+b\n", "diff"],
    ["a.sh", "npm test", "sh"],
    [".env", "KEY=1", "ini"],
    [".git/config", "x", "ini"],
    ["../a.ts", "f();", "ts"],
  ] as const) {
    const { buttons, made } = await apply(path, text, language);
    assert.deepEqual([buttons[0], made], ["Insert at Cursor", []], path);
  }
});
