// The ABI of a contract comes from a service of the setting, and results of unknown contracts have likely names.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { before, it } from "node:test";
import { applyQuickFix } from "../window.ts";
import type { Workbench } from "../workbench.ts";
import { type RpcWindow, useLocalNode } from "./rpcWindow.ts";

const token = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const who = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
const behind = `0x${"c".repeat(40)}`;
const word = (digits: string) => digits.padStart(64, "0");
const contract = (name: string, functions: readonly string[]) => ({
  compilation: { name, fullyQualifiedName: `src/${name}.sol:${name}` },
  sources: { [`src/${name}.sol`]: { content: `contract ${name} {}\n` } },
  abi: functions.map((one) => ({
    type: "function",
    name: one,
    inputs: [{ type: "address", name: "account" }],
    outputs: [{ type: "uint256" }],
  })),
});
const contracts: Readonly<Record<string, object>> = {
  [token]: {
    ...contract("Proxy", ["implementation"]),
    proxyResolution: { isProxy: true, implementations: [{ address: behind }] },
  },
  [behind]: contract("FiatToken", ["balanceOf"]),
};
// supply(address,uint256,address,uint16), and the event Supply of the same pool.
const supply = `0x617ba037${word(token.slice(2))}${word("64")}${word(who.slice(2))}${word("0")}`;
const trace = {
  type: "CALL",
  from: who,
  to: token,
  gasUsed: "0x1d4c0",
  input: supply,
  output: `0x220266b6${word("0")}${word("40")}${word("d")}${Buffer.from("AA23 reverted").toString("hex").padEnd(64, "0")}`,
  error: "execution reverted",
  calls: [
    {
      type: "STATICCALL",
      from: token,
      to: who,
      gasUsed: "0x9c40",
      input: "0xfeaf968c",
      output: `0x${word("1")}`,
    },
    { type: "CALL", from: token, to: who, gasUsed: "0x2710", input: "0x12345678", output: "0x" },
  ],
};
const place = { blockNumber: "0x3e8", transactionHash: `0x${word("1")}`, logIndex: "0x0" };
const paused = "0x62e78cea01bee320cd4e420270b5ea74000d11b0c9f74754ebdbfc544b05a258";
const logs = [
  { ...place, address: token, topics: [paused], data: `0x${word(who.slice(2))}` },
  { ...place, address: token, topics: [paused], data: "0x12" },
  { ...place, address: token, topics: [`0x${"d".repeat(64)}`], data: "0x12" },
];
export const abiFiles = {
  "abi.rpc.md": `\`\`\`rpc name=call\n@network base-mainnet\ntoken = ${token}\ncall $token balanceOf ${who}\n\`\`\`\n`,
  "likely.rpc.md":
    "```rpc name=trace\n@network local\ndebug_traceTransaction 0x01 { tracer: callTracer }\n```\n\n```rpc name=logs\n@network local\neth_getLogs { fromBlock: 1000 }\n```\n",
};

export function abiTests(window: RpcWindow): void {
  let workbench: Workbench;
  let host: string;
  const asked: string[] = [];
  useLocalNode(window, async (incoming, response) => {
    const [, address = ""] = /\/8453\/(0x\w+)/.exec(incoming.url ?? "") ?? [];
    if (incoming.method === "GET") {
      asked.push(address);
      return void response
        .writeHead(contracts[address] ? 200 : 404)
        .end(JSON.stringify(contracts[address] ?? {}));
    }
    const isTrace = (await text(incoming)).includes("debug_traceTransaction");
    response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: isTrace ? trace : logs }));
  });
  before(() => {
    ({ workbench, abiHost: host } = window);
  });

  const open = async (name: string) => {
    const { page } = workbench;
    await workbench.openFile(name);
    await page.locator(".notebookOverlay .monaco-editor .view-lines").first().waitFor();
  };
  const line = (content: string) =>
    workbench.page.locator(".notebookOverlay .view-line", { hasText: content }).first();
  /** The notebook restores its cursor after another editor was closed, at any time. */
  const putCursorOn = async (content: string) => {
    const cursor = workbench.page.locator(".notebookOverlay .cursors-layer .cursor").first();
    for (;;) {
      await line(content).click();
      const [at, wanted] = await Promise.all([cursor.boundingBox(), line(content).boundingBox()]);
      if (at && wanted && Math.abs(at.y - wanted.y) < wanted.height / 2) return;
    }
  };
  const output = () =>
    workbench.page.frameLocator("iframe.webview.ready").last().frameLocator("iframe#active-frame");

  const action = () => `Get ABI of 0x8335…2913 from ${host}`;

  it("an action at a call asks the service once it is agreed to, and declares the ABI", async () => {
    const { page } = workbench;
    await open("abi.rpc.md");
    await line("call").click();
    await page.locator(".notebookOverlay [class*='gutter-lightbulb']").first().waitFor();
    await applyQuickFix(workbench, action(), "rpc-abi-action");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByText(`Ask ${host} about this contract?`).waitFor();
    await dialog.getByText("It gets no key").waitFor();
    await workbench.screenshot("rpc-abi-question");
    assert.deepEqual(asked, []);
    await dialog.getByRole("button", { name: `Ask ${host}` }).click();
    await workbench.notifications
      .getByText("Saved abi/FiatToken.json, the ABI of 0xcccc…cccc, which the proxy calls.")
      .waitFor();
    await line("@abi").getByText("abi/FiatToken.json").waitFor();
    await workbench.screenshot("rpc-abi-saved");
    assert.deepEqual(asked, [token, behind]);
    const file = join(workbench.profile.workspace, "abi", "FiatToken.json");
    assert.ok(existsSync(file));
    assert.equal((JSON.parse(readFileSync(file, "utf8")) as { chainId: number }).chainId, 8453);
    // Its function needs no types.
    await page.locator(".notebookOverlay .squiggly-error").first().waitFor({ state: "hidden" });
    await workbench.notifications.getByRole("button", { name: "Open Source" }).click();
    const list = page.locator(".quick-input-widget");
    await list.getByText("src/Proxy.sol").waitFor();
    await workbench.pick("src/FiatToken.sol");
    await page.locator(".tab.active", { hasText: "FiatToken.sol" }).waitFor();
    await page.locator(".editor-instance .view-line", { hasText: "contract FiatToken" }).waitFor();
    await workbench.screenshot("rpc-abi-source");
    await workbench.runCommand("View: Revert and Close Editor");
    await page.locator(".tab.active", { hasText: "abi.rpc.md" }).waitFor();
    // Once more: the host is not asked about again, and nothing is added twice.
    await putCursorOn("call");
    await workbench.runCommand("Refactor...");
    await page.locator(".action-widget").getByText(action()).click();
    await workbench.notifications.getByText("Saved abi/FiatToken.json").last().waitFor();
    assert.equal(asked.length, 4);
    assert.equal(await page.locator(".notebookOverlay .view-line", { hasText: "@abi" }).count(), 1);
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  it("results of unknown contracts have likely names, and a button for the ABI", async () => {
    const { page } = workbench;
    // All is in sight: a click on a button below the window's edge scrolls first.
    const size = page.viewportSize() ?? assert.fail("no size");
    await page.setViewportSize({ ...size, height: 1000 });
    await open("likely.rpc.md");
    await workbench.runCommand("Notebook: Run All");
    const logTable = output().getByRole("region", { name: "Logs" });
    await logTable.getByText("likely", { exact: true }).first().waitFor();
    await output().locator("details.call > summary").getByText("FailedOp").waitFor();
    await workbench.screenshot("rpc-likely");
    await logTable.getByRole("button", { name: "Get ABI" }).last().click();
    await workbench.pick(`From ${host}`);
    await workbench.notifications.getByText("No service can be asked about the network local").waitFor();
    await workbench.screenshot("rpc-likely-button");
    assert.equal(asked.length, 4);
    assert.equal(await page.locator(".monaco-dialog-box").count(), 0);
    await page.setViewportSize(size);
  });
}
