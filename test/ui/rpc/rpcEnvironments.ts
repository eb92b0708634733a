// Environments of RPC notebooks: chosen, completed, shown, opened; secrets in their files are marked.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, it } from "node:test";
import { applyQuickFix } from "../window.ts";
import type { Workbench } from "../workbench.ts";
import type { RpcWindow } from "./rpcWindow.ts";

const address = "0x00000000000000000000000000000000000000aa";
const cell = (...lines: readonly string[]) => `\`\`\`rpc\n${lines.join("\n")}\n\`\`\`\n`;
export const environmentFiles = {
  "balances.rpc.md": `---\nnetwork: base-mainnet\n---\n\n# Checks\n\n${cell("eth_getBalance {{WHO}} latest")}\n${cell(
    "@env production",
    "eth_getTransactionCount {{WHOM}} latest",
  )}`,
  "staging.rpc.env": `# Staging\nWHO=${address}\nexport AMOUNT="0.1 ether"\nPRIVATE_KEY=0x${"ab".repeat(32)}\n`,
  "production.rpc.env": `WHO=${address}\n`,
};

export function environmentTests(window: RpcWindow): void {
  let workbench: Workbench;
  before(() => {
    workbench = window.workbench;
    execFileSync("git", ["init", "--quiet"], { cwd: workbench.profile.workspace });
  });
  after(() => workbench.runCommand("View: Close All Editors"));

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const cells = () => notebook().locator(".cell-statusbar-container");
  const line = (text: string) => notebook().locator(".view-lines .view-line", { hasText: text }).first();
  const open = async (name: string) => {
    await workbench.runCommand("View: Close All Editors");
    await workbench.openFile(name);
  };

  it("an unknown variable is marked, and the environment is chosen in the toolbar", async () => {
    const { page } = workbench;
    await open("balances.rpc.md");
    await cells().getByText("no environment").waitFor();
    await cells().getByText("production").waitFor();
    await notebook().locator(".squiggly-error").nth(1).waitFor();
    await line("eth_getBalance").getByText("WHO").hover();
    await page.locator(".monaco-hover", { hasText: "no environment is chosen" }).first().waitFor();
    await workbench.screenshot("rpc-environment-missing");
    await page.keyboard.press("Escape");
    await line("eth_getTransactionCount").getByText("WHOM").hover();
    const hover = page.locator(".monaco-hover", { hasText: "is not defined in the environment production" });
    await hover.first().waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".notebook-toolbar-container").getByText("Environment", { exact: true }).click();
    const list = page.locator(".quick-input-widget");
    await list.getByText("Environment of RPC notebooks").waitFor();
    await workbench.screenshot("rpc-environment-pick");
    await list.locator(".monaco-list-row", { hasText: "staging.rpc.env" }).click();
    await cells().getByText("staging").waitFor();
    await line("eth_getBalance").getByText("WHO").hover();
    await page.locator(".monaco-hover", { hasText: "From staging.rpc.env" }).first().waitFor();
    await workbench.screenshot("rpc-environment-chosen");
  });

  it("is in the command for CI", async () => {
    const { page } = workbench;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await workbench.runCommand("Inference RPC: Copy CI Command");
    await page.locator(".statusbar").getByText("Copied. The command reads the key").waitFor();
    const copied = String(await page.evaluate("navigator.clipboard.readText()"));
    assert.match(copied, /rpc-run\.js balances\.rpc\.md --environment staging --junit/);
  });

  it("completes names, hides secrets, runs the cell, and opens the line of a variable", async () => {
    const { page } = workbench;
    await line("eth_getBalance").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.type("eth_getBalance {{");
    const list = page.locator(".suggest-widget");
    await list.getByText("PRIVATE_KEY").first().waitFor();
    await list.getByText("AMOUNT").first().waitFor();
    await workbench.screenshot("rpc-environment-complete");
    await page.keyboard.type("WH");
    await page.keyboard.press("Tab");
    await page.keyboard.press("End");
    await page.keyboard.type(" latest");
    await line("eth_getBalance {{WHO}} latest").waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator('[aria-label*="spent 40 today"]').first().waitFor();
    await workbench.screenshot("rpc-environment-run");
    await line("eth_getBalance {{WHO}}").getByText("WHO").click();
    await page.keyboard.press("F12");
    await page.locator(".tab.active", { hasText: "staging.rpc.env" }).waitFor();
    await page.getByText("Ln 2, Col 1").waitFor();
  });

  it("marks a secret that git does not ignore, and adds its file to .gitignore", async () => {
    const { page } = workbench;
    await open("staging.rpc.env");
    const mark = page.locator(".editor-instance .squiggly-warning");
    await mark.first().waitFor();
    const row = page.locator(".editor-instance .view-line", { hasText: "PRIVATE_KEY" });
    await row.click();
    // Before it, the editor closes a menu of quick fixes.
    await page.locator(".editor-instance .lightBulbWidget").first().waitFor();
    await workbench.screenshot("rpc-environment-secret");
    await applyQuickFix(workbench, "Add to .gitignore");
    await mark.first().waitFor({ state: "hidden" });
    await page.locator(".explorer-folders-view").getByText(".gitignore").waitFor();
    await workbench.screenshot("rpc-environment-ignored");
  });
}
