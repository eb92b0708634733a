// A network without eth_simulateV1 is copied into a node on this machine, with the same results and within a limit.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findAnvil } from "../../../../src/platform/process/anvil.ts";
import { createForks, type Forks } from "../../../../src/rpc/fork/forks.ts";
import type { RpcSimulation } from "../../../../src/rpc/output/rpcOutput.ts";
import { estimateSimulation } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import type { Sender } from "../../../../src/rpc/run/senders.ts";
import { canFork, mostForkCalls } from "../../../../src/rpc/simulate/simulate.ts";
import { projectOf } from "../notebook.ts";
import { contracts, createRandom, randomCall } from "../randomCalls.ts";
import { openRefusingNode, type RefusingNode } from "../refusingNode.ts";
import { senderTo, simulateCall, simulateLines } from "../simulated.ts";

/** Reads as many slots as its calldata says, from slot 1 on. */
const reader = ["0x1000000000000000000000000000000000000005", "0x5f355b8054506001900380600257005b"] as const;

let node: RefusingNode;
let binary: string;
let accounts: readonly string[];

before(async () => {
  binary = (await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH })) ?? "";
  node = await openRefusingNode();
  accounts = (await node.ask("eth_accounts")) as string[];
  await node.ask("evm_setAutomine", false);
  for (const [address, code] of [...Object.values(contracts), reader])
    await node.ask("anvil_setCode", address, code);
});
after(() => node.close());

async function withForks<T>(use: (forks: Forks) => Promise<T>, program = binary): Promise<T> {
  const forks = createForks(program);
  try {
    return await use(forks);
  } finally {
    await forks.close();
  }
}

const on = (forks: Forks) => ({ unoffered: new Set(["local eth_simulateV1"]), forks });

describe("a forked node", () => {
  const count = Number(process.env.INFERENCE_SIMULATIONS ?? 100);
  const perFork = 10;

  test(`returns the results of eth_simulateV1 for ${count} random transactions, ten in sequence`, async () => {
    const random = createRandom(64);
    const statuses = new Map<string, number>();
    for (let done = 0; done < count; done += perFork)
      await withForks(async (forks) => {
        const simulating = on(forks);
        for (let at = 0; at < perFork; at++) {
          const call = randomCall(random, accounts);
          node.refused = [];
          const expected = await simulateCall(call, senderTo(node.url));
          assert.equal(expected.method, "eth_simulateV1");
          node.refused = ["eth_simulateV1", "debug_traceCall", "eth_call"];
          const found = await simulateCall(call, senderTo(node.url), simulating);
          assert.deepEqual(sorted(found), sorted({ ...expected, method: "a forked anvil" }));
          statuses.set(found.status, (statuses.get(found.status) ?? 0) + 1);
          // The next one is simulated after this one, on the network and on the copy.
          await node.ask("eth_sendTransaction", call);
          await node.ask("evm_mine");
        }
      });
    assert.deepEqual([...statuses.keys()].sort(), ["reverted", "success"]);
  });

  test("reads each value once, and the access list of a transaction in one request", async () => {
    node.refused = ["eth_simulateV1"];
    const requests: number[] = [];
    const sender = watched((calls) => requests.push(calls));
    await withForks(async (forks) => {
      const call = { from: accounts[0] ?? "", to: reader[0], data: wordOf(20), gas: "0x100000" };
      const first = await simulateCall(call, sender, on(forks));
      assert.equal(first.status, "success");
      const all = requests.reduce((sum, calls) => sum + calls, 0);
      // The block, what the transaction uses, and its values: 20 slots, and three of each account.
      assert.ok(requests.length <= 4 && all <= 20 + 3 * 3 + 3, requests.join());
      requests.length = 0;
      await simulateCall(call, sender, on(forks));
      assert.deepEqual(requests, [1]);
    });
  });

  test("stops at the limit of calls; debug_traceCall is used and the reason is shown", async () => {
    // Without the list of what the transaction uses, each slot is a call.
    node.refused = ["eth_simulateV1", "eth_createAccessList"];
    node.passed.length = 0;
    await withForks(async (forks) => {
      const call = { from: accounts[0] ?? "", to: reader[0], data: wordOf(500), gas: "0x1000000" };
      const found = await simulateCall(call, senderTo(node.url), on(forks));
      assert.deepEqual([found.method, found.status], ["debug_traceCall", "success"]);
      assert.match(found.notForked ?? "", /^Anvil could not fork the network: .* more than 100 calls$/);
      const reads = node.passed.filter((method) => !method.startsWith("debug_"));
      assert.ok(reads.length > mostForkCalls / 2 && reads.length <= mostForkCalls, `${reads.length}`);
      node.passed.length = 0;
      const next = await simulateCall(call, senderTo(node.url), on(forks));
      assert.equal(next.notForked, found.notForked);
      assert.deepEqual([...new Set(node.passed)], ["debug_traceCall"]);
    });
  });

  test("without all values returns no result, but the error of the network", async () => {
    node.refused = ["eth_simulateV1", "eth_getStorageAt"];
    await withForks(async (forks) => {
      const call = { from: accounts[0] ?? "", to: reader[0], data: wordOf(3), gas: "0x100000" };
      const found = await simulateCall(call, senderTo(node.url), on(forks));
      assert.equal(found.method, "debug_traceCall");
      assert.match(found.notForked ?? "", /eth_getStorageAt: the method eth_getStorageAt does not exist/);
    });
  });

  for (const broken of ["/bin/true", "/nowhere/anvil", "/dev/null"])
    test(`whose binary is ${broken} does not start; debug_traceCall is used and the reason is shown`, async () => {
      node.refused = ["eth_simulateV1"];
      await withForks(async (forks) => {
        const output = await simulateLines(
          `eth_sendTransaction { from: ${accounts[0]}, to: ${accounts[1]}, value: 5 }`,
          senderTo(node.url),
          { simulating: on(forks) },
        );
        const [line] = output.lines;
        assert.equal(line?.simulation?.method, "debug_traceCall");
        assert.match(line?.simulation?.notForked ?? "", /^Anvil could not fork the network: /);
        assert.ok(line?.outcome.kind === "unsent");
        assert.match(line.outcome.reason, /Anvil could not fork the network: .+\.$/);
      }, broken);
    });

  test("is not used for networks with their own EVM rules", () => {
    const forked = ["ethereum-mainnet", "base-sepolia", "local", "scroll-mainnet"];
    const others = [
      "arbitrum-mainnet",
      "robinhood-mainnet",
      "zksync-sepolia",
      "solana-devnet",
      "starknet-sepolia",
    ];
    assert.deepEqual([...forked, ...others].filter(canFork), forked);
  });

  test("adds its limit of calls to the price of each transaction, where it may be used", () => {
    const line = `eth_sendTransaction { from: ${accounts[0]}, to: ${accounts[1]} }`;
    const added = (network: string) => {
      const project = projectOf([`@network ${network}\n${line}\n${line}`]);
      const [most, least] = [true, false].map(
        (hasAnvil) => estimateSimulation(planCell(project, 0), hasAnvil).credits,
      );
      return (most ?? 0) - (least ?? 0);
    };
    const networks = ["base-sepolia", "base-sepolia ethereum-sepolia", "arbitrum-sepolia", "local"];
    const one = 2 * mostForkCalls * 20;
    assert.deepEqual(networks.map(added), [one, 2 * one, 0, 0]);
  });
});

/** Sends to the node, and reports the number of calls of each request. */
function watched(onRequest: (calls: number) => unknown): Sender {
  const sender = senderTo(node.url);
  return {
    send(network, body, options) {
      onRequest([body].flat().length);
      return sender.send(network, body, options);
    },
  };
}

function wordOf(value: number): string {
  return `0x${value.toString(16).padStart(64, "0")}`;
}

/** The lists have no order. */
function sorted({ balances = [], storage = [], ...rest }: RpcSimulation): unknown {
  const texts = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  return { ...rest, balances: texts(balances), storage: texts(storage) };
}
