// Rows show the request, and the counts of the node's complete result.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Page } from "playwright-core";
import { requestText } from "../../../../../src/rpc/output/requestText.ts";
import type { Json, RpcLine, RpcResult } from "../../../../../src/rpc/output/rpcOutput.ts";
import { bounded } from "../../../../../src/rpc/run/bounded.ts";
import { type RendererPage, useRendererPage } from "../rendererPage.ts";
import {
  alice,
  block,
  callTrace,
  lineOf,
  log,
  mainnet,
  outputOf,
  result,
  testnet,
  transaction,
  transferEvent,
} from "../samples.ts";

/** A result as the extension truncates it. */
function cutResult(
  view: RpcResult["view"],
  all: Json,
  most: number,
  more: Partial<RpcResult> = {},
): RpcResult {
  const { value, bytes, cut, whole } = bounded(all, most);
  assert.ok(cut);
  return { kind: "result", view, value, bytes, cut, whole, ...more };
}

describe("rows of results", () => {
  let opened: RendererPage;
  let page: Page;
  useRendererPage((one) => {
    opened = one;
    page = one.page;
  });

  const draw = (...lines: RpcLine[]) => opened.draw(outputOf(lines));
  const button = (name: string) => page.getByRole("button", { name, exact: true });

  it("a truncated block shows its number of transactions, and a way to see them", async () => {
    const transactions = Array.from({ length: 400 }, () => transaction as unknown as Json);
    const whole = { ...(block as unknown as { [name: string]: Json }), transactions };
    const line = lineOf("eth_getBlockByNumber", cutResult("block", whole, 60_000));
    await opened.draw(outputOf([line], { runId: "run" }));
    await page.locator("summary", { hasText: /^400 transactions$/ }).click();
    await page.getByText(/^Show \d+ of 375 more$/).waitFor();
    await page.getByText(/^The first \d+ of 400 are here\./).waitFor();
    await button("Open all in an editor").click();
    assert.deepEqual(opened.messages, [{ type: "openResult", runId: "run", key: line.key }]);
    await draw(line, lineOf("eth_chainId", result("quantity", "0x1")));
    await page.getByRole("row").filter({ hasText: "400 transactions" }).first().waitFor();
  });

  it("truncated logs show their number, in their row, their table and their JSON", async () => {
    const logs = Array.from({ length: 2_000 }, () => log as unknown as Json);
    const line = lineOf("eth_getLogs", cutResult("logs", logs, 100_000));
    await draw(line);
    await page.getByText(/^Show 50 of 1,975 more$/).waitFor();
    await button("JSON").click();
    await page.locator("summary", { hasText: "[2,000 items]" }).waitFor();
    await draw(line, lineOf("eth_chainId", result("quantity", "0x1")));
    await page.getByRole("row").filter({ hasText: "2,000 logs" }).first().waitFor();
  });

  it("truncated logs are one table with all rows once the whole result is here", async () => {
    const logs = Array.from({ length: 2_000 }, (_, at) => ({
      ...(log as unknown as { [name: string]: Json }),
      blockNumber: `0x${(5_000 - at).toString(16)}`,
    }));
    const line = lineOf("eth_getLogs", cutResult("logs", logs, 100_000));
    await opened.draw(outputOf([line], { runId: "whole" }));
    await page.getByText("Only the beginning is shown.").waitFor();
    assert.deepEqual(opened.asked.at(-1), { type: "getWhole", runId: "whole", key: line.key });
    const whole = { kind: "result", view: "logs", value: logs, bytes: 1 };
    await opened.answer({ type: "whole", runId: "whole", key: line.key, result: JSON.stringify(whole) });
    await page.getByText("Only the beginning is shown.").waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Filter Logs" }).fill("3,001");
    await page.getByText("1 of 2,000 rows", { exact: true }).waitFor();
    await page.getByRole("searchbox", { name: "Filter Logs" }).fill("");
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("row").nth(1).getByText("3,001").waitFor();
    await button("Save as CSV…").click();
    const saved = opened.messages.at(-1);
    assert.ok(saved?.type === "saveCsv");
    assert.deepEqual(saved.extent, { rows: 2_000, cutRows: 0, cutValues: 0 });
    // Other content can't be taken for a result.
    await opened.answer({ type: "whole", runId: "whole", key: line.key, result: "{" });
    await page.getByRole("row").nth(1).getByText("3,001").waitFor();
  });

  it("truncated bytes show their length", async () => {
    await draw(lineOf("eth_getCode", cutResult("data", `0x${"ab".repeat(24_576)}`, 4_000)));
    await page.getByText("24,576 bytes").waitFor();
  });

  const asked: readonly (readonly [source: string, method: string, shown: string])[] = [
    ["usdc = call $usdc balanceOf(address)(uint256) $me", "eth_call", "call $usdc balanceOf(…) $me"],
    ["call $usdc totalSupply()(uint256)", "eth_call", "call $usdc totalSupply()(uint256)"],
    [`eth_getBalance ${alice} latest`, "eth_getBalance", "eth_getBalance 0xd8da…6045 latest"],
    ["eth_call {\n  to: $usdc,\n  data: 0x\n} latest", "eth_call", "eth_call { to: $usdc, data: 0x } latest"],
    [
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xaa","latest"]}',
      "eth_getBalance",
      "eth_getBalance 0xaa,latest",
    ],
    ['{"jsonrpc":"2.0","method":"eth_chainId","id":1}', "eth_chainId", "eth_chainId"],
  ];

  it("a row shows its request, shortened", async () => {
    for (const [source, method, shown] of asked) assert.equal(requestText({ source, method }), shown);
    await draw(
      ...asked.map(([source, method], line) => lineOf(method, result("quantity", "0x1"), { source, line })),
    );
    for (const [, , shown] of asked) await page.locator(".opener", { hasText: shown }).first().waitFor();
  });

  it("a comparison shows the line numbers", async () => {
    const lines = [mainnet, testnet].flatMap(({ slug: network }) =>
      [2, 5].map((line) => lineOf("eth_gasPrice", result("wei", "0x1"), { network, line })),
    );
    await opened.draw(outputOf(lines, { networks: [mainnet, testnet] }));
    const heads = page.getByRole("rowheader");
    assert.deepEqual(await heads.allInnerTexts(), ["3", "6", "Total"]);
  });

  it("logs of one event have a column for each of its parameters", async () => {
    const logs = [log, log] as unknown as Json;
    const decoded = { kind: "events", events: [transferEvent, transferEvent] } as const;
    await draw(lineOf("eth_getLogs", result("logs", logs, { decoded })));
    const heads = page.getByRole("region", { name: "Logs" }).getByRole("columnheader");
    assert.deepEqual(await heads.allInnerTexts(), [
      "#",
      "Block",
      "Transaction",
      "Contract",
      "Event",
      "from",
      "to",
      "value",
    ]);
    const other = { ...transferEvent, name: "Approval" };
    const mixed = { kind: "events", events: [transferEvent, other] } as const;
    await draw(lineOf("eth_getLogs", result("logs", logs, { decoded: mixed })));
    assert.deepEqual(await heads.allInnerTexts(), ["#", "Block", "Transaction", "Contract", "Event"]);
  });

  it("calldata in a trace is shown as the function with its arguments", async () => {
    const call = {
      input: callTrace.input,
      name: "transfer",
      values: [
        { name: "to", type: "address", value: alice },
        { name: "amount", type: "uint256", value: "1500" },
      ],
    };
    const decoded = { kind: "calls", calls: [call] } as const;
    await draw(lineOf("debug_traceTransaction", result("trace", callTrace as unknown as Json, { decoded })));
    await page.getByText("transfer(to 0xd8da6b…a96045, amount 1,500)").first().waitFor();
    await page.getByText("0x70a08231", { exact: true }).waitFor();
    await page.getByText("From, to, input, output").first().click();
    await page.getByRole("list", { name: "Arguments of transfer" }).getByText("1,500").waitFor();
  });

  it("a changed value is beside the former one, decoded where possible", async () => {
    const decodedAs = (value: string) => ({
      decoded: { kind: "values", values: [{ name: "balance", type: "uint256", value }] } as const,
    });
    const word = (digits: string) => `0x${digits.padStart(64, "0")}`;
    const was = result("data", word("5"), decodedAs("5")) as RpcResult;
    const changes = [{ path: "", before: word("5"), now: word("7") }];
    const line = lineOf("eth_call", result("data", word("7"), decodedAs("7")), {
      changed: [""],
      changes,
      was,
    });
    const plain = lineOf("eth_getBalance", result("wei", "0x1bc16d674ec80000"), {
      line: 1,
      changed: [""],
      was: result("wei", "0xde0b6b3a7640000") as RpcResult,
    });
    await draw(line, plain);
    await page.locator("td.result", { hasText: "balance 7 was balance 5" }).waitFor();
    await page.locator("td.result", { hasText: "2 ETH was 1 ETH" }).waitFor();
    await page.locator(".opener").first().click();
    await page.getByRole("row", { name: "balance 5 7" }).waitFor();
  });

  it("an address without code says so", async () => {
    await draw(lineOf("eth_getCode", result("data", "0x")));
    assert.equal(await page.locator(".large").innerText(), "no code at this address");
    await draw(
      lineOf("eth_getCode", result("data", "0x")),
      lineOf("eth_call", result("data", "0x"), { line: 1 }),
    );
    await page.locator("td.result", { hasText: /^no code at this address$/ }).waitFor();
    await page.locator("td.result", { hasText: "there is no code at this address, or" }).waitFor();
  });
});
