import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openWorkbench, type Workbench } from "./workbench.ts";

describe("the RPC notebook", () => {
  let workbench: Workbench;
  before(async () => {
    workbench = await openWorkbench("rpc-notebook", { "inference.sandbox.autoStart": true });
  });
  after(() => workbench.close());

  it("opens with a cell that says what it costs", async () => {
    await workbench.runCommand("Inference: New RPC Notebook");
    const { page } = workbench;
    await page.locator(".notebookOverlay").waitFor();
    await page.getByText("2 calls · 40 credits").waitFor();
    await page.getByText("ethereum-mainnet").first().waitFor();
    await workbench.screenshot("rpc-new");
  });

  it("runs it against the sandbox and says what it cost", async () => {
    const { page } = workbench;
    await workbench.runCommand("Notebook: Run All");
    await page
      .getByText(/40 credits · 0\.0000\d+ USD/)
      .first()
      .waitFor();
    await workbench.screenshot("rpc-run");
  });

  it("marks what would be refused, and sends nothing of it", async () => {
    const { page } = workbench;
    await page.locator(".notebookOverlay .monaco-editor").first().click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("eth_newFilter {}");
    await page.keyboard.press("Escape");
    await page.locator(".squiggly-error").first().waitFor();
    await workbench.screenshot("rpc-refused");
    assert.ok(true);
  });
});
