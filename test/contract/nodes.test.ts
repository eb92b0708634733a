// The chain proxy with real nodes, if a node program is installed: the tiers whose methods the simulated chain lacks.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Charged, ClientEvent } from "../../src/api/call/client.ts";
import { startTestSandbox, type TestSandbox } from "../serviceKit/testSandbox.ts";
import { apiOf, type TableApi, transports } from "./suite/suite.ts";
import { targetOf } from "./suite/target.ts";

describe("real nodes", () => {
  let sandbox: TestSandbox;
  let api: TableApi;
  const transport = transports.host();
  before(async () => {
    sandbox = await startTestSandbox({ limits: "none" });
    api = apiOf(
      targetOf(sandbox, "standard", Date.now, () => {}),
      transport,
    );
  });
  after(async () => {
    await sandbox.close();
    await transport.close();
  });

  async function call(method: string, params: unknown[] = [], network = "ethereum-mainnet") {
    const charges: Charged[] = [];
    const observe = (event: ClientEvent) => void (event.type === "charged" && charges.push(event));
    const body = { jsonrpc: "2.0", method, params, id: 1 } as const;
    const reply = await api.rpc.call({ network, body }, { observe });
    const fact = charges[0]?.fact;
    assert.ok(!Array.isArray(reply) && fact?.by === "credits");
    return { reply, credits: fact.credits };
  }

  test("a node is running", async () => {
    const { reply } = await call("web3_clientVersion");
    assert.match(String(reply.result), /^anvil/);
  });

  test("methods of each tier cost what the spec says", async () => {
    const expected = { eth_blockNumber: 20, txpool_status: 40, txpool_inspect: 40, txpool_content: 80 };
    for (const [method, credits] of Object.entries(expected)) {
      assert.equal((await call(method)).credits, credits, method);
    }
    assert.equal((await call("trace_block", ["latest"])).credits, 40);
    assert.equal((await call("eth_call", ["nonsense"])).credits, 5);
    assert.equal((await call("eth_chainId", [], "zksync-mainnet")).credits, 30);
  });

  test("each network is a node with its own chain id", async () => {
    const ids = { "ethereum-mainnet": 1, "base-mainnet": 8453, "polygon-amoy": 80_002 };
    for (const [network, id] of Object.entries(ids)) {
      const { reply } = await call("eth_chainId", [], network);
      assert.equal(Number(reply.result), id);
    }
  });
});
