import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { resultFiles, resultTests } from "./rpcResults.ts";

const file = [
  "---",
  "network: base-mainnet",
  "---",
  "",
  "# Base health",
  "",
  "```rpc name=head",
  "head   =   eth_blockNumber",
  "```",
  "",
  "```rpc",
  "eth_getBlockByNumber $head false",
  "```",
  "",
].join("\r\n");

describe("RPC notebooks", () => {
  let workbench: Workbench;
  before(async () => {
    const files = {
      ...resultFiles,
      "kept.rpc.md": file,
      "broken.rpc.md": new Uint8Array([0x23, 0x20, 0xff, 0xfe, 0x0a]),
    };
    workbench = await openWorkbench("rpc-notebook", { "inference.sandbox.autoStart": true }, {}, files);
  });
  after(() => workbench.close());

  describe("results", () => resultTests(() => workbench));

  describe("editing", () => {
    const cells = () => workbench.page.locator(".notebookOverlay .cell-statusbar-container");
    /** Replaces the text of the selected cell. */
    const type = async (text: string) => {
      const { page } = workbench;
      await page.locator(".notebookOverlay .monaco-editor .view-lines").first().click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText(text);
    };

    it("opens with a cell that shows its price", async () => {
      await workbench.runCommand("Inference RPC: New Chain Notebook");
      await cells().getByText("2 calls · 40 credits").waitFor();
      await cells().getByText("ethereum-mainnet").waitFor();
      await workbench.screenshot("rpc-new");
    });

    it("runs it against the sandbox and shows its cost", async () => {
      await workbench.runCommand("Notebook: Run All");
      await cells()
        .getByText(/40 credits · (?:\$0\.0000\d*|0\.0000\d* DIEM)/)
        .waitFor();
      await workbench.screenshot("rpc-run");
    });

    it("marks invalid requests, and does not send them", async () => {
      const { page } = workbench;
      await type("eth_newFilter {}\neth_getBalance 0x12 latest");
      await page.locator(".notebookOverlay .squiggly-error").first().waitFor();
      await workbench.runCommand("Notebook: Run All");
      await page.locator(".codicon-notebook-state-error").first().waitFor();
      await page.locator(`[aria-label*="spent 40"]`).first().waitFor();
      await workbench.screenshot("rpc-refused");
    });

    it("suggests methods with their price", async () => {
      const { page } = workbench;
      await type("eth_getBal");
      await page.keyboard.press("ControlOrMeta+Space");
      // In the list, or beside it if the list was already open: then the keys have opened its details.
      const price = page.locator(".suggest-widget, .suggest-details").getByText("1x · 20 credits");
      await price.filter({ visible: true }).first().waitFor();
      await workbench.screenshot("rpc-suggest");
      await page.keyboard.press("Escape");
    });

    it("writes a file back byte for byte except for changes, without results", async () => {
      const { page, profile } = workbench;
      const path = join(profile.workspace, "kept.rpc.md");
      await workbench.openFile("kept.rpc.md");
      await cells().getByText("base-mainnet").first().waitFor();
      await workbench.runCommand("Notebook: Run All");
      await page.locator(`[aria-label*="spent 40"]`).first().waitFor();
      assert.equal(readFileSync(path, "utf8"), file);
      await workbench.screenshot("rpc-file");
      await page
        .locator(".notebookOverlay .monaco-editor .view-lines")
        .getByText("eth_getBlockByNumber")
        .click();
      await page.keyboard.press("ControlOrMeta+A");
      await page.keyboard.insertText("eth_chainId");
      await workbench.runCommand("File: Save");
      await written(path, file.replace("eth_getBlockByNumber $head false", "eth_chainId"));
    });

    it("leaves a binary file unchanged", async () => {
      const { page, profile } = workbench;
      await page.locator(".explorer-folders-view").getByText("broken.rpc.md").dblclick();
      await page.getByText("not UTF-8").first().waitFor();
      await workbench.screenshot("rpc-broken");
      assert.deepEqual(
        [...readFileSync(join(profile.workspace, "broken.rpc.md"))],
        [0x23, 0x20, 0xff, 0xfe, 0x0a],
      );
    });
  });
});

/** Waits until a file has this text: auto save may write it earlier, and saving is asynchronous. */
async function written(path: string, text: string): Promise<void> {
  const watcher = watch(path);
  const signal = AbortSignal.timeout(120_000);
  try {
    while (readFileSync(path, "utf8") !== text) await once(watcher, "change", { signal });
  } finally {
    watcher.close();
  }
}
