import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { double, replace } from "../../../../vscodeDouble.ts";
import { openBrowser, type TestBrowser } from "../../../../webview/browser.ts";
import { emptyEditor, openChat, openViewWith, serveChat } from "../../../chat.ts";
import { openApp } from "../../../openApp.ts";

replace("workspace", {
  asRelativePath: ({ path }: { readonly path: string }) => path.replace("/work/", ""),
  getWorkspaceFolder: () => double.workspace.workspaceFolders[0],
});
const { createCurrentFile } = await import(
  "../../../../../../src/chat/host/attachments/sources/currentFile.ts"
);

const editorOf = (path: string, scheme = "file") => {
  const uri = { path, scheme, toString: () => `${scheme}://${path}` };
  return { document: { uri } };
};
const look = (t: TestContext, active: unknown, visible: readonly unknown[] = []) =>
  replace("window", { activeTextEditor: active, visibleTextEditors: visible }, t);

test("offers the active file, also behind a tab of ours, but no output and no file that looks secret", (t) => {
  const current = createCurrentFile();
  const file = editorOf("/work/src/a.ts");
  look(t, file, [file]);
  const offered = { uri: "file:///work/src/a.ts", name: "src/a.ts" };
  assert.deepEqual(current.read(), offered);
  look(t, undefined, [file]);
  assert.deepEqual(current.read(), offered);
  look(t, undefined, []);
  assert.equal(current.read(), null);
  for (const editor of [editorOf("/work/.env"), editorOf("/work/id_rsa"), editorOf("/work/x", "output")]) {
    look(t, editor, [editor]);
    assert.equal(current.read(), null, editor.document.uri.path);
  }
});

let browser: TestBrowser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test("one click attaches the active file; the offer returns when it is removed", async (t) => {
  const uri = "file:///work/src/a.ts";
  const editor = {
    ...emptyEditor,
    find: async () => ({ kind: "file" as const, name: "src/a.ts", uri, text: "let a;" }),
  };
  const chat = openChat(t, await serveChat(t), { editor });
  const view = await openViewWith(chat.controller, "echo");
  const { page, errors, close } = await openApp(browser, chat.controller, { width: 260 });
  t.after(close);
  const chip = page.getByRole("button", { name: "Attach the current file, src/a.ts" });
  assert.equal(await chip.count(), 0);
  chat.controller.offerFile({ uri, name: "src/a.ts" });
  await chip.press("Enter");
  await view.until(({ attachments: [one] }) => one?.uri === uri && one.pending === undefined);
  await chip.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Remove src/a.ts" }).click();
  await chip.waitFor();
  chat.controller.offerFile(null);
  await chip.waitFor({ state: "detached" });
  assert.deepEqual(errors, []);
});
