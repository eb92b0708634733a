import { readdirSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { applyQuickFix } from "../window.ts";
import { openWorkbench, type Workbench } from "../workbench.ts";
import { startLocalNode } from "./localNode.ts";

const address = "0x00000000000000000000000000000000000000aa";
const cell = (...lines: readonly string[]) => `\`\`\`rpc\n${lines.join("\n")}\n\`\`\`\n`;
const files: Readonly<Record<string, string>> = {
  "writing.rpc.md": `---\nnetwork: base-mainnet\n---\n\n# Writing\n\n${cell(
    `me = ${address}`,
    "eth_getBalance $me latest",
    "eth_getBlockByNumber 19_000_000 false",
    "eth_estimateGas { from: $me, to: $me, value: 0.1 ether }",
  )}\n${cell("eth_getTransactionCount $me latest")}`,
  "refused.rpc.md": cell("@allow eth_simulateV1", "eth_chainId", "eth_simulateV1 {}"),
  "wrong.rpc.md": cell("eth_newFilter {}"),
  "stops.rpc.md": [cell("eth_newFilter {}"), cell("eth_chainId")].join("\n"),
  "fails.rpc.md": [
    cell("eth_chainId"),
    cell("one = eth_chainId", "expect $one == 2"),
    cell("eth_chainId"),
    cell("two = eth_chainId", "expect $two == 2"),
  ].join("\n"),
  "untidy.rpc.md": cell("head   =   eth_blockNumber", "eth_getBlockByNumber    $head   false"),
  "priced.rpc.md": cell("eth_call {", `  to: ${address},`, "  data: 0x", "} latest", "trace_block latest"),
  "polling.rpc.md": cell("@every 1s", "@times 3", "eth_blockNumber", "eth_gasPrice"),
  "undrawn.rpc.md": cell("trace_block latest").replace("rpc", "rpc name=one"),
  "local.rpc.md": `${cell("@network local", `eth_getProof ${address} [] latest`)}\n${cell(
    "@network local",
    '@abi "out/Token.sol/Token.json"',
    `call ${address} balanceOf ${address}`,
  )}`,
};
const abi = [
  {
    type: "function",
    name: "balanceOf",
    inputs: [{ name: "account", type: "address" }],
    outputs: [{ name: "balance", type: "uint256" }],
  },
];

describe("writing RPC cells", () => {
  let workbench: Workbench;
  let node: Server;
  before(async () => {
    node = await startLocalNode();
    const { port } = node.address() as AddressInfo;
    workbench = await openWorkbench(
      "rpc-writing",
      {
        "inference.sandbox.autoStart": true,
        "inference.rpc.localNode": `http://127.0.0.1:${port}`,
        "notebook.outline.showCodeCells": true,
      },
      {},
      { ...files, "out/Token.sol/Token.json": JSON.stringify({ abi, bytecode: "0x" }) },
    );
  });
  after(async () => {
    await workbench.close();
    node.close();
  });

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const cells = () => notebook().locator(".cell-statusbar-container");
  const line = (text: string) => notebook().locator(".view-lines .view-line", { hasText: text }).first();
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const open = async (name: string) => {
    await workbench.runCommand("View: Close All Editors");
    await workbench.openFile(name);
    await notebook().locator(".monaco-editor .view-lines").first().waitFor();
  };

  it("shows the wire values of literals, and the signature and price of a method", async () => {
    const { page } = workbench;
    await open("writing.rpc.md");
    await notebook().getByText("0x121eac0").waitFor();
    await notebook().getByText("0x16345785d8a0000").waitFor();
    await line("eth_estimateGas").getByText("eth_estimateGas").hover();
    await page.locator(".monaco-hover", { hasText: "1x · 20 credits" }).first().waitFor();
    await workbench.screenshot("rpc-hover");
    await line("eth_getBlockByNumber").click();
    await page.keyboard.press("End");
    await page.keyboard.press("Enter");
    await page.keyboard.insertText("eth_getBalance ");
    await page.keyboard.press("ControlOrMeta+Shift+Space");
    await page.locator(".parameter-hints-widget", { hasText: "address" }).waitFor();
    await workbench.screenshot("rpc-signature");
    await page.keyboard.press("Escape");
  });

  it("shows the price of each line if they differ, and folds multi-line requests", async () => {
    const { page } = workbench;
    await open("priced.rpc.md");
    await line("} latest").getByText("20 credits").waitFor();
    await line("trace_block").getByText("40 credits").waitFor();
    await workbench.screenshot("rpc-lines-priced");
    await line("trace_block").click();
    await workbench.runCommand("Fold All");
    await line("data: 0x").waitFor({ state: "hidden" });
    await line("eth_call").waitFor();
    await workbench.screenshot("rpc-folded");
    await workbench.runCommand("Unfold All");
    await line("data: 0x").waitFor();
    await workbench.runCommand("Notebook: Run All");
    const sum = page.locator('[id="inference-workbench.inference-workbench.inference.rpc"]');
    await sum.getByText("Run all: 60 credits", { exact: true }).waitFor();
    await page.locator('[aria-label="Run all: 60 credits · spent 60 today"]').first().waitFor();
    await sum.hover();
    const tooltip = page.locator(".monaco-hover", { hasText: "All chain RPC over Sandbox: 60 credits" });
    await tooltip.getByText("in this notebook: 60 credits").first().waitFor();
    await tooltip
      .getByText(/60 credits, (?:\$[\d.]+|[\d.]+ DIEM) play money/)
      .first()
      .waitFor();
    await workbench.screenshot("rpc-day-sum");
  });

  it("renames a name in all cells, and finds its references", async () => {
    const { page } = workbench;
    await open("writing.rpc.md");
    await line("eth_getTransactionCount").getByText("$me").click();
    await page.keyboard.press("F2");
    const box = page.locator(".rename-input, .rename-box input").first();
    await box.waitFor();
    await box.fill("owner");
    await box.press("Enter");
    await line("eth_getBalance $owner").waitFor();
    await line("eth_getTransactionCount $owner").waitFor();
    await line(`owner = ${address}`).waitFor();
    await line("eth_getTransactionCount").getByText("$owner").click();
    await page.keyboard.press("Shift+F12");
    await page.locator(".reference-zone-widget").waitFor();
    await workbench.screenshot("rpc-references");
    await page.keyboard.press("Escape");
    await workbench.runCommand("Explorer: Focus on Outline View");
    await workbench.screenshot("rpc-outline");
  });

  it("offers the replacement of a refused method", async () => {
    await open("wrong.rpc.md");
    await notebook().locator(".squiggly-error").first().waitFor();
    await line("eth_newFilter").getByText("eth_newFilter").click();
    await applyQuickFix(workbench, "eth_getLogs", "rpc-quick-fix");
    await line("eth_getLogs").waitFor();
  });

  it("marks a line that the service refuses unexpectedly", async () => {
    await open("refused.rpc.md");
    await cells().getByText("2 calls").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await notebook().locator(".squiggly-error").first().waitFor();
    await output().getByText("The service refused this line").first().waitFor();
    await workbench.screenshot("rpc-refused-by-service");
  });

  it("reports where a run of all cells stopped; Ctrl+Enter runs the cell", async () => {
    const { page } = workbench;
    await open("stops.rpc.md");
    await workbench.runCommand("Notebook: Run All");
    const notification = page.locator(".notification-toast", {
      hasText: "The run stopped at cell 1 (eth_newFilter {}).",
    });
    await notification.getByText("1 of 2 cells failed, 0 passed, 1 was not run.").waitFor();
    await workbench.screenshot("rpc-run-stopped");
    const selected = (cell: number) => page.getByText(`Cell ${cell} of 2`).waitFor();
    await line("eth_chainId").click();
    await selected(2);
    await notification.getByRole("button", { name: "Go to First" }).click();
    await selected(1);
    await line("eth_chainId").click();
    await selected(2);
    await page.keyboard.press("Control+Enter");
    await page.locator('[aria-label*="spent 20 today"]').first().waitFor();
    await output().getByText("20 credits").first().waitFor();
  });

  it("says after a run of all cells how many failed, and leads to each", async () => {
    const { page } = workbench;
    await open("fails.rpc.md");
    await workbench.runCommand("Notebook: Run All");
    const notification = page.locator(".notification-toast", { hasText: "2 of 4 cells failed, 2 passed." });
    await notification.getByRole("button", { name: "Show Failed Cells…" }).click();
    await workbench.pick("Cell 4: two = eth_chainId");
    await page.getByText("Cell 4 of 4").waitFor();
  });

  it("formats a notebook", async () => {
    await open("untidy.rpc.md");
    await workbench.runCommand("Notebook: Format Notebook");
    await line("head = eth_blockNumber").waitFor();
    await line("eth_getBlockByNumber $head false").waitFor();
  });

  it("chooses a network for a cell, several for a comparison, and one for the notebook", async () => {
    const { page } = workbench;
    await open("untidy.rpc.md");
    await cells().getByText("ethereum-mainnet").click();
    const list = page.locator(".quick-input-widget");
    await list.getByText("Network of this cell").waitFor();
    await list.locator("input.input").fill("base-sepolia");
    await list.locator(".monaco-list-row", { hasText: "base-sepolia" }).click();
    await cells().getByText("base-sepolia").click();
    await workbench.screenshot("rpc-network");
    await list.locator(".monaco-list-row", { hasText: "Compare…" }).click();
    await list.getByText("Network of this cell: compare").waitFor();
    const tick = async (slug: string) => {
      await list.locator("input.input").fill(slug);
      await list
        .locator(".monaco-list-row", { hasText: slug })
        .first()
        .locator("input, .monaco-checkbox")
        .first()
        .click();
    };
    await tick("polygon-amoy");
    await tick("base-mainnet");
    await list.locator("input.input").fill("");
    await workbench.screenshot("rpc-networks");
    await list.getByRole("button", { name: "OK" }).click();
    await cells().getByText("3 networks").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await output().getByText("polygon-amoy").first().waitFor();
    await output().getByText("120 credits").first().waitFor();
    await page.locator(`[aria-label*="spent 120"]`).first().waitFor();
    await workbench.screenshot("rpc-compared-by-choice");
    await line("head = eth_blockNumber").click();
    await workbench.runCommand("Inference RPC: Convert Cell");
    await page.locator(".monaco-dialog-box").waitFor({ state: "hidden" });
    await line('"method": "eth_blockNumber"').waitFor();
    await cells().getByText("3 networks").waitFor();
  });

  it("polls as the cell specifies, and stops on request", async () => {
    await open("polling.rpc.md");
    await cells().getByText("3 rounds").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await output()
      .getByText(/3 of 3|round 3/i)
      .first()
      .waitFor();
    await workbench.page.locator(`[aria-label*="spent 120"]`).first().waitFor();
    await workbench.screenshot("rpc-polling");
  });

  it("shows the request body, and converts lines into JSON and back", async () => {
    const { page } = workbench;
    await open("writing.rpc.md");
    await line("eth_getBalance").click();
    await workbench.runCommand("Inference RPC: Show Request Without Sending It");
    await page.locator(".tab.active", { hasText: "request.jsonc" }).waitFor();
    await page.locator(".view-lines").getByText("(not sent)").waitFor();
    await workbench.screenshot("rpc-request");
    await open("writing.rpc.md");
    await line("eth_getTransactionCount").click();
    await workbench.runCommand("Inference RPC: Convert Cell");
    await line('"method": "eth_getTransactionCount"').waitFor();
    await workbench.runCommand("Inference RPC: Convert Cell");
    await line(`eth_getTransactionCount ${address} latest`).waitFor();
  });

  it("a local node is free, its numbers are exact, and an ABI of the workspace decodes them", async () => {
    await open("local.rpc.md");
    await cells().getByText("free").first().waitFor();
    await workbench.runCommand("Notebook: Run All");
    await output().getByText("123456789012345678901").first().waitFor();
    await output().locator(".decoded", { hasText: "balance uint256 123" }).waitFor();
    await workbench.screenshot("rpc-local-abi");
    await workbench.page.locator(`[aria-label*="spent 0"]`).first().waitFor();
  });

  it("counts the cost of a run once, even if rendering fails", async () => {
    const { page, profile } = workbench;
    // After an update of the extension, an open window still needs the old log decoder, which is deleted.
    const [name = ""] = readdirSync(profile.extensions).filter((one) =>
      one.startsWith("inference-workbench"),
    );
    rmSync(join(profile.extensions, name, "dist", "evm.js"));
    await workbench.reload();
    await open("undrawn.rpc.md");
    await workbench.runCommand("Notebook: Run All");
    await page.locator('[aria-label*="spent 40 today"]').first().waitFor();
    await line("trace_block").click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.insertText(
      `@network base-mainnet, local\neth_getTransactionReceipt 0x${"0".repeat(64)}`,
    );
    await cells().getByText("2 networks").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await notebook().locator(".cell-status-item .codicon-notebook-state-error").waitFor();
    await page.locator('[aria-label*="spent 60 today"]').first().waitFor();
    await workbench.screenshot("rpc-undrawn");
  });
});
