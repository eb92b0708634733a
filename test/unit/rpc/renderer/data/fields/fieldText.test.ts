import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Json } from "../../../../../../src/rpc/output/rpcOutput.ts";
import { toFeeRows } from "../../../../../../src/rpc/renderer/data/feeRows.ts";
import { columnsOf } from "../../../../../../src/rpc/renderer/data/fields/columns.ts";
import {
  changeText,
  cutFieldText,
  fieldText,
  jsonText,
  visible,
  type Writing,
} from "../../../../../../src/rpc/renderer/data/fields/fieldText.ts";
import {
  coinText,
  grouped,
  gweiText,
  timeText,
} from "../../../../../../src/rpc/renderer/data/fields/numbers.ts";
import { ownMembers, readOutput } from "../../../../../../src/rpc/renderer/data/readOutput.ts";
import { shortResult } from "../../../../../../src/rpc/renderer/data/shortResult.ts";
import { toComparison } from "../../../../../../src/rpc/renderer/data/toComparison.ts";
import { type TraceCall, toTraces } from "../../../../../../src/rpc/renderer/data/traceTree.ts";
import {
  alice,
  atMs,
  block,
  callTrace,
  feeHistory,
  flatTrace,
  lineOf,
  mainnet,
  outputOf,
  receipt,
  result,
  testnet,
  token,
  transaction,
} from "../../samples.ts";

const writing: Writing = { radix: "decimal", coin: "ETH", atMs };
const hex: Writing = { ...writing, radix: "hex" };

describe("readable values", () => {
  it("numbers of any size are exact", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (whole) => {
        const { text } = fieldText("nonce", `0x${whole.toString(16)}`, writing);
        assert.equal(BigInt(text.replaceAll(",", "")), whole);
        const [coins = "", fraction = ""] = coinText(whole, "").trim().replaceAll(",", "").split(".");
        assert.equal(BigInt(coins) * 10n ** 18n + BigInt(fraction.padEnd(18, "0")), whole);
        assert.equal(jsonText(`0x${whole.toString(16)}`, { radix: "decimal" }), String(whole));
      }),
    );
    assert.equal(gweiText(12_345_678_901n), "12.345678901 gwei");
    assert.equal(coinText(-1n, "ETH"), "-0.000000000000000001 ETH");
    assert.equal(grouped(-1234567n), "-1,234,567");
  });

  it("members are formatted by their names, and unchanged in hex mode", () => {
    assert.equal(fieldText("gasPrice", "0x2cb417800", writing).text, "12 gwei");
    assert.equal(fieldText("baseFeePerGas", "0x2cb417800", writing).text, "12 gwei");
    assert.equal(fieldText("value", "0x14d1120d7b160000", writing).text, "1.5 ETH");
    assert.equal(fieldText("value", "0x14d1120d7b160000", hex).text, "0x14d1120d7b160000");
    assert.match(
      fieldText("timestamp", block.timestamp, writing).text,
      /^2026-05-01 11:59:18 UTC \(42 s before the run\)$/,
    );
    assert.equal(
      fieldText("timestamp", Number(block.timestamp), writing).text,
      fieldText("timestamp", block.timestamp, writing).text,
    );
    assert.equal(timeText(1n << 90n, atMs), grouped(1n << 90n));
  });

  it("addresses, hashes and data are not numbers", () => {
    for (const text of [alice, block.hash, "0x", "0x00", "0x0012", "12", "0xzz"]) {
      assert.equal(fieldText("value", text, writing).text, text);
    }
  });

  it("hidden and bidirectional characters are shown as code points, and long text is cut", () => {
    assert.equal(visible("a\u202eb\u0000c\u200b"), "a\\u202eb\\u0000c\\u200b");
    assert.equal(visible("naïve ✓ 数 \n"), "naïve ✓ 数 \n");
    assert.equal(cutFieldText("x".repeat(5000), 10), `${"x".repeat(10)}… (5,000 characters)`);
  });

  it("each kind of result has a summary", () => {
    const short = (outcome: Parameters<typeof lineOf>[1], how = writing) =>
      shortResult(lineOf("m", outcome), how);
    assert.equal(short(result("wei", "0x14d1120d7b160000")), "1.5 ETH");
    assert.equal(short(result("wei", "0x14d1120d7b160000"), hex), "0x14d1120d7b160000");
    assert.equal(short(result("quantity", "0x121eac0")), "19,000,000");
    assert.equal(short(result("block", block as unknown as Json)), "block 19,000,000, 60 transactions");
    assert.equal(short(result("transaction", transaction)), "0xd8da6b…a96045 → 0x833589…a02913, 1.5 ETH");
    assert.equal(short(result("receipt", receipt)), "succeeded, 46,097 gas, 2 logs");
    assert.equal(
      short(result("receipt", { ...receipt, status: "0x0", logs: [] })),
      "failed, 46,097 gas, 0 logs",
    );
    assert.equal(short(result("logs", [])), "0 logs");
    assert.equal(short(result("trace", callTrace)), "CALL of 1 ETH, 120,000 gas, 2 calls");
    assert.equal(
      short(result("trace", { ...callTrace, calls: [], error: "out of gas" })),
      "CALL of 1 ETH, 120,000 gas, failed: out of gas",
    );
    assert.equal(
      short(
        result("trace", [
          { txHash: "0x1", result: callTrace },
          { txHash: "0x2", result: callTrace },
        ]),
      ),
      "2 traces",
    );
    assert.equal(
      shortResult(lineOf("starknet_chainId", result("quantity", "0x534e5f4d41494e")), writing),
      "SN_MAIN",
    );
    assert.equal(short(result("block", null)), "null");
    assert.match(short(result("feeHistory", feeHistory)), /^21 blocks, base fee [\d.]+ gwei$/);
    assert.equal(short({ kind: "error", code: -32000, message: "no" }), "error -32000: no");
    const revert = { name: "E", values: [{ name: "need", type: "uint256", value: "5" }] };
    assert.equal(short({ kind: "error", code: 3, message: "x", revert }), "reverted: E(need 5)");
    assert.equal(
      short({ kind: "error", code: 3, message: "x", revert: { ...revert, reason: "why" } }),
      "reverted: why",
    );
    assert.equal(short({ kind: "unsent", reason: "because" }), "because");
  });

  it("a change shows the old value, the new value and the difference", () => {
    assert.deepEqual(changeText({ path: "gasUsed", before: "0x10", now: "0x8" }, writing), {
      before: "16",
      now: "8",
      by: "-8",
    });
    assert.deepEqual(changeText({ path: "logs[0].data", now: "0x12ab" }, hex), {
      before: "missing",
      now: "0x12ab",
    });
  });
});

describe("traces", () => {
  const outline = (call: TraceCall): unknown[] => [
    call.type,
    call.gasUsed === undefined ? null : Number(call.gasUsed),
    ...call.children.map((child) => outline(call.read(child))),
  ];
  const all = (value: Json) => toTraces(value)?.map(({ call }) => outline(call));

  it("of the call tracer, of flat lists and of replays are trees", () => {
    const geth = ["CALL", 120_000, ["STATICCALL", 40_000], ["DELEGATECALL", 50_000, ["CALL", 5000]]];
    assert.deepEqual(all(callTrace), [geth]);
    assert.deepEqual(all([{ txHash: "0x1", result: callTrace }]), [geth]);
    const flat = ["call", 120_000, ["staticcall", 40_000], ["create", null]];
    assert.deepEqual(all(flatTrace), [flat]);
    assert.deepEqual(all({ output: "0x", stateDiff: null, trace: flatTrace, vmTrace: null }), [flat]);
    assert.deepEqual(all([{ trace: flatTrace, transactionHash: "0x2" }]), [flat]);
    assert.equal(toTraces([{ trace: flatTrace, transactionHash: "0x2" }])?.[0]?.title, "0x2");
  });

  it("of Starknet have an invocation for each part", () => {
    const call = { contract_address: "0x1", caller_address: "0x0", entry_point_type: "EXTERNAL", calls: [] };
    const trace = {
      type: "INVOKE",
      validate_invocation: call,
      execute_invocation: { ...call, calls: [call] },
    };
    assert.deepEqual(
      toTraces([{ transaction_hash: "0x5", trace_root: trace }])?.map(({ title }) => title),
      ["0x5: validate invocation", "0x5: execute invocation"],
    );
  });

  it("say why a call failed; other values are not traces", () => {
    const inner = toTraces(callTrace)?.[0]?.call;
    const delegate = inner?.read(inner.children[1] as never);
    assert.equal(delegate?.read(delegate.children[0] as never).error, "not enough");
    for (const value of [null, 1, "x", [], {}, [1, "x"], { structLogs: [] }, { type: 5 }]) {
      assert.equal(toTraces(value), undefined);
    }
  });

  it("and all other readers accept whatever a node sends", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const json = value as Json;
        for (const { call } of toTraces([json, { action: json, traceAddress: [json] }]) ?? []) outline(call);
        toFeeRows({ oldestBlock: "0x1", baseFeePerGas: [json], reward: [json], gasUsedRatio: [json] });
        for (const view of ["block", "receipt", "transaction", "logs", "feeHistory", "wei", "any"] as const) {
          assert.equal(typeof shortResult(lineOf("m", result(view, json)), writing), "string");
        }
        readOutput(value);
      }),
    );
  });
});

it("a fee history includes the next block, without its gas ratio", () => {
  const rows = toFeeRows(feeHistory);
  assert.equal(rows?.length, 21);
  assert.equal(rows?.at(-1)?.used, undefined);
  assert.equal(rows?.at(-1)?.block, BigInt(feeHistory.oldestBlock) + 20n);
  assert.equal(rows?.[0]?.tips.length, 2);
  assert.equal(toFeeRows({ baseFeePerGas: [] }), undefined);
});

it("columns are the members that rows share", () => {
  assert.deepEqual(
    columnsOf([
      { a: 1, b: {} },
      { a: 2, c: 3 },
    ]),
    ["a", "b", "c"],
  );
  const wide = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`m${at}`, at]));
  assert.equal(columnsOf([wide]).length, 14);
});

it("a comparison aligns the lines of the networks and marks the extremes", () => {
  const line = (network: string, at: number, value: string) =>
    lineOf("eth_gasPrice", result("wei", value), { network, line: at });
  const lines = [
    line(mainnet.slug, 0, "0x9"),
    line(mainnet.slug, 1, "0x1"),
    line(testnet.slug, 0, "0x3"),
    line(testnet.slug, 1, "0x1"),
  ];
  const [first, second] = toComparison(outputOf(lines, { networks: [mainnet, testnet] }));
  assert.deepEqual([first?.lowest, first?.highest], [1, 0]);
  assert.deepEqual([second?.lowest, second?.highest], [undefined, undefined]);
});

it("a payload of another shape is refused; a member named __proto__ is only data", () => {
  assert.ok(readOutput(outputOf([lineOf("m", result("any", token))])));
  for (const payload of [
    null,
    1,
    [],
    {},
    { ...outputOf([]), version: 2 },
    { ...outputOf([]), lines: [{}] },
  ]) {
    assert.equal(readOutput(payload), undefined);
  }
  assert.deepEqual([...ownMembers(JSON.parse('{"__proto__": 1}')).keys()], ["__proto__"]);
});
