// Rows of logs are filtered, ordered by the keyboard, and saved as CSV.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, it } from "node:test";
import { parse } from "csv-parse/sync";
import type { Workbench } from "../workbench.ts";
import { type RpcWindow, useLocalNode } from "./rpcWindow.ts";

const logs = Array.from({ length: 60 }, (_, at) => ({
  address: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
  topics: [`0x${"d".repeat(64)}`],
  data: "0x12",
  blockHash: `0x${"b".repeat(64)}`,
  blockNumber: `0x${(((at * 7) % 60) + 1000).toString(16)}`,
  transactionHash: `0x${at.toString(16).padStart(64, "0")}`,
  logIndex: `0x${at.toString(16)}`,
  removed: at === 59,
}));
export const tableFiles = {
  "logs.rpc.md": "```rpc name=logs\n@network local\neth_getLogs { fromBlock: 1000, toBlock: latest }\n```\n",
};

export function tableTests(window: RpcWindow): void {
  let workbench: Workbench;
  useLocalNode(window, (_, response) =>
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: logs })),
  );
  before(() => {
    workbench = window.workbench;
  });

  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const firstRow = () => output().getByRole("region", { name: "Logs" }).locator("tbody tr").first();

  it("is ordered and filtered by the keyboard", async () => {
    const { page } = workbench;
    await workbench.openFile("logs.rpc.md");
    await page.locator(".notebookOverlay .monaco-editor .view-lines").first().waitFor();
    await workbench.runCommand("Notebook: Run All");
    const block = output().getByRole("button", { name: "Block", exact: true });
    // The cell takes the focus once more after its run, so each key goes to its element.
    await block.press("Enter");
    await firstRow().getByText("1,000").waitFor();
    await block.press("Enter");
    await firstRow().getByText("1,059").waitFor();
    const filter = output().getByRole("searchbox", { name: "Filter Logs" });
    await filter.fill("000003b");
    await output().getByRole("status").filter({ hasText: "1 of 60 rows" }).waitFor();
    await firstRow().getByText("removed by a reorganization").waitFor();
    await workbench.screenshot("rpc-table");
  });

  it("is saved as CSV, with the rows that match", async () => {
    await output().getByRole("button", { name: "Save as CSV…" }).click();
    const target = join(workbench.profile.workspace, "rows.csv");
    await workbench.choosePath(target);
    await workbench.page.locator(".statusbar").getByText("Saved rows.csv").waitFor();
    const [head, ...rows] = parse(readFileSync(target, "utf8")) as string[][];
    assert.deepEqual(head?.slice(0, 4), ["Block", "Transaction", "Contract", "Event"]);
    assert.deepEqual(
      rows.map(([, hash]) => hash),
      [logs.at(-1)?.transactionHash],
    );
  });

  it("adds a cell that looks up the transaction of a log", async () => {
    await firstRow().getByRole("button", { name: "Look up this transaction" }).click();
    const cell = workbench.page.locator(".notebookOverlay .view-lines", {
      hasText: "eth_getTransactionByHash",
    });
    await cell.getByText("eth_getTransactionReceipt").waitFor();
    await workbench.screenshot("rpc-look-up");
    assert.equal(await workbench.page.locator(".notebookOverlay .cell-statusbar-container").count(), 2);
  });
}
