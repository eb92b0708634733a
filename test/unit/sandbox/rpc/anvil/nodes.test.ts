// Real EVM nodes behind the chain proxy: they start with the first call and end with the sandbox, however it ends.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { mnemonicToAccount } from "viem/accounts";
import { findAnvil, startNode } from "../../../../../src/platform/process/anvil.ts";
import { Refusal } from "../../../../../src/sandbox/refusal.ts";
import type { CallOutcome } from "../../../../../src/sandbox/rpc/chain.ts";
import { type Chains, createChains } from "../../../../../src/sandbox/rpc/chains.ts";
import { networksOf, tokenAddress } from "../../../../../src/sandbox/rpc/networks.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { item, openProxy } from "../rpcProxy.ts";

const never = new AbortController().signal;
/** The mnemonic of anvil's accounts. */
const account = mnemonicToAccount("test test test test test test test test test test test junk");
const receiver = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
let binary: string;
let chains: Chains;

before(async () => {
  binary = await installedAnvil();
  chains = createChains({ now: Date.now, nodeBinary: binary });
});
after(() => chains.close());

async function installedAnvil(): Promise<string> {
  const found = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
  assert.ok(found, "anvil is missing: run npm ci");
  return found;
}

async function ask(
  from: Chains,
  slug: string,
  method: string,
  ...params: readonly unknown[]
): Promise<CallOutcome> {
  const network = networksOf("venice").find((each) => each.slug === slug);
  assert.ok(network);
  const [outcome] = await (await from.of(network)).answer([{ method, params }], never);
  assert.ok(outcome);
  return outcome;
}

async function result(slug: string, method: string, ...params: readonly unknown[]): Promise<unknown> {
  const outcome = await ask(chains, slug, method, ...params);
  assert.ok("result" in outcome, JSON.stringify(outcome));
  return outcome.result;
}

/** Resolves when nothing listens on the port any more. */
async function minedReceipt(hash: unknown): Promise<{ readonly status: string }> {
  for (;;) {
    const receipt = await result("base-mainnet", "eth_getTransactionReceipt", hash);
    if (receipt !== null) return receipt as { status: string };
  }
}

/** Connects, then returns a promise that resolves once the node has closed that connection. */
/** Connects, then gives what resolves once the node has let go of that connection. */
async function ending(port: number): Promise<{ readonly closed: Promise<void> }> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  // A connection that is reset is closed too.
  socket.on("error", () => undefined);
  socket.resume();
  return { closed };
}

async function homes(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("inference-anvil-"));
}

describe("a real node", () => {
  test("serves its network with the true chain id, one node for each", async () => {
    assert.match(String(await result("base-mainnet", "web3_clientVersion")), /^anvil/);
    assert.equal(await result("base-mainnet", "eth_chainId"), "0x2105");
    assert.equal(await result("polygon-amoy", "eth_chainId"), "0x13882");
    assert.equal(await result("base-mainnet", "net_version"), "8453");
  });

  test("has blocks and transactions up to the present", async () => {
    const head = (await result("base-mainnet", "eth_getBlockByNumber", "latest", false)) as {
      number: string;
      timestamp: string;
    };
    assert.ok(Number(head.number) > 20);
    assert.ok(Number(head.timestamp) <= Date.now() / 1000 + 1);
    const first = (await result("base-mainnet", "eth_getBlockByNumber", "0x1", true)) as {
      transactions: unknown[];
    };
    assert.ok(first.transactions.length > 0);
    // A token whose transfers are in the newest blocks and match the balances.
    const read = async (data: string) =>
      BigInt((await result("base-mainnet", "eth_call", { to: tokenAddress, data }, "latest")) as string);
    const logs = (await result("base-mainnet", "eth_getLogs", {
      fromBlock: head.number,
      address: tokenAddress,
    })) as {
      topics: string[];
    }[];
    assert.equal(logs[0]?.topics.length, 3);
    const accounts = (await result("base-mainnet", "eth_accounts")) as string[];
    const balances = [];
    for (const one of accounts) balances.push(await read(`0x70a08231${one.slice(2).padStart(64, "0")}`));
    assert.ok(new Set(balances).size > 2);
    assert.equal(
      await read("0x18160ddd"),
      balances.reduce((sum, one) => sum + one, 0n),
    );
  });

  test("mines transactions signed for it, and refuses those for another chain", async () => {
    const nonce = Number(await result("base-mainnet", "eth_getTransactionCount", account.address, "latest"));
    const transaction = {
      nonce,
      to: receiver,
      value: 5n,
      gas: 21_000n,
      maxFeePerGas: 3_000_000_000n,
    } as const;
    const signed = await account.signTransaction({ ...transaction, chainId: 8453, type: "eip1559" });
    const hash = await result("base-mainnet", "eth_sendRawTransaction", signed);
    const receipt = await minedReceipt(hash);
    assert.equal(receipt.status, "0x1");
    const foreign = await account.signTransaction({ ...transaction, chainId: 1, type: "eip1559" });
    const refused = await ask(chains, "base-mainnet", "eth_sendRawTransaction", foreign);
    assert.ok("error" in refused);
    assert.equal(refused.error.code, -32003);
  });

  test("traces, under Arbitrum's names too", async () => {
    assert.ok(Array.isArray(await result("base-mainnet", "trace_block", "0x1")));
    assert.ok(Array.isArray(await result("arbitrum-sepolia", "arbtrace_block", "0x1")));
    assert.deepEqual(await ask(chains, "base-mainnet", "arbtrace_block", "0x1"), {
      error: { code: -32601, message: "Method not found" },
    });
  });

  test("is billed by the proxy like any chain: tiers, and 5 for an error", async () => {
    const { call } = openProxy({ chains });
    const credits = async (...items: object[]) => (await call(items, { network: "base-mainnet" })).credits;
    assert.equal(await credits(item("trace_block", ["0x1"])), 40);
    assert.equal(await credits(item("trace_replayBlockTransactions", ["0x1", ["trace"]])), 80);
    assert.equal(await credits(item("eth_blockNumber"), item("eth_getBalance", ["0x1"], 2)), 25);
    assert.equal(await credits(item("trace_call", [], 1)), 5);
  });

  test("handles a hundred concurrent calls, and a disconnect in the middle", async () => {
    const { call } = openProxy({ chains });
    const batch = Array.from({ length: 100 }, (_, id) => item("eth_getBlockByNumber", ["0x1", true], id));
    const { body } = await call(batch, { network: "base-mainnet" });
    assert.deepEqual(
      (body as { id: number }[]).map(({ id }) => id),
      batch.map((_, id) => id),
    );
    const hungUp = new AbortController();
    const left = call(batch, { network: "base-mainnet", signal: hungUp.signal });
    hungUp.abort(new Error("gone"));
    await assert.rejects(left, /gone/);
  });
});

describe("the exit of a node", () => {
  test("follows the end of the sandbox, and nothing is left behind", async () => {
    // Tests of other files start nodes, too.
    const former = process.env.TMPDIR;
    process.env.TMPDIR = temporaryFolder();
    try {
      const node = await startNode(binary, { chainId: 5, genesisMs: 0 }, never);
      assert.equal((await homes()).length, 1);
      const { closed } = await ending(node.port);
      await node.close();
      await closed;
      assert.ok(node.ended.aborted);
      assert.deepEqual(await homes(), []);
      await node.close();
    } finally {
      if (former === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = former;
    }
  });

  const endsWithParent = async (program: string) => {
    const source = new URL("../../../../../src/platform/process/anvil.ts", import.meta.url);
    const script = `
      const { startNode } = await import(${JSON.stringify(source.href)});
      const signal = new AbortController().signal;
      console.log((await startNode(${JSON.stringify(program)}, { chainId: 5, genesisMs: 0 }, signal)).port);`;
    const parent = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [port] = (await once(createInterface({ input: parent.stdout }), "line")) as [string];
    const { closed } = await ending(Number(port));
    parent.kill("SIGKILL");
    await closed;
  };

  test("follows a sandbox that was killed", () => endsWithParent(binary));

  test("follows it if a script started the node, as that of npm does", async () => {
    const folder = await mkdtemp(join(tmpdir(), "inference-node-"));
    const starter = join(folder, "anvil");
    await writeFile(starter, `#!/bin/sh\n${binary} "$@" &\nwait\n`, { mode: 0o755 });
    try {
      await endsWithParent(starter);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("without a reason is an error until it is detected, then another node serves", async () => {
    const folder = await mkdtemp(join(tmpdir(), "inference-node-"));
    const starter = join(folder, "anvil");
    const pidFile = join(folder, "pid");
    await writeFile(starter, `#!/bin/sh\necho $$ > ${pidFile}\nexec ${binary} "$@"\n`, { mode: 0o755 });
    const own = createChains({ now: Date.now, nodeBinary: starter });
    try {
      assert.deepEqual(await ask(own, "bsc-testnet", "eth_chainId"), { result: "0x61" });
      const pid = await readFile(pidFile, "utf8");
      process.kill(Number(pid), "SIGKILL");
      assert.deepEqual(await askUntilServed(own, "bsc-testnet", "eth_chainId"), { result: "0x61" });
      assert.notEqual(await readFile(pidFile, "utf8"), pid);
    } finally {
      await own.close();
      await rm(folder, { recursive: true });
    }
  });
});

async function askUntilServed(from: Chains, slug: string, method: string): Promise<CallOutcome> {
  for (;;) {
    try {
      return await ask(from, slug, method);
    } catch (error) {
      assert.ok(error instanceof Refusal && error.status === 502, String(error));
    }
  }
}

describe("without a node", () => {
  const runs = { folders: [], searchPath: undefined };

  test("the binary is searched at the configured path", async () => {
    assert.equal(await findAnvil({ ...runs, path: binary, searchPath: "/nowhere" }), binary);
    assert.equal(
      await findAnvil({ ...runs, path: "/nowhere/anvil", folders: [import.meta.dirname] }),
      undefined,
    );
    assert.equal(await findAnvil(runs), undefined);
    const folder = binary.replace(/[\\/][^\\/]+$/, "");
    assert.equal(await findAnvil({ ...runs, searchPath: folder }), binary);
    const fromHere = relative(process.cwd(), folder);
    assert.equal(await findAnvil({ ...runs, searchPath: `${fromHere}${delimiter}./${fromHere}` }), undefined);
  });

  for (const broken of ["/bin/true", "/nowhere/anvil", "/dev/null"]) {
    test(`the simulated chain serves if the node is ${broken}`, async () => {
      const own = createChains({ now: Date.now, nodeBinary: broken });
      assert.deepEqual(await ask(own, "base-mainnet", "eth_chainId"), { result: "0x2105" });
      assert.deepEqual(await ask(own, "base-mainnet", "web3_clientVersion"), { result: "sandbox/v1" });
      await own.close();
    });
  }
});
