import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { openRefusingNode, type RefusingNode } from "../unit/rpc/refusingNode.ts";
import type { RpcWindow } from "./rpcWindow.ts";
import type { Workbench } from "./workbench.ts";

const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
/** A contract that reverts with its calldata. */
const reverter = "0x1000000000000000000000000000000000000003";
export const simulationFiles = {
  "simulation.rpc.md": `---
network: local
---

\`\`\`rpc
@abi "error TooPoor(uint256 missing)"
eth_sendTransaction { from: ${from}, to: 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, value: 0.25 ether }
\`\`\`

\`\`\`rpc
eth_sendTransaction { from: ${from}, to: ${reverter}, gas: 200_000, data: abi("TooPoor(uint256)", 12) }
\`\`\`
`,
};

export function simulationTests(window: RpcWindow): void {
  let workbench: Workbench;
  let node: RefusingNode;
  before(async () => {
    node = await openRefusingNode();
    node.refused = ["eth_simulateV1"];
    await node.ask("anvil_setCode", reverter, "0x366000600037366000fd");
    workbench = window.workbench;
    window.localNode.url = node.url;
  });
  after(async () => {
    await workbench.runCommand("View: Close All Editors");
    await node.close();
  });

  it("are simulated in a notebook that has not run, and not sent", async () => {
    const { page } = workbench;
    await workbench.setTheme("light");
    await page.locator(".explorer-folders-view").getByText("simulation.rpc.md").dblclick();
    const notebook = page.locator(".notebookOverlay");
    await notebook.locator(".monaco-editor .view-lines").first().waitFor();
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    const simulate = notebook.locator(".cell-status-item").getByText("Simulate");
    await simulate.first().click();
    await output.getByText("✓ It would succeed. Nothing was sent.").waitFor();
    await output.getByText("-0.25 ETH").waitFor();
    await simulate.nth(1).click();
    await output.getByText("✗ It would revert: TooPoor").waitFor();
    await workbench.screenshot("rpc-simulation-light");
    await workbench.setTheme("hc");
    await workbench.screenshot("rpc-simulation-hc");
    assert.deepEqual([...new Set(node.passed)], ["debug_traceCall"]);
  });
}
