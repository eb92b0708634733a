// The configuration of another agent is written after its comparison was read, and taken back to the byte.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import type { ChatWindow } from "../chat/openChat.ts";
import type { Workbench } from "../workbench.ts";

const title = "Inference Gateway: Use with Other Agents…";
const own = [
  "# My own settings. Keep this line.",
  'model = "gpt-5-codex"   # the model of my plan',
  'approval_policy = "on-request"',
  "",
  "[mcp_servers.files]",
  'command = "npx"   # mine',
  "",
].join("\r\n");

/** After the gateway was turned on. */
export function otherAgentConfigTests(window: ChatWindow): void {
  let workbench: Workbench;
  let file: string;
  before(() => {
    ({ workbench } = window);
    const { home } = workbench.profile;
    file = join(home, ".codex/config.toml");
    for (const folder of [".codex", ".local/bin"]) mkdirSync(join(home, folder), { recursive: true });
    writeFileSync(file, own);
    writeFileSync(join(home, ".local/bin/codex"), "exit 1\n", { mode: 0o755 });
  });

  const tab = () => workbench.page.locator(".tab", { hasText: "config.toml: Now" });
  /** Its keys work once its text is there. */
  const compared = async () => {
    await tab().waitFor();
    await workbench.page.getByRole("button", { name: "Apply Change" }).waitFor();
    const lines = workbench.page.locator(".editor.modified .view-line", { hasText: "approval_policy" });
    await lines.first().waitFor();
  };
  const text = () => readFileSync(file, "utf8");
  const open = async (action: string) => {
    await workbench.runCommand(title);
    await workbench.pick("Codex");
    await workbench.pick(action);
  };
  const compareWrite = async () => {
    await open("Write Its Configuration…");
    await workbench.page.locator(".quick-input-title", { hasText: /^Model$/ }).waitFor();
    await workbench.page.keyboard.press("Enter");
    await compared();
  };
  const ended = () => tab().waitFor({ state: "detached" });

  it("is compared first, and nothing lies over what is replaced", async () => {
    await compareWrite();
    await workbench.notifications.getByText("Choose above the comparison").first().waitFor();
    const replaced = workbench.page
      .locator(".editor.original .view-line", { hasText: "gpt-5-codex" })
      .first();
    // A click waits until no other element would take it.
    await replaced.click({ trial: true });
    await workbench.screenshot("other-agents-comparison");
    assert.equal(text(), own);
  });

  it("is left as it is by Escape, and when the comparison is closed", async () => {
    await workbench.page.keyboard.press("Escape");
    await ended();
    await compareWrite();
    await tab().locator(".tab-actions .action-label").click();
    await ended();
    await workbench.runCommand(title);
    await workbench.pick("Codex");
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Write Its Configuration" })
      .waitFor();
    assert.equal(
      await workbench.page.locator(".quick-input-list", { hasText: "Take Its Configuration Back" }).count(),
      0,
    );
    await workbench.page.keyboard.press("Escape");
    assert.equal(text(), own);
  });

  it("is written by Apply Change, beside what the user has", async () => {
    await compareWrite();
    await workbench.page.getByRole("button", { name: "Apply Change" }).click();
    await ended();
    await workbench.notifications.getByText("Codex uses the gateway wherever it runs").first().waitFor();
    assert.match(text(), /model_provider = "inference-workbench"\r\n/);
    assert.match(text(), /^# My own settings. Keep this line.\r\n/);
    assert.doesNotMatch(text(), /gpt-5-codex/);
  });

  it("is taken back to the byte by the keyboard", async () => {
    await open("Take Its Configuration Back…");
    await compared();
    await workbench.screenshot("other-agents-take-back");
    await workbench.page.keyboard.press("Control+Enter");
    await ended();
    await workbench.notifications.getByText("has again what it had before").first().waitFor();
    assert.equal(text(), own);
  });

  it("is listed with a program that is not on PATH", async () => {
    await workbench.runCommand(title);
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: /Codex.*\.local\/bin\/codex/ })
      .waitFor();
    await workbench.screenshot("other-agents-found");
    await workbench.page.keyboard.press("Escape");
    // Only the agent of the tests beside these has a token.
    await workbench.runCommand(title);
    await workbench.pick("Codex");
    // The list is longer than its box, which has only the rows that are shown.
    await workbench.page
      .locator(".quick-input-list .monaco-list-row", { hasText: "Copy the Token" })
      .waitFor();
    await workbench.page.keyboard.type("Revoke");
    await workbench.pick("Revoke…");
    await workbench.page.getByRole("button", { name: "Revoke" }).click();
    await workbench.page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
  });
}
