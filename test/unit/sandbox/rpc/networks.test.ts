// The chain proxy: spec E3, Chain-RPC limits; wire.md sections 2 and 9.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tierOf } from "../../../../src/sandbox/rpc/methods.ts";
import { networksOf } from "../../../../src/sandbox/rpc/networks.ts";
import { item, openProxy, refusal, refusedWith } from "./rpcProxy.ts";

const head = item("eth_blockNumber");
const bad = item("eth_getBalance", ["0x1", "latest"]);

describe("an answer", () => {
  test("has the id of its call, alone and in a batch", async () => {
    const { call } = openProxy();
    assert.deepEqual((await call(item("eth_chainId", [], "a"))).body, {
      jsonrpc: "2.0",
      id: "a",
      result: "0x1",
    });
    const batch = [item("eth_chainId", [], 7), item("net_version", undefined, "7"), { ...bad, id: null }];
    const { body } = await call(batch);
    const [first, second, third] = body as { id: unknown; result?: unknown; error?: { code: number } }[];
    assert.deepEqual([first?.id, first?.result, second?.id, second?.result], [7, "0x1", "7", "1"]);
    assert.deepEqual([third?.id, third?.error?.code], [null, -32602]);
  });

  test("to a single call without an id has null", async () => {
    const { body } = await openProxy().call({ jsonrpc: "2.0", method: "eth_chainId" });
    assert.deepEqual(body, { jsonrpc: "2.0", id: null, result: "0x1" });
  });
});

describe("credits", () => {
  const cases: readonly (readonly [network: string, method: string, credits: number])[] = [
    ["ethereum-mainnet", "eth_blockNumber", 20],
    ["starknet-mainnet", "starknet_blockNumber", 20],
    ["zksync-mainnet", "eth_blockNumber", 30],
    ["zksync-sepolia", "zks_L1BatchNumber", 30],
    ["solana-mainnet", "getSlot", 30],
    ["solana-devnet", "getSupply", 120],
    ["solana-mainnet", "getLargestAccounts", 120],
    // The simulated chain does not have these methods: an error item costs 5, whatever its tier.
    ["ethereum-mainnet", "trace_block", 5],
    ["polygon-amoy", "txpool_content", 5],
    ["solana-mainnet", "eth_blockNumber", 5],
    ["ethereum-mainnet", "getSlot", 5],
  ];
  for (const [network, method, credits] of cases) {
    test(`${method} on ${network}: ${credits}`, async () => {
      const { call } = openProxy({ dialect: "venice" });
      assert.equal((await call(item(method), { network })).credits, credits);
    });
  }

  test("tiers weigh one, two and four times the base", () => {
    const weight = (method: string) => tierOf(method, "standard");
    const of = (multiplier: number) => ({ multiplier });
    for (const method of ["eth_call", "bor_getAuthor", "eth_sendUserOperation"]) {
      assert.deepEqual(weight(method), of(1), method);
    }
    for (const method of ["trace_call", "debug_traceBlockByHash", "txpool_status", "arbtrace_block"]) {
      assert.deepEqual(weight(method), of(2), method);
    }
    for (const method of ["trace_replayTransaction", "txpool_content", "arbtrace_replayTransaction"]) {
      assert.deepEqual(weight(method), of(4), method);
    }
  });

  test("of a batch are summed: 20 and an error make 25, at 6.25e-7 each", async () => {
    const { call, spent } = openProxy();
    const { credits, costUsd, replayed } = await call([head, { ...bad, id: 2 }]);
    assert.deepEqual([credits, costUsd, replayed], [25, "0.00001563", false]);
    const facts = { callerId: "caller", network: "ethereum-mainnet", requestId: "request" };
    assert.deepEqual(spent, [{ ...facts, credits: 25, usdPerCredit: 6.25e-7 }]);
  });

  test("have the dialect's price, or the configured one", async () => {
    const cost = async (options: Parameters<typeof openProxy>[0]) =>
      (await openProxy(options).call(head)).costUsd;
    assert.equal(await cost({}), "0.00001250");
    assert.equal(await cost({ dialect: "venice" }), "0.00001400");
    assert.equal(await cost({ usdPerCredit: 1e-6 }), "0.00002000");
  });
});

describe("refused requests", () => {
  test("methods off the allowlist, each one named, and nothing is executed", async () => {
    const { call, reached, spent } = openProxy();
    const methods = ["eth_subscribe", "eth_newFilter", "eth_sign", "eth_chainId", "anvil_mine", "getSlot"];
    const { status, message } = await refusal(call(methods.map((method, id) => item(method, [], id))));
    assert.equal(status, 400);
    for (const method of methods) assert.equal(message.includes(method), method !== "eth_chainId", method);
    assert.deepEqual([reached(), spent.length], [0, 0]);
  });

  test("all methods that the spec lists, and similar prefixes", async () => {
    const { call } = openProxy();
    const listed =
      "eth_subscribe eth_unsubscribe eth_newFilter eth_getFilterChanges eth_getFilterLogs eth_uninstallFilter " +
      "eth_newBlockFilter eth_newPendingTransactionFilter eth_sign eth_accounts eth_mining eth_hashrate " +
      "eth_getWork eth_submitWork evm_mine personal_sign zks constructor __proto__";
    for (const method of listed.split(" ")) {
      await refusedWith(400, call(item(method)), new RegExp(method));
    }
  });

  test("items that break a rule, each named by its index", async () => {
    const { call } = openProxy();
    const { status, details } = await refusal(
      call([
        { jsonrpc: "1.0", method: "eth_chainId", id: 1 },
        { jsonrpc: "2.0", method: "", id: 2 },
        { jsonrpc: "2.0", method: "eth_chainId", id: 3, params: "0x" },
        { jsonrpc: "2.0", method: "eth_chainId", id: {} },
        { jsonrpc: "2.0", method: "eth_chainId", id: 5, extra: 1 },
        head,
        7,
      ]),
    );
    assert.equal(status, 400);
    const paths = details.issues?.map(({ path }) => path.join("."));
    assert.deepEqual(paths, ["0.jsonrpc", "1.method", "2.params", "3.id", "4", "6"]);
  });

  test("batches of none, of over 100, and with missing or duplicate ids", async () => {
    const { call } = openProxy();
    const many = (count: number) => Array.from({ length: count }, (_, id) => item("eth_chainId", [], id));
    await refusedWith(400, call([]), /at least one/);
    await refusedWith(400, call(many(101)), /at most 100/);
    assert.equal((await call(many(100))).credits, 2_000);
    const twice = await refusal(call([head, { ...head, id: "1" }, head]));
    assert.deepEqual(
      twice.details.issues?.map(({ path }) => path),
      [[2, "id"]],
    );
    const missing = await refusal(call([head, { jsonrpc: "2.0", method: "eth_chainId" }]));
    assert.deepEqual(
      missing.details.issues?.map(({ path }) => path),
      [[1, "id"]],
    );
  });

  test("bodies that are no call", async () => {
    const { call } = openProxy();
    for (const body of [undefined, null, "eth_chainId", 1, {}]) await refusedWith(400, call(body));
  });

  test("networks that the dialect does not have", async () => {
    await refusedWith(404, openProxy().call(head, { network: "dogecoin-mainnet" }), /dogecoin-mainnet/);
    await refusedWith(404, openProxy().call(head, { network: "solana-mainnet" }));
    await openProxy({ dialect: "venice" }).call(head, { network: "solana-mainnet" });
  });
});

test("there are 23 networks, or 27", () => {
  assert.equal(networksOf("standard").length, 23);
  assert.equal(networksOf("venice").length, 27);
  const ids = networksOf("venice").flatMap(({ chainId }) => chainId ?? []);
  assert.equal(new Set(ids).size, ids.length);
});
