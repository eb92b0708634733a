// What an agent gets beside the raw reply of a chain: values as a person would read them, and never a failure.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { decodeReply } from "../../../../../src/rpc/run/reply/decodeReply.ts";
import { randomCases } from "../../../../runner/cases.ts";

const decode = (
  method: string,
  reply: object,
  params: readonly unknown[] = [],
  network = "ethereum-mainnet",
) => decodeReply(evm, { network, method, params }, reply);
const word = (value: bigint | number) => value.toString(16).padStart(64, "0");
const account = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";

test("quantities are decimals with the unit of their method or member", () => {
  assert.deepEqual(decode("eth_blockNumber", { result: "0x10" }), { result: "16" });
  assert.deepEqual(decode("eth_gasPrice", { result: "0x3b9aca00" }), { result: "1000000000 wei = 1 gwei" });
  const balance = { result: "0xde0b6b3a7640000" };
  assert.deepEqual(decode("eth_getBalance", balance), { result: "1000000000000000000 wei = 1 ETH" });
  const inPol = decode("eth_getBalance", balance, [], "polygon-mainnet");
  assert.deepEqual(inPol, { result: "1000000000000000000 wei = 1 POL" });
  const block = {
    number: "0x1",
    timestamp: "0x65920080",
    baseFeePerGas: "0x77359400",
    hash: `0x${word(7)}`,
    extraData: "0x12",
  };
  assert.deepEqual(decode("eth_getBlockByNumber", { result: block }), {
    "result.number": "1",
    "result.timestamp": "2024-01-01T00:00:00.000Z",
    "result.baseFeePerGas": "2000000000 wei = 2 gwei",
  });
});

test("events, calldata, results of well-known functions and reasons of reverts are decoded", () => {
  const topic = `0x${word(BigInt(account))}`;
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const logs = [{ topics: [transfer, topic, topic], data: `0x${word(5)}`, logIndex: "0x2" }];
  const found = decode("eth_getLogs", { result: logs });
  assert.match(
    found["result[0]"] ?? "",
    /^Transfer\(from 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045, .*value 5\)$/,
  );
  assert.equal(found["result[0].logIndex"], "2");
  const input = `0xa9059cbb${word(BigInt(account))}${word(9)}`;
  const sent = decode("eth_getTransactionByHash", { result: { input, value: "0x0" } });
  assert.match(sent["result.input"] ?? "", /^transfer\(to 0xd8dA.*amount 9\)$/);
  assert.equal(sent["result.value"], "0 wei = 0 ETH");
  const symbol = `0x${word(32)}${word(4)}${Buffer.from("USDC").toString("hex").padEnd(64, "0")}`;
  assert.deepEqual(decode("eth_call", { result: symbol }, [{ to: account, data: "0x95d89b41" }, "latest"]), {
    result: "(USDC)",
  });
  const unknown = decode("eth_call", { result: `0x${word(77)}` }, [{ to: account, data: "0x12345678" }]);
  assert.deepEqual(unknown, { result: "as uint256: 77" });
  const reverted = `0x08c379a0${word(32)}${word(2)}${Buffer.from("no").toString("hex").padEnd(64, "0")}`;
  const error = { code: 3, message: "execution reverted", data: reverted };
  assert.match(decode("eth_call", { error })["error.data"] ?? "", /^Error\(.*no\): no$/);
});

test("what has no known form is left out, and a long reply is decoded up to a bound", () => {
  assert.deepEqual(decode("eth_getCode", { result: "0x10" }), {});
  assert.deepEqual(decode("web3_clientVersion", { result: "Geth" }), {});
  assert.deepEqual(decode("eth_getBlockByNumber", { result: null }), {});
  const many = decode("eth_getLogs", {
    result: Array.from({ length: 1000 }, () => ({ blockNumber: "0x1" })),
  });
  assert.equal(Object.keys(many).length, 201);
  assert.equal(many["…"], "at least 800 more values were not decoded");
});

test("no reply fails or takes long", () => {
  const methods = fc.constantFrom("eth_call", "eth_getLogs", "eth_getBalance", "debug_traceCall", "nothing");
  const hex = fc.stringMatching(/^[0-9a-f]{0,200}$/);
  const reply = fc.record(
    {
      result: fc.jsonValue(),
      error: fc.record({
        data: fc.oneof(
          hex.map((digits) => `0x${digits}`),
          fc.jsonValue(),
        ),
      }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(methods, reply, fc.array(fc.jsonValue(), { maxLength: 2 }), (method, value, params) => {
      const decoded = decode(method, value, params);
      for (const text of Object.values(decoded)) assert.equal(typeof text, "string");
    }),
    { numRuns: randomCases(200) },
  );
});
