import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { Json, RpcEvent } from "../../../../../../src/rpc/output/rpcOutput.ts";
import { type RendererPage, useRendererPage } from "../../rendererPage.ts";
import {
  callTrace,
  lineOf,
  log,
  outputOf,
  result,
  token,
  transaction,
  transferEvent,
} from "../../samples.ts";

// Names that only fit a selector, and bytes of unknown contracts.
describe("likely names in results", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });

  const likelyCall: RpcEvent = {
    name: "supply",
    values: [{ name: "", type: "uint256", value: "7" }],
    likely: "supply(uint256)",
  };
  const unread: RpcEvent = { name: "Redeem", values: [], likely: "Redeem(address,uint256,uint256)" };
  const row = async (text: string) => page.getByRole("row").filter({ hasText: text }).first().innerText();

  it("a log whose data do not fit keeps its topics, with a button for the ABI of its contract", async () => {
    const decoded = { kind: "events", events: [unread, transferEvent, null] };
    const logs = [log, log, { ...log, address: undefined }] as unknown as Json;
    const output = outputOf([lineOf("eth_getLogs", result("logs", logs, { decoded }))]);
    await opened.draw(output);
    assert.match(await row("Redeem"), /Redeem\(address,uint256,uint256\)\s+likely[\s\S]*topic 0/);
    assert.equal(await page.getByText("likely", { exact: true }).count(), 1);
    await page.getByRole("button", { name: "Get ABI" }).click();
    assert.deepEqual(opened.messages, [
      { type: "getAbi", runId: output.runId, network: "ethereum-mainnet", address: token },
    ]);
  });

  it("logs of one likely event have a column for each value", async () => {
    const decoded = { kind: "events", events: [likelyCall, likelyCall] };
    const logs = [log, log] as unknown as Json;
    await opened.draw(outputOf([lineOf("eth_getLogs", result("logs", logs, { decoded }))]));
    await page.getByRole("button", { name: "uint256 0" }).waitFor();
    assert.match(await row("supply"), /supply\s+likely/);
  });

  it("calls of a trace and their errors are marked", async () => {
    const failed = { ...callTrace, input: "0x11223344", output: "0x55667788", error: "execution reverted" };
    const calls = [
      { input: failed.input, ...likelyCall },
      { input: failed.output, name: "Expired", values: [], likely: "Expired()" },
    ];
    const traced = result("trace", failed as unknown as Json, { decoded: { kind: "calls", calls } });
    await opened.draw(outputOf([lineOf("debug_traceTransaction", traced)]));
    const head = page.locator("details.call > summary").first();
    assert.match(await head.innerText(), /supply\(7\) likely [\s\S]*execution reverted Expired\(\) likely/);
  });

  it("a transaction and a revert are marked, and hostile signatures are only text", async () => {
    const hostile = "<img src=x onerror=alert(1)>(uint256)";
    const calls = [{ input: transaction.input, name: "<b>", values: [], likely: hostile }];
    const found = result("transaction", transaction as unknown as Json, {
      decoded: { kind: "calls", calls },
    });
    await opened.draw(outputOf([lineOf("eth_getTransactionByHash", found)]));
    await page.getByText(hostile).waitFor();
    const revert = { name: "FailedOp", values: [], likely: "FailedOp(uint256,string)" };
    const failure = { kind: "error", code: 3, message: "execution reverted", data: "0x220266b6" } as const;
    await opened.draw(outputOf([lineOf("eth_call", { ...failure, revert })]));
    const reverted = page.getByText("Reverted:");
    assert.match(await reverted.innerText(), /FailedOp\(uint256,string\)\s+likely/);
    assert.deepEqual(opened.problems, []);
  });
});
