// eth_simulateV1 returns no storage: a second request does, and its failure keeps the result of the first.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type AskNode, type NodeReply, simulate } from "../../../../src/rpc/simulate/simulate.ts";

const sender = `0x${"1".repeat(40)}`;
const contract = `0x${"2".repeat(40)}`;
const coin = `0x${"e".repeat(40)}`;
const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const topicOf = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

/** The reply of a transfer of 5 wei from the sender to the contract. */
function simulatedReply(gasUsed: string, status = "0x1"): NodeReply {
  const topics = [transferTopic, topicOf(sender), topicOf(contract)];
  const logs = [{ address: coin, topics, data: word(5) }];
  return { result: [{ calls: [{ status, gasUsed, returnData: "0x", logs }] }] };
}

/** A difference in which the contract receives an amount and stores 7 in slot 1. */
function diffReply(received: number): NodeReply {
  const amount = (value: number) => `0x${value.toString(16)}`;
  const pre = { [sender]: { balance: amount(100) }, [contract]: { balance: "0x0" } };
  const post = {
    [sender]: { balance: amount(100 - received) },
    [contract]: { balance: amount(received), storage: { [word(1)]: word(7) } },
  };
  return { result: { pre, post } };
}

async function simulatedWith(first: NodeReply, second: () => NodeReply, input = "0x01") {
  const asked: string[] = [];
  const ask: AskNode = async (method) => {
    asked.push(method);
    return method === "eth_simulateV1" ? first : second();
  };
  const found = await simulate({ from: sender, to: contract, value: "0x5", input }, ask);
  assert.ok("method" in found);
  assert.equal(found.method, "eth_simulateV1");
  return { ...found, asked };
}

describe("storage changes beside eth_simulateV1", () => {
  test("are those of debug_traceCall", async () => {
    const { storage, unknown, asked } = await simulatedWith(simulatedReply("0x6000"), () => diffReply(5));
    assert.deepEqual(storage, [{ account: contract, slot: word(1), before: word(0), now: word(7) }]);
    assert.equal(unknown.length, 1);
    assert.deepEqual(asked, ["eth_simulateV1", "debug_traceCall"]);
  });

  const error = { code: -32_601, message: "not offered" };
  const failures: readonly [title: string, second: () => NodeReply, unknown: string][] = [
    ["the node does not trace", () => ({ error }), "storage changes"],
    [
      "the trace has other balances",
      () => diffReply(6),
      "storage changes (debug_traceCall has another result)",
    ],
    [
      "the trace has another form",
      () => ({ result: "none" }),
      "storage changes (debug_traceCall has another result)",
    ],
    [
      "the second request fails",
      () => {
        throw new Error("The connection was reset");
      },
      "storage changes (debug_traceCall failed)",
    ],
  ];
  for (const [title, second, expected] of failures)
    test(`are unknown if ${title}; the rest is kept`, async () => {
      const { storage, unknown, balances, status } = await simulatedWith(simulatedReply("0x6000"), second);
      assert.equal(storage, undefined);
      assert.equal(unknown[0], expected);
      assert.equal(status, "success");
      assert.equal(balances?.get(contract), 5n);
    });

  test("are not asked for if no code ran or the call reverted", async () => {
    const none = () => assert.fail("One request is enough");
    const transfer = await simulatedWith(simulatedReply("0x5208"), none, "0x");
    assert.deepEqual(transfer.storage, []);
    const reverted = await simulatedWith(simulatedReply("0x6000", "0x0"), none);
    assert.equal(reverted.status, "reverted");
    assert.deepEqual(reverted.asked, ["eth_simulateV1"]);
  });
});
