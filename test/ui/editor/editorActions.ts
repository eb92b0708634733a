import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import type { Workbench } from "../workbench.ts";

/** Tests with the sandbox's guide, in a folder after `commitAll`. */
export function actionTests(opened: () => Workbench): void {
  let workbench: Workbench;
  before(async () => {
    workbench = opened();
    await workbench.openSideBar();
    await prompt().waitFor();
    await openFile("hello.ts");
    await editor().getByText("function").first().waitFor();
  });

  const editor = () => workbench.page.locator(".editor-instance .monaco-editor").last();
  const diff = () => workbench.page.locator(".monaco-diff-editor");
  const title = () => workbench.page.locator(".editor-group-container .title");
  const prompt = () => workbench.webview().getByRole("textbox", { name: "Your question" });
  const openFile = async (name: string) => {
    await workbench.runCommand("Go to File...");
    await workbench.page.locator(".quick-input-widget input.input").fill(name);
    await workbench.pick(name);
  };
  const selectFunction = async () => {
    await editor().getByText("Hello,").first().click();
    await workbench.page.keyboard.press("Control+Home");
    await workbench.page.keyboard.press("Control+Shift+End");
  };

  it("are in one submenu of the context menu", async () => {
    await selectFunction();
    await editor().getByText("greet").first().click({ button: "right" });
    const menu = workbench.page.locator(".monaco-menu");
    await menu.getByRole("menuitem", { name: "Inference" }).first().hover();
    await menu.getByRole("menuitem", { name: "Write Tests" }).waitFor();
    await workbench.screenshot("editor-menu");
    await workbench.page.keyboard.press("Escape");
    await workbench.page.keyboard.press("Escape");
  });

  it("show an edit as a diff that one key accepts and one key undoes", async () => {
    await selectFunction();
    await workbench.runCommand("Inference Editor: Edit…");
    await workbench.enter("Describe the change of line", "Rename greet to welcome");
    await diff().getByText("welcome").nth(1).waitFor();
    await title()
      .getByRole("button", { name: /^Accept/ })
      .waitFor();
    await workbench.notifications.getByText("Edit by Guide is ready").waitFor();
    await workbench.screenshot("editor-edit");
    await workbench.page.keyboard.press("Control+Enter");
    await diff().waitFor({ state: "detached" });
    await editor().getByText("welcome").first().waitFor();
    await workbench.page.keyboard.press("Control+z");
    await editor().getByText("greet").first().waitFor();
    assert.equal(await editor().getByText("welcome").count(), 0);
  });

  it("leave the file unchanged when Escape closes the diff", async () => {
    await selectFunction();
    await workbench.runCommand("Inference Editor: Write Documentation");
    await diff().getByText("@param").first().waitFor();
    await title()
      .getByRole("button", { name: /^Accept/ })
      .waitFor();
    await workbench.screenshot("editor-document");
    await diff().getByText("@param").first().click();
    await workbench.page.keyboard.press("Escape");
    await diff().waitFor({ state: "detached" });
    assert.equal(await editor().getByText("@param").count(), 0);
  });

  it("pass a question to the chat: sent at once, or put into the box", async () => {
    await selectFunction();
    await workbench.runCommand("Inference Editor: Explain");
    await workbench.webview().locator(".answer").first().waitFor();
    await workbench.webview().locator(".answer footer").first().waitFor();
    await workbench.webview().locator(".answer").getByText("returns a greeting").waitFor();
    await workbench.screenshot("editor-explain");
    await selectFunction();
    await workbench.runCommand("Inference Editor: Ask About Selection…");
    await workbench.webview().locator("textarea:focus").waitFor();
    await workbench.page.keyboard.type("What is this for?");
    assert.match(await prompt().inputValue(), /What is this for\?$/);
    await workbench.screenshot("editor-ask");
  });

  it("write the message of a commit", async () => {
    const tabs = workbench.page.locator('.part.activitybar [role="tab"]');
    await tabs.filter({ has: workbench.page.locator('a[aria-label^="Source Control"]') }).click();
    const bar = workbench.page.locator(".part.sidebar");
    await bar.getByRole("button", { name: "Write Commit Message" }).click();
    await bar.locator(".scm-editor").getByText("Change notes.md").waitFor();
    await workbench.notifications.getByText("tokens in").last().waitFor();
    await workbench.screenshot("editor-commit");
  });
}

/** Makes the folder a git repository with one staged change. */
export function commitAll(folder: string): void {
  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args]);
  git("init", "--quiet");
  git("config", "user.email", "test@example.com");
  git("config", "user.name", "Test");
  git("add", ".");
  git("commit", "--quiet", "-m", "Begin");
  appendFileSync(join(folder, "notes.md"), "\nOne line more.\n");
  git("add", ".");
}
