import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { contracts } from "../../unit/rpc/randomCalls.ts";
import { openRefusingNode, type RefusingNode } from "../../unit/rpc/refusingNode.ts";
import type { Workbench } from "../workbench.ts";
import type { RpcWindow } from "./rpcWindow.ts";

const from = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const [coin, reverter] = [contracts.coin[0], contracts.reverter[0]];
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
  "storage.rpc.md": `---
network: local
---

\`\`\`rpc
eth_sendTransaction { from: ${from}, to: ${coin}, gas: 200_000, data: abi("transfer(address,uint256)", ${reverter}, 5) }
\`\`\`
`,
};

export function simulationTests(window: RpcWindow): void {
  let workbench: Workbench;
  let node: RefusingNode;
  before(async () => {
    node = await openRefusingNode();
    node.refused = ["eth_simulateV1"];
    for (const [address, code] of [contracts.coin, contracts.reverter])
      await node.ask("anvil_setCode", address, code);
    workbench = window.workbench;
    window.localNode.url = node.url;
  });
  after(async () => {
    await workbench.runCommand("View: Close All Editors");
    await node.close();
  });

  async function open(name: string) {
    const { page } = workbench;
    await workbench.runCommand("View: Close All Editors");
    await workbench.openFile(name);
    const notebook = page.locator(".notebookOverlay");
    await notebook.locator(".monaco-editor .view-lines").first().waitFor();
    const output = page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");
    return { notebook, output };
  }

  it("are simulated in a notebook that has not run, and not sent", async () => {
    const { notebook, output } = await open("simulation.rpc.md");
    const simulate = notebook.locator(".cell-status-item").getByText("Simulate");
    await simulate.first().click();
    await output.getByText("✓ It would succeed. Nothing was sent.").waitFor();
    await output.getByText("-0.25 ETH").waitFor();
    await output.getByText("Simulated on the newest block by a forked anvil").waitFor();
    await simulate.nth(1).click();
    await output.getByText("✗ It would revert: TooPoor").waitFor();
    await workbench.screenshot("rpc-simulation");
    assert.ok(!node.passed.some((method) => method.includes("send") || method.startsWith("debug_")));
  });

  it("are simulated by the network itself where it can't be copied, with their storage", async () => {
    // The newest block, from which a copy starts.
    node.refused = ["eth_simulateV1", "eth_getBlockByNumber"];
    node.passed.length = 0;
    const { notebook, output } = await open("storage.rpc.md");
    await notebook.locator(".cell-status-item").getByText("Simulate").click();
    await output.getByText("Simulated on the newest block by debug_traceCall").waitFor();
    await output.getByText("1 storage change").waitFor();
    const change = output.getByRole("row").filter({ hasText: "0x5" });
    assert.deepEqual(await change.locator("code").allTextContents(), [
      "0x100000…000002",
      "0x100000…000003",
      "0x0",
      "0x5",
    ]);
    await output.getByText("Anvil could not fork the network:").waitFor();
    await workbench.screenshot("rpc-simulation-storage");
    assert.deepEqual([...new Set(node.passed)], ["eth_chainId", "debug_traceCall"]);
  });
}
