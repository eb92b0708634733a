import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import type { Workbench } from "../workbench.ts";

/** Tests with the sandbox. The editor's chat is open at their end. */
export function nativeChatTests(opened: () => Workbench): void {
  let workbench: Workbench;
  before(() => {
    workbench = opened();
  });

  const row = (text: string) =>
    workbench.page.locator(".quick-input-list .monaco-list-row").filter({ hasText: text }).first();

  it("is prepared by a step in the list of connections, after a question", async () => {
    const { page } = workbench;
    await workbench.runCommand("Inference Connection: Switch Service…");
    await row("Extensions That Use the Models").waitFor();
    await workbench.screenshot("native-chat-connections");
    await row("Use These Models in VS Code's Chat").click();
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText("Use these models in VS Code's chat?").waitFor();
    await workbench.screenshot("native-chat-question");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await page.locator(".models-widget, .ai-models-management-editor").first().waitFor();
    await workbench.screenshot("native-chat-models");
    const settings = readFileSync(join(workbench.profile.userData, "User", "settings.json"), "utf8");
    await workbench.notifications.getByText("VS Code's chat is ready.").waitFor();
    await workbench.screenshot("native-chat-ready");
    assert.match(settings, /"chat\.byokUtilityModelDefault": "mainAgent"/);
  });

  it("answers with a model of the sandbox, and the list of costs names it", async () => {
    const { page } = workbench;
    await page.keyboard.press("Escape");
    await page.locator(".models-widget, .ai-models-management-editor").first().waitFor({ state: "hidden" });
    await workbench.notifications.getByRole("button", { name: "Open Chat" }).click();
    const input = page.locator(".interactive-session .interactive-input-part .native-edit-context").first();
    await input.waitFor();
    await workbench.screenshot("native-chat-open");
    await input.focus();
    await page.keyboard.type("How do I choose a model?");
    await page.keyboard.press("Enter");
    const answer = page.locator(".interactive-response .rendered-markdown").filter({ hasText: "picker" });
    await answer.first().waitFor();
    // Its cost is known at its end.
    await page.locator(".interactive-response.chat-response-loading").waitFor({ state: "detached" });
    await workbench.screenshot("native-chat-answer");
    await workbench.runCommand("Inference Account: Why Did This Cost?");
    await row("VS Code chat").waitFor();
    await workbench.screenshot("native-chat-why");
    await page.keyboard.press("Escape");
  });
}
