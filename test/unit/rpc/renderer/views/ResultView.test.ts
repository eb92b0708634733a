import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import type { Json, RpcLine } from "../../../../../src/rpc/output/rpcOutput.ts";
import { type RendererPage, useRendererPage } from "../rendererPage.ts";
import {
  alice,
  block,
  callOf,
  callTrace,
  feeHistory,
  lineOf,
  log,
  mainnet,
  outputOf,
  receipt,
  result,
  testnet,
  token,
  transaction,
  transferEvent,
} from "../samples.ts";

// The renderer in a real browser, operated like by a user.
describe("results of RPC cells", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });

  const draw = (...lines: RpcLine[]) => opened.draw(outputOf(lines));
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const field = (name: string): Locator =>
    page
      .locator(".field", { has: page.locator("dt", { hasText: new RegExp(`^${name}( changed)?$`) }) })
      .locator("dd");

  const rowOf = async (text: string) =>
    (await page.getByRole("row").filter({ hasText: text }).first().innerText())
      .replaceAll(/\s+/g, " ")
      .trim();

  it("a balance is exact in its coin, and in hex if chosen", async () => {
    await draw(lineOf("eth_getBalance", result("wei", "0x14d1120d7b160001")));
    assert.equal(await page.locator(".large").innerText(), "1.500000000000000001 ETH");
    await page.getByText("1,500,000,000,000,000,001 wei").waitFor();
    await button("Hex").press("Enter");
    await page.locator(".large").getByText("0x14d1120d7b160001").waitFor();
    assert.equal(await button("Hex").getAttribute("aria-pressed"), "true");
    await page.locator(".head").getByText("ethereum-mainnet").waitFor();
  });

  it("a long request leaves the result in sight, at any width", async () => {
    const long = lineOf("eth_sendTransaction", result("wei", "0x6fc23ac00"), {
      name: "sent",
      source: `eth_sendTransaction { from: ${alice}, to: ${token}, data: ${alice} }`,
    });
    await draw(long, lineOf("eth_gasPrice", result("wei", "0x6fc23ac00")));
    try {
      for (const width of [420, 560, 760, 1200]) {
        await page.setViewportSize({ width, height: 700 });
        const frame = await page.locator(".table-frame").first().boundingBox();
        const cell = await page.locator("td.result").first().boundingBox();
        assert.ok(frame && cell && cell.x + 100 < frame.x + frame.width, `seen in ${width} pixels`);
      }
    } finally {
      await page.setViewportSize({ width: 760, height: 900 });
    }
  });

  it("a gas price is in gwei", async () => {
    await draw(lineOf("eth_gasPrice", result("wei", "0x6fc23ac00")));
    assert.equal(await page.locator(".large").innerText(), "30 gwei");
  });

  it("authorizations name the account that signed, the contract, the chain and the nonce, also in a block", async () => {
    const zero = `0x${"0".repeat(40)}`;
    const authorizationList = [
      { chainId: "0x0", address: token, nonce: "0x5", yParity: "0x1", r: "0x1", s: "0x2" },
      { chainId: "0x1", address: zero, nonce: "0x6", yParity: "0x1", r: "0x1", s: "0x2" },
      { chainId: "0x1", nonce: ["0x7"] },
    ];
    const authorities = [alice, null];
    const sent = { ...transaction, type: "0x4", authorizationList };
    await draw(lineOf("eth_getTransactionByHash", result("transaction", sent, { authorities })));
    await field("authorizationList").waitFor();
    assert.match(await rowOf("every chain"), /^0 0xd8da6b…a96045 0x833589…a02913 0 \(every chain\) 5$/);
    assert.match(
      await rowOf("ends the delegation"),
      /^1 the signature is not valid none \(ends the delegation\) 1 6$/,
    );
    assert.match(await rowOf("not recovered"), /^2 not recovered missing 1 \[1 item\]$/);
    const held = { ...block, transactions: [transaction, sent] } as unknown as Json;
    await draw(lineOf("eth_getBlockByNumber", result("block", held, { authorities })));
    await page.getByText("3 authorizations").click();
    assert.match(await rowOf("every chain"), /^0 0xaaaaaa…aaaaaa 0xd8da6b…a96045 0x833589…a02913 0/);
    const hostile = { ...sent, authorizationList: [...authorizationList, "0x"] };
    await draw(lineOf("eth_getTransactionByHash", result("transaction", hostile, { authorities: "x" })));
    await field("authorizationList").waitFor();
    assert.equal(await page.getByText("ends the delegation").count(), 0);
    assert.deepEqual(opened.problems, []);
  });

  it("a block has its fields, its transactions in pages, and its changes", async () => {
    const changes = [{ path: "number", before: "0x121eabf", now: "0x121eac0" }];
    const line = lineOf("eth_getBlockByNumber", result("block", block as unknown as Json), {
      changed: ["number", "transactions[0].nonce"],
      changes,
    });
    await opened.draw(outputOf([line], { runId: "named" }));
    assert.equal(await field("number").innerText(), "19,000,000");
    assert.equal(await field("extraData").innerText(), block.extraData);
    assert.match(await field("gasUsed").innerText(), /^15,000,000\s+50 % of the limit$/);
    await page.getByText("2 values changed since the previous run").waitFor();
    await page.getByRole("row", { name: "number 18,999,999 19,000,000 +1" }).waitFor();
    await page.getByText("60 transactions").click();
    const rows = page.getByRole("region", { name: "Transactions" }).locator("tbody tr");
    assert.equal(await rows.count(), 25);
    await button("Show 35 more").click();
    await rows.nth(59).waitFor();
    assert.equal(await rows.count(), 60);
    await button("Compare with the previous run").click();
    assert.deepEqual(opened.messages, [{ type: "compare", runId: "named" }]);
  });

  it("a receipt has status, cost and events", async () => {
    const decoded = { kind: "events", events: [transferEvent, null] };
    await draw(lineOf("eth_getTransactionReceipt", result("receipt", receipt, { decoded })));
    await page.getByText("✓ Succeeded").waitFor();
    assert.equal(await field("fee").innerText(), "0.000566070351643008 ETH");
    const event = page.getByRole("row").filter({ hasText: "Transfer" });
    const words = (await event.innerText()).replaceAll(/\s+/g, " ");
    assert.match(words, /value uint256 115,792,089,237,316,195,423,570,985,008,687,907,853,/);
    await page.getByText("Not in a known ABI").waitFor();
    await draw(
      lineOf("eth_getTransactionReceipt", result("receipt", { ...receipt, status: "0x0", logs: [] })),
    );
    await page.getByText("✗ Failed").waitFor();
  });

  it("logs and transactions have views", async () => {
    const decoded = { kind: "events", events: [transferEvent] };
    await draw(lineOf("eth_getLogs", result("logs", [log], { decoded })));
    await page.getByRole("region", { name: "Logs" }).getByText("Transfer").waitFor();
    await draw(lineOf("eth_getLogs", result("logs", [])));
    await page.getByText("No logs").waitFor();
    await draw(lineOf("eth_getTransactionByHash", result("transaction", transaction)));
    assert.equal(await field("type").innerText(), "2 (base fee and tip, EIP-1559)");
    assert.match(await field("input").innerText(), /68 bytes[\s\S]+selector 0xa9059cbb[\s\S]+1,000,000/);
  });

  it("a fee history is a table and a chart that loads on demand", async () => {
    await draw(lineOf("eth_feeHistory", result("feeHistory", feeHistory)));
    await page.getByRole("img", { name: /^Base fee from 12 gwei in block 18999968 to / }).waitFor();
    await page.waitForFunction(isPainted);
    await page.getByRole("row", { name: "18,999,988 12.748302461 gwei pending" }).waitFor();
  });

  it("a trace expands and collapses call by call", async () => {
    await draw(lineOf("debug_traceTransaction", result("trace", callTrace)));
    await page.getByText("STATICCALL").waitFor();
    await page.getByText("not enough").waitFor();
    const delegate = page.locator("details.call > summary", { hasText: "DELEGATECALL" });
    assert.match((await delegate.innerText()).replaceAll(/\s+/g, " "), /50,000 gas 42 % 1 call/);
    await delegate.press("Enter");
    await page.getByText("not enough").waitFor({ state: "detached" });
  });

  it("a trace a thousand calls deep expands level by level", async () => {
    let deep: Json = { type: "CALL", from: "0x1", to: "0x2", gasUsed: "0x1" };
    for (let level = 0; level < 1000; level++) deep = { ...(deep as object), calls: [deep] } as Json;
    await draw(lineOf("debug_traceTransaction", result("trace", deep)));
    const calls = page.locator("details.call");
    await calls.nth(3).waitFor();
    assert.equal(await calls.count(), 4);
    await calls.nth(3).locator("> summary").click();
    await calls.nth(4).waitFor();
    assert.equal(await calls.count(), 5);
  });

  it("a revert shows its reason and its arguments", async () => {
    const values = [{ name: "needed", type: "uint256", value: "5000" }];
    const failure = { kind: "error", code: 3, message: "execution reverted", data: "0x08c379a0" } as const;
    await draw(
      lineOf("eth_call", { ...failure, revert: { name: "Error", reason: "too little", values: [] } }),
    );
    await page.getByText("Reverted: too little").waitFor();
    await draw(lineOf("eth_call", { ...failure, revert: { name: "NotEnough", values } }));
    await page.getByText("Reverted: NotEnough").waitFor();
    await page.getByText("5,000").waitFor();
    await page.getByText("Error 3: execution reverted").waitFor();
  });

  it("a batch has a row for each line, which stays expanded while the run continues", async () => {
    const lines = [
      lineOf("eth_blockNumber", result("quantity", "0x121eac0"), { name: "head" }),
      lineOf("eth_getBlockByNumber", result("block", block as unknown as Json), { line: 1 }),
      lineOf("eth_call", { kind: "error", code: -32000, message: "no" }, { line: 2, credits: 5 }),
      lineOf("eth_chainId", { kind: "waiting" }, { line: 3 }),
    ];
    const more = { runId: "named", done: false, calls: [callOf({ replayed: true, resends: 1 })] };
    await opened.draw(outputOf(lines, more));
    assert.equal(await rowOf("head ="), "1 head = eth_blockNumber 19,000,000 84 ms 20");
    assert.match(await rowOf("eth_getBlockByNumber"), /^2 eth_getBlockByNumber block 19,000,000/);
    await page.getByRole("button", { name: "eth_getBlockByNumber" }).press("Enter");
    assert.equal(await field("number").innerText(), "19,000,000");
    await opened.draw(outputOf(lines, more));
    assert.equal(await field("number").innerText(), "19,000,000");
    const money = page.locator(".money summary");
    assert.equal(
      await money.innerText(),
      "1 request · 65 credits · $0.0000406 · 84 ms · 1 error item for 5 credits · 1 response replayed, not charged · retried 1 time",
    );
    await money.click();
    await page.getByText("req_5f1c7e2a9b").waitFor();
  });

  it("the sandbox's charges are called play money", async () => {
    const lines = [lineOf("eth_chainId", result("quantity", "0x1"))];
    await opened.draw(outputOf(lines, { runId: "play", isPlayMoney: true }));
    const money = page.locator(".money summary");
    assert.match(await money.innerText(), / · \$[\d.]+ play money · /);
    await money.click();
    await page.getByRole("columnheader", { name: "USD play money" }).waitFor();
  });

  it("the estimate of sending is compared with a run that sent, not with a simulation", async () => {
    const total = { credits: 45, usd: 0.00003, estimatedCredits: 0, ms: 84 };
    const unsent = { kind: "unsent", reason: "Simulated" } as const;
    const simulation = { status: "success", method: "eth_call", facts: [], unknown: [] } as const;
    for (const [runId, more] of Object.entries({ sent: {}, simulated: { simulation } })) {
      await opened.draw(outputOf([lineOf("eth_sendTransaction", unsent, more)], { runId, total }));
      const cost = await page.locator(".money summary").last().innerText();
      assert.equal(cost.includes("0 credits expected"), runId === "sent", cost);
    }
  });

  it("a waiting line expands by itself once it has a result", async () => {
    const line = (outcome: RpcLine["outcome"]) => [
      lineOf("eth_chainId", result("quantity", "0x1")),
      lineOf("debug_traceTransaction", outcome, { line: 1 }),
    ];
    await opened.draw(outputOf(line({ kind: "waiting" }), { runId: "waits", done: false }));
    await page.getByText("…", { exact: true }).waitFor();
    await page.evaluate(
      redraw,
      JSON.stringify(outputOf(line(result("trace", callTrace)), { runId: "waits" })),
    );
    await page.getByText("STATICCALL").waitFor();
  });

  it("networks are side by side, and distinguished by text as well", async () => {
    const lines = [mainnet, testnet].map(({ slug }, at) =>
      lineOf("eth_gasPrice", result("wei", at === 0 ? "0x3b9aca00" : "0x6fc23ac00"), { network: slug }),
    );
    const calls = [mainnet, testnet].map(({ slug }) => callOf({ network: slug }));
    await opened.draw(outputOf(lines, { networks: [mainnet, testnet], calls }));
    const head = await page.getByRole("columnheader").allInnerTexts();
    assert.deepEqual(
      head.map((text) => text.trim()),
      ["Line", "Request", "ethereum-mainnet", "polygon-amoy testnet"],
    );
    assert.equal(await rowOf("eth_gasPrice"), "1 eth_gasPrice 1 gwei lowest 30 gwei highest");
    await page.getByRole("button", { name: "eth_gasPrice" }).click();
    await page.getByText("0.00000003 POL").waitFor();
  });

  it("truncated results say so and open completely", async () => {
    const line = lineOf("txpool_content", result("json", { a: [1] }, { cut: true, bytes: 5_000_000 }));
    await opened.draw(outputOf([line], { runId: "named" }));
    await page.getByText("Only the beginning is shown. The complete result has 4.8 MB.").waitFor();
    await button("Open in full").click();
    assert.deepEqual(opened.messages, [{ type: "openResult", runId: "named", key: "ethereum-mainnet/0" }]);
  });

  it("a problem has its buttons, and polling shows its progress", async () => {
    const problem = {
      sentence: "The key was refused.",
      actions: [{ id: "setKey", label: "Set Key…" } as const],
    };
    const polling = { everyMs: 6000, round: 3, rounds: 20, budgetCredits: 2000, history: [] };
    const line = lineOf("eth_gasPrice", result("wei", "0x1"));
    await opened.draw(outputOf([line], { runId: "named", problem, polling }));
    await page.getByRole("alert").getByText("The key was refused.").waitFor();
    await button("Set Key…").click();
    assert.deepEqual(opened.messages, [{ type: "errorAction", runId: "named", action: "setKey" }]);
    await page.getByText("Round 3 of 20, 20 of 2,000 credits, every 6 s").waitFor();
  });

  it("JSON is a tree with numbers in decimal or hex, and a cell can request it", async () => {
    const line = lineOf("eth_getBlockByNumber", result("block", { number: "0x10", list: [{ a: null }] }));
    await opened.draw(outputOf([line], { view: "json" }));
    await page.locator(".json-leaf", { hasText: "number" }).getByText("16", { exact: true }).waitFor();
    await button("Hex").click();
    await page.getByText('"0x10"').waitFor();
    await button("JSON").click();
    assert.equal(await field("number").innerText(), "0x10");
  });

  it("an output of another version suggests to run the cell again", async () => {
    await opened.draw({ ...outputOf([]), version: 2 });
    await page.getByText("Run the cell again").waitFor();
  });

  it("addresses, hashes and transactions can add a cell that looks them up or replays them", async () => {
    await draw(lineOf("eth_getTransactionReceipt", result("receipt", receipt as unknown as Json)));
    for (const name of ["Look up this address", "Look up this transaction"])
      await button(name).first().click();
    await draw(lineOf("eth_getTransactionByHash", result("transaction", transaction as unknown as Json)));
    for (const name of ["Look up this block", "Replay"]) await button(name).first().click();
    assert.deepEqual(
      opened.messages.map((message) => message.type === "lookUp" && [message.network, message.kind]),
      ["address", "transaction", "block", "replay"].map((kind) => [mainnet.slug, kind]),
    );
    for (const message of opened.messages)
      assert.match(message.type === "lookUp" ? message.value : "", /^0x([0-9a-f]{40}|[0-9a-f]{64})$/i);
    const other = { network: "starknet-mainnet" };
    await draw(lineOf("starknet_getClassHashAt", result("any", { hash: receipt.transactionHash }), other));
    await page.getByRole("button", { name: "Copy" }).first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Look up/ }).count(), 0);
  });

  it("no error occurred in the page", () => {
    assert.deepEqual(opened.problems, []);
  });
});

/** Runs in the page: renders a newer state of an output in the same element, as the editor may. */
function redraw(json: string): void {
  const element = document.getElementById("output");
  if (element) window.renderer.renderOutputItem({ id: "output", text: () => json }, element);
}

/** Runs in the page: true if the chart has drawn something. */
function isPainted(): boolean {
  const canvas = document.getElementById("output")?.shadowRoot?.querySelector("canvas");
  if (!canvas?.width) return false;
  const pixels = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data;
  return pixels?.some((value) => value > 0) ?? false;
}
