// The simulated chains, which serve without a node program: replies shaped like a real node's, the same at every start.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { mnemonicToAccount } from "viem/accounts";
import { findAnvil } from "../../../../src/platform/process/anvil.ts";
import type { CallOutcome, Chain } from "../../../../src/sandbox/rpc/chain.ts";
import { type Chains, createChains } from "../../../../src/sandbox/rpc/chains.ts";
import { networksOf } from "../../../../src/sandbox/rpc/networks.ts";
import { createClock } from "../clock.ts";

const never = new AbortController().signal;
const account = mnemonicToAccount("test test test test test test test test test test test junk");
const receiver = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const nobody = `0x${"12".repeat(20)}`;
const noHash = `0x${"34".repeat(32)}`;

async function chainOf(chains: Chains, slug: string): Promise<Chain> {
  const network = networksOf("venice").find((each) => each.slug === slug);
  assert.ok(network);
  return chains.of(network);
}

function standins(): Chains {
  return createChains({ now: createClock().now, nodeBinary: undefined });
}

async function ask(chain: Chain, method: string, ...params: readonly unknown[]): Promise<CallOutcome> {
  const [outcome] = await chain.answer([{ method, params }], never);
  assert.ok(outcome);
  return outcome;
}

async function result<Result = unknown>(
  chain: Chain,
  method: string,
  ...params: readonly unknown[]
): Promise<Result> {
  const outcome = await ask(chain, method, ...params);
  assert.ok("result" in outcome, `${method}: ${JSON.stringify(outcome)}`);
  return outcome.result as Result;
}

async function errorCode(chain: Chain, method: string, ...params: readonly unknown[]): Promise<number> {
  const outcome = await ask(chain, method, ...params);
  assert.ok("error" in outcome, `${method}: ${JSON.stringify(outcome)}`);
  return outcome.error.code;
}

function signed(chainId: number, nonce: number, more: object = {}) {
  const fees = { gas: 21_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
  const transaction = { type: "eip1559", chainId, nonce, to: receiver, value: 5n, ...fees, ...more } as const;
  return account.signTransaction(transaction as Parameters<typeof account.signTransaction>[0]);
}

/** Members that only anvil adds. */
const ownMembers = new Set(["blockTimestamp", "requestsHash", "blobGasPrice"]);

/** The type of a value: quantities and bytes of fixed length are distinguished. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shapeOf(value[0])];
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([name]) => !ownMembers.has(name));
    return Object.fromEntries(members.sort().map(([name, member]) => [name, shapeOf(member)]));
  }
  if (typeof value !== "string" || !value.startsWith("0x")) return typeof value;
  const bytes = (value.length - 2) / 2;
  return bytes === 20 || bytes === 32 || bytes === 256 ? `${bytes} bytes` : "hex";
}

describe("the simulated EVM chain", () => {
  let real: Chain;
  let simulated: Chain;
  const started: Chains[] = [];

  before(async () => {
    const nodeBinary = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    assert.ok(nodeBinary, "anvil is missing: run npm ci");
    started.push(createChains({ now: Date.now, nodeBinary }), standins());
    const [first, second] = await Promise.all(started.map((chains) => chainOf(chains, "optimism-mainnet")));
    assert.ok(first && second);
    real = first;
    simulated = second;
  });
  after(() => Promise.all(started.map((chains) => chains.close())));

  /** Sends a method to both, each with parameters for its own data. */
  async function sameShape(method: string, paramsOf: (chain: Chain) => Promise<readonly unknown[]>) {
    const shapes = [];
    for (const chain of [real, simulated]) {
      const outcome = await ask(chain, method, ...(await paramsOf(chain)));
      shapes.push("error" in outcome ? { error: outcome.error.code } : { result: shapeOf(outcome.result) });
    }
    assert.deepEqual(shapes[1], shapes[0]);
  }

  const plain: readonly (readonly [method: string, ...params: unknown[]])[] = [
    ["eth_chainId"],
    ["net_version"],
    ["net_listening"],
    ["eth_blockNumber"],
    ["eth_syncing"],
    ["eth_gasPrice"],
    ["eth_maxPriorityFeePerGas"],
    ["eth_feeHistory", "0x3", "latest", [25, 75]],
    ["eth_feeHistory", "0x3", "latest", []],
    ["eth_getBalance", receiver, "latest"],
    ["eth_getBalance", nobody, "earliest"],
    ["eth_getBalance", "0x1", "latest"],
    ["eth_getTransactionCount", receiver, "latest"],
    ["eth_getCode", nobody, "latest"],
    ["eth_getStorageAt", nobody, "0x0", "latest"],
    ["eth_call", { to: nobody, data: "0x" }, "latest"],
    ["eth_estimateGas", { from: receiver, to: nobody, value: "0x1" }],
    ["eth_getBlockByNumber", "0x0", false],
    ["eth_getBlockByNumber", "0xffffff", false],
    ["eth_getBlockByHash", noHash, false],
    ["eth_getBlockTransactionCountByNumber", "0x1"],
    ["eth_getUncleCountByBlockNumber", "0x1"],
    ["eth_getTransactionByHash", noHash],
    ["eth_getTransactionReceipt", noHash],
    ["eth_getTransactionByBlockNumberAndIndex", "0x1", "0x63"],
    ["eth_getLogs", { address: nobody, fromBlock: "0x0", toBlock: "latest" }],
    ["web3_clientVersion"],
    ["web3_sha3", "0x68"],
    ["eth_getBalance"],
    ["eth_sendRawTransaction", "0x1234"],
    ["eth_getTransactionByHash", "0x12"],
    ["eth_supportedEntryPoints"],
    ["eth_unknownMethod"],
  ];
  for (const [method, ...params] of plain) {
    test(`${method} ${JSON.stringify(params)} looks like a real node's`, () =>
      sameShape(method, async () => params));
  }

  test("a sent transaction, its block and its receipt look like a real node's", async () => {
    const sent = new Map<Chain, string>();
    for (const chain of [real, simulated]) {
      const nonce = Number(await result(chain, "eth_getTransactionCount", account.address, "latest"));
      const hash = await result<string>(chain, "eth_sendRawTransaction", await signed(10, nonce));
      sent.set(chain, hash);
      // A real node mines at once, but after its reply.
      while ((await result(chain, "eth_getTransactionReceipt", hash)) === null);
    }
    const hashIn = async (chain: Chain) => [sent.get(chain)];
    await sameShape("eth_getTransactionByHash", hashIn);
    await sameShape("eth_getTransactionReceipt", hashIn);
    await sameShape("eth_getBlockByNumber", async () => ["latest", true]);
    await sameShape("eth_getBlockByNumber", async () => ["latest", false]);
    await sameShape("eth_getBlockReceipts", async () => ["latest"]);
    await sameShape("eth_getTransactionByBlockNumberAndIndex", async () => ["latest", "0x0"]);
  });

  for (const [what, chainId, nonceOff, more] of [
    ["another chain's", 1, 0, {}],
    ["one with a nonce that was used", 10, -1, {}],
    ["one that nobody can pay for", 10, 0, { value: 10n ** 30n }],
    ["one with too little gas", 10, 0, { gas: 20_999n }],
  ] as const) {
    test(`of signed transactions, ${what} is refused like by a real node`, () =>
      sameShape("eth_sendRawTransaction", async (chain) => {
        const nonce = Number(await result(chain, "eth_getTransactionCount", account.address, "latest"));
        return [await signed(chainId, nonce + nonceOff, more)];
      }));
  }

  test("its history is the same after each start, and different for each network", async () => {
    const block = async (slug: string) =>
      result(await chainOf(standins(), slug), "eth_getBlockByNumber", "0x5", true);
    assert.deepEqual(await block("base-mainnet"), await block("base-mainnet"));
    assert.notDeepEqual(await block("base-mainnet"), await block("bsc-mainnet"));
  });

  test("blocks are linked by hashes", async () => {
    const chain = await chainOf(standins(), "base-mainnet");
    type Block = { hash: string; parentHash: string; number: string; transactions: { hash: string }[] };
    let block = await result<Block>(chain, "eth_getBlockByNumber", "latest", true);
    for (; block.number !== "0x0"; ) {
      const { hash } = block.transactions[0] ?? {};
      const receipt = await result<{ blockHash: string }>(chain, "eth_getTransactionReceipt", hash);
      assert.equal(receipt.blockHash, block.hash);
      block = await result<Block>(chain, "eth_getBlockByHash", block.parentHash, true);
    }
  });

  test("transfers change value, gas and nonce", async () => {
    const chain = await chainOf(standins(), "base-mainnet");
    const balance = async (address: string) =>
      BigInt(await result<string>(chain, "eth_getBalance", address, "latest"));
    const nonce = Number(await result(chain, "eth_getTransactionCount", account.address, "latest"));
    const [mine, theirs] = [await balance(account.address), await balance(receiver)];
    await result(chain, "eth_sendRawTransaction", await signed(8453, nonce));
    assert.equal((await balance(receiver)) - theirs, 5n);
    assert.equal(mine - (await balance(account.address)), 5n + 21_000n * 2_000_000_000n);
    assert.equal(
      Number(await result(chain, "eth_getTransactionCount", account.address, "latest")),
      nonce + 1,
    );
  });

  test("a mined transaction is traced as a single call", async () => {
    const chain = await chainOf(standins(), "base-mainnet");
    type Traced = { readonly transactionHash: string; readonly action: { readonly to: string } };
    const [flat = assert.fail("no trace")] = await result<Traced[]>(chain, "trace_block", "latest");
    const hash = flat.transactionHash;
    assert.deepEqual(await result(chain, "trace_transaction", hash), [flat]);
    type Call = { readonly type: string; readonly to: string; readonly structLogs?: unknown[] };
    const tree = await result<Call>(chain, "debug_traceTransaction", hash, { tracer: "callTracer" });
    assert.deepEqual([tree.type, tree.to], ["CALL", flat.action.to]);
    assert.deepEqual((await result<Call>(chain, "debug_traceTransaction", hash)).structLogs, []);
    assert.equal(await result(chain, "trace_transaction", noHash), null);
  });

  test("its token has calls, transfers and logs", async () => {
    const chain = await chainOf(standins(), "base-mainnet");
    const all = { fromBlock: "earliest", toBlock: "latest" };
    type Log = { address: string; topics: string[]; data: string; blockHash: string };
    const logs = await result<Log[]>(chain, "eth_getLogs", all);
    assert.equal(logs.length, 32);
    const [{ address: token, topics, blockHash } = assert.fail("no log")] = logs;
    const call = (data: string) => result<string>(chain, "eth_call", { to: token, data }, "latest");
    assert.match(Buffer.from((await call("0x95d89b41")).slice(2), "hex").toString(), /SUSD/);
    assert.equal(BigInt(await call("0x313ce567")), 6n);
    const word = receiver.slice(2).padStart(64, "0");
    const owned = BigInt(await call(`0x70a08231${word}`));
    const nonce = Number(await result(chain, "eth_getTransactionCount", account.address, "latest"));
    const data = `0xa9059cbb${word}${(7).toString(16).padStart(64, "0")}`;
    const raw = await signed(8453, nonce, { to: token, value: 0n, data, gas: 60_000n });
    await result(chain, "eth_sendRawTransaction", raw);
    assert.equal(BigInt(await call(`0x70a08231${word}`)) - owned, 7n);
    const filtered = (filter: object) => result<Log[]>(chain, "eth_getLogs", filter);
    assert.equal((await filtered({ ...all, address: token })).length, 33);
    assert.equal((await filtered({ ...all, address: [nobody, token] })).length, 33);
    assert.equal((await filtered({ ...all, address: nobody })).length, 0);
    assert.equal((await filtered({ ...all, topics: [noHash] })).length, 0);
    assert.equal((await filtered({ ...all, topics: [null, [topics[1], noHash]] })).length > 0, true);
    assert.equal((await filtered({ fromBlock: "latest" })).length, 1);
    assert.equal((await filtered({ blockHash })).length, 1);
    assert.equal(await errorCode(chain, "eth_getLogs", { blockHash: noHash }), -32000);
    assert.equal(await errorCode(chain, "eth_call", { to: token, data: "0x12345678" }, "latest"), 3);
  });
});

test("each family has its own methods only", async () => {
  const own: readonly (readonly [slug: string, method: string])[] = [
    ["zksync-mainnet", "zks_estimateFee"],
    ["linea-sepolia", "linea_estimateGas"],
    ["polygon-mainnet", "bor_getAuthor"],
  ];
  const chains = standins();
  for (const [slug, method] of own) {
    await result(await chainOf(chains, slug), method);
    assert.equal(await errorCode(await chainOf(chains, "ethereum-mainnet"), method), -32601);
  }
});

test("Starknet: blocks by tag, number and hash, and its own error codes", async () => {
  const chain = await chainOf(standins(), "starknet-sepolia");
  assert.equal(await result(chain, "starknet_chainId"), "0x534e5f5345504f4c4941");
  type Head = { block_hash: string; block_number: number };
  const head = await result<Head>(chain, "starknet_blockHashAndNumber");
  assert.equal(await result(chain, "starknet_blockNumber"), head.block_number);
  const named = ["latest", { block_number: head.block_number }, { block_hash: head.block_hash }];
  for (const id of named) {
    assert.equal(
      (await result<Head>(chain, "starknet_getBlockWithTxHashes", id)).block_hash,
      head.block_hash,
    );
  }
  assert.equal(await result(chain, "starknet_getNonce", "latest", "0x1"), "0x0");
  assert.equal(await result(chain, "starknet_getStorageAt", "0x1", "0x2", "latest"), "0x0");
  assert.equal(await errorCode(chain, "starknet_getBlockWithTxs", { block_hash: "0x1" }), 24);
  assert.equal(
    await errorCode(chain, "starknet_getBlockWithTxs", { block_number: head.block_number + 1 }),
    24,
  );
  assert.equal(await errorCode(chain, "starknet_getTransactionByHash", "0x1"), 29);
  assert.equal(await errorCode(chain, "starknet_getNonce", "latest"), -32602);
  assert.equal(await errorCode(chain, "eth_chainId"), -32601);
});

test("Solana: values with their slot, and errors with its own codes", async () => {
  const chain = await chainOf(standins(), "solana-devnet");
  assert.equal(await result(chain, "getGenesisHash"), "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG");
  const slot = await result<number>(chain, "getSlot");
  const owner = "11111111111111111111111111111111";
  type InSlot<Value> = { context: { slot: number }; value: Value };
  const balance = await result<InSlot<number>>(chain, "getBalance", owner);
  assert.equal(balance.context.slot, slot);
  assert.deepEqual(await result(chain, "getBalance", owner), balance);
  const { value } = await result<InSlot<{ blockhash: string }>>(chain, "getLatestBlockhash");
  assert.match(value.blockhash, /^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
  assert.equal((await result<InSlot<boolean>>(chain, "isBlockhashValid", value.blockhash)).value, true);
  assert.equal((await result<InSlot<unknown[]>>(chain, "getLargestAccounts")).value.length, 20);
  assert.equal(await errorCode(chain, "getBalance", "0x12"), -32602);
  assert.equal(await errorCode(chain, "getBlockTime", slot + 1), -32004);
  assert.equal(await errorCode(chain, "eth_chainId"), -32601);
});
