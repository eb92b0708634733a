import type { ServerResponse } from "node:http";
import { before, it } from "node:test";
import type { Workbench } from "../workbench.ts";
import { type RpcWindow, useLocalNode } from "./rpcWindow.ts";

const cell = (...lines: readonly string[]) => `\`\`\`rpc\n${lines.join("\n")}\n\`\`\`\n`;
const doubling = Array.from({ length: 18 }, (_, at) => `x${at + 1} = [$x${at}, $x${at}]`);
/** The transaction from the example in Solana's documentation of sendTransaction. */
const solana =
  "4hXTCkRzt9WyecNzV1XPgCDfGAZzQKNxLXgynz5QDuWWPSAZBZSHptvWRL3BjCvzUXRdKvHL2b7yGrRQcWyaqsaBCncVG7BFggS8w9snUts67BSh3EqKpXLUm5UMHfD7ZBe9GhARjbNQMLJ1QD3Spr6oMTBU6EhdB4RD8CP2xUxr2u3d6fos36PD98XS6oX8TQjLpsMwncs5DAMiD4nNnR8NBfyghGCWvCVifVwvA8B8TJxE1aiyiv2L429BCWfyzAme5sZW8rDb14NeCQHhZbtNqfXhcp2tAnaAT";
export const foreignFiles: Readonly<Record<string, string>> = {
  "hostile.rpc.md": [
    cell("constructor", "__proto__ 1", "@toString", "eth_call { constructor: 1, __proto__: 2 } latest"),
    cell("x0 = [1]", ...doubling, "eth_call { to: $x18 } latest"),
    cell(`${"/".repeat(5_000)}\n[`),
    cell(`${"//x /**/ ".repeat(2_000)}\n{`),
  ].join("\n"),
  "waiting.rpc.md": `${cell("@network local", "eth_getProof 0xaa [] latest")}\n${cell("@network local", "eth_chainId")}`,
  "writing.rpc.md": cell("@network solana-mainnet", `sendTransaction "${solana}"`),
};

export function foreignTests(window: RpcWindow): void {
  let workbench: Workbench;
  const unanswered: ServerResponse[] = [];
  // A node that accepts requests and never answers.
  useLocalNode(window, (_, response) => void unanswered.push(response));
  before(() => {
    workbench = window.workbench;
  });

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const cells = () => notebook().locator(".cell-statusbar-container");
  const dialog = () => workbench.page.locator(".monaco-dialog-box");
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
  const open = async (name: string) => {
    await workbench.openFile(name);
  };

  it("opens and shows its problems", async () => {
    const { page } = workbench;
    await open("hostile.rpc.md");
    await notebook().locator(".squiggly-error").first().waitFor();
    // Each cell is rendered with all its language features.
    await cells().getByText("can't be run").first().waitFor();
    await workbench.screenshot("rpc-hostile");
    const line = notebook().locator(".view-line", { hasText: "eth_call { to: $x18" }).first();
    await line.scrollIntoViewIfNeeded();
    await line.getByText("$x18").hover();
    await page.locator(".monaco-hover", { hasText: "longer than 1,000,000 characters" }).first().waitFor();
    await workbench.screenshot("rpc-hostile-hover");
    await workbench.runCommand("View: Close All Editors");
  });

  it("stops a pending cell at once", async () => {
    await open("waiting.rpc.md");
    await cells().getByText("free").first().waitFor();
    await workbench.runCommand("Notebook: Run All");
    const waiting = notebook().locator(".codicon-notebook-state-pending");
    await notebook().locator(".codicon-notebook-state-executing").first().waitFor();
    await waiting.first().waitFor();
    await workbench.screenshot("rpc-queued");
    await notebook().locator(".view-line", { hasText: "eth_chainId" }).first().click();
    await notebook()
      .locator(".monaco-list-row", { hasText: "eth_chainId" })
      .getByRole("button", { name: /^Stop/ })
      .first()
      .click();
    await waiting.first().waitFor({ state: "hidden" });
    // The cell before it continues.
    await notebook().locator(".codicon-notebook-state-executing").first().waitFor();
    await workbench.screenshot("rpc-queued-stopped");
    for (const response of unanswered) response.end('{"jsonrpc":"2.0","id":1,"result":"0x1"}');
    await notebook().locator(".codicon-notebook-state-executing").first().waitFor({ state: "hidden" });
    await workbench.runCommand("View: Close All Editors");
  });

  it("asks before a transaction, with its effect", async () => {
    await open("writing.rpc.md");
    await cells().getByText("solana-mainnet").waitFor();
    await workbench.runCommand("Notebook: Run All");
    await dialog()
      .getByText("Send sendTransaction to solana-mainnet of the sandbox? It changes the chain.")
      .waitFor();
    await dialog().getByText("Transfers 5 SOL from 5ebC").waitFor();
    await workbench.screenshot("rpc-ask-solana");
    await dialog().getByRole("button", { name: "Cancel" }).click();
    await output().getByText("It was not sent, because you declined").waitFor();
  });
}
