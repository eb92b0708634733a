import { before, it } from "node:test";
import type { Workbench } from "../workbench.ts";
import type { RpcWindow } from "./rpcWindow.ts";

/** The sum of the cells costs more than `inference.rpc.askAboveCredits`, each of them less. */
export const checkFiles = {
  "checks.rpc.md": `---
network: ethereum-mainnet
---

# Checks

\`\`\`rpc
chain = eth_chainId
gas = eth_gasPrice
expect $chain == 1
expect $gas < 1_000 gwei
\`\`\`

\`\`\`rpc
head = eth_blockNumber
expect $head > 5
expect $head < 5
expect $chain == "one"
\`\`\`
`,
};

export function checkTests(window: RpcWindow): void {
  let workbench: Workbench;
  before(() => {
    workbench = window.workbench;
  });

  const notebook = () => workbench.page.locator(".notebookOverlay");
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");

  const agree = async () => {
    const dialog = workbench.page.locator(".monaco-dialog-box", {
      hasText: "This run costs up to 60 credits",
    });
    await dialog.getByRole("button", { name: "Run", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
  };

  it("are met or not, with the difference, in the output and at their lines", async () => {
    await workbench.openFile("checks.rpc.md");
    await notebook().locator(".monaco-editor .view-lines").first().waitFor();
    await workbench.runCommand("Notebook: Run All");
    await agree();
    await output().getByText("✓ 2 expectations met").waitFor();
    await output().getByText("✗ 2 of 3 expectations not met").waitFor();
    await output()
      .getByText(/^\+\d+$/)
      .waitFor();
    await notebook().locator(".squiggly-error").nth(1).waitFor();
    await workbench.screenshot("rpc-checks");
  });

  it("are tests of the Testing view, which runs them in the notebook after one question about their cost", async () => {
    const { page } = workbench;
    await workbench.runCommand("Testing: Focus on Test Explorer View");
    const tree = page.locator(".test-explorer-tree");
    await tree.getByText("checks.rpc.md").first().waitFor();
    await tree.getByText("checks.rpc.md").first().click();
    await page.keyboard.press("ArrowRight");
    await workbench.runCommand("Test: Run All Tests");
    await agree();
    await tree.getByText("head = eth_blockNumber").waitFor();
    await tree.locator(".codicon-testing-failed-icon").first().waitFor();
    await tree.locator(".codicon-testing-passed-icon").first().waitFor();
    await workbench.screenshot("rpc-checks-tests");
  });
}
