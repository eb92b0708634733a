// A network without eth_simulateV1 is copied into a node on this machine, with the same results and within a limit.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createForks, type Forks } from "../../../src/features/rpc/fork/forks.ts";
import { mostForkCalls } from "../../../src/features/rpc/simulate/simulate.ts";
import { findAnvil } from "../../../src/platform/anvil/findAnvil.ts";
import type { RpcSimulation } from "../../../src/shared/rpcOutput.ts";
import { contracts, createRandom, randomCall } from "./randomCalls.ts";
import { openRefusingNode, type RefusingNode } from "./refusingNode.ts";
import { senderTo, simulateCall, simulateLines } from "./simulated.ts";

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

  test(`gives the results of eth_simulateV1: ${count} random transactions, ten after each other`, async () => {
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
});

/** The lists have no order. */
function sorted({ balances = [], storage = [], ...rest }: RpcSimulation): unknown {
  const texts = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).sort();
  return { ...rest, balances: texts(balances), storage: texts(storage) };
}
