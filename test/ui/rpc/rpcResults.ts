// How results of RPC cells are shown.
import assert from "node:assert/strict";
import { it } from "node:test";
import type { Workbench } from "../workbench.ts";

const cell = (name: string, ...lines: string[]) => `\`\`\`rpc name=${name}\n${lines.join("\n")}\n\`\`\`\n`;
const notebooks: Readonly<Record<string, string>> = {
  batch: cell("batch", "head = eth_blockNumber", "eth_gasPrice", "eth_getBlockByNumber latest true"),
  fees: cell("fees", "eth_feeHistory 20 latest [25, 75]"),
  compared: cell("compared", "@network ethereum-mainnet, polygon-amoy", "eth_gasPrice", "eth_chainId"),
  trace: cell(
    "trace",
    "block = eth_getBlockByNumber 0x1 true",
    "hash = $block.transactions[0].hash",
    "eth_getTransactionReceipt $hash",
    'debug_traceTransaction $hash { tracer: "callTracer" }',
  ),
};

/** The notebooks of `resultTests`, by file name. */
export const resultFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(notebooks).map(([name, text]) => [`${name}.rpc.md`, text] as const),
);

/** Tests in a window with `resultFiles` that answers from the sandbox. No editor is open at their end. */
export function resultTests(workbench: () => Workbench): void {
  const output = () =>
    workbench().page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const run = async (name: string) => {
    const { page } = workbench();
    await workbench().openFile(`${name}.rpc.md`);
    await page.locator(".tab.active", { hasText: `${name}.rpc.md` }).waitFor();
    await page.locator(".notebookOverlay .monaco-editor .view-lines").first().waitFor();
    await workbench().runCommand("Notebook: Run All");
  };

  it("shows a batch as a table with expandable rows, and its cost, in the theme of the editor", async () => {
    await run("batch");
    await output().getByRole("region", { name: "Results, line by line" }).waitFor();
    await output().getByText("60 credits").first().waitFor();
    await output().locator("dt", { hasText: "timestamp" }).waitFor();
    await workbench().setTheme("hc");
    await output().locator("body.vscode-high-contrast").waitFor({ state: "attached" });
    await workbench().screenshot("rpc-results-batch-hc");
  });

  it("reports the changes of a second run, and shows both as a diff", async () => {
    await workbench().runCommand("Notebook: Run All");
    const compare = output().getByRole("button", { name: "Compare with the previous run" });
    await compare.waitFor();
    await workbench().screenshot("rpc-results-again");
    await compare.click();
    await workbench().page.locator(".tab.active", { hasText: "Previous run ↔ this run" }).waitFor();
    await workbench().screenshot("rpc-results-diff");
    await workbench().runCommand("View: Close All Editors");
  });

  it("shows a fee history as a chart", async () => {
    await run("fees");
    await output()
      .getByRole("img", { name: /^Base fee from / })
      .waitFor();
    await output().locator("canvas[width]").waitFor();
    await workbench().screenshot("rpc-results-fees");
    await workbench().runCommand("View: Close All Editors");
  });

  it("shows networks side by side", async () => {
    await run("compared");
    await output().getByText("polygon-amoy").first().waitFor();
    await workbench().screenshot("rpc-results-compared");
    await workbench().runCommand("View: Close All Editors");
  });

  it("shows a trace as a tree, and opens a complete result in an editor", async () => {
    await run("trace");
    await output().locator(".call-type").first().scrollIntoViewIfNeeded();
    await output().getByText("Succeeded").first().waitFor();
    await workbench().screenshot("rpc-results-trace");
    await output().getByRole("button", { name: "Open in full" }).first().click();
    const editor = workbench().page.locator(".tab.active", { hasText: "block.json" });
    await editor.waitFor();
    await workbench().page.locator(".view-lines").getByText('"parentHash"').waitFor();
    assert.equal(await workbench().page.locator(".tab.dirty").count(), 0);
    await workbench().screenshot("rpc-results-full");
    await workbench().runCommand("View: Close All Editors");
  });
}
