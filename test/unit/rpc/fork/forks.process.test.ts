// The node of a fork holds no key, sends nothing, is paid as shown, and ends with its run.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { findAnvil } from "../../../../src/platform/process/anvil.ts";
import { evm } from "../../../../src/rpc/evm/evm.ts";
import { openForkProxy } from "../../../../src/rpc/fork/forkProxy.ts";
import { ForkState } from "../../../../src/rpc/fork/forkState.ts";
import { createForks } from "../../../../src/rpc/fork/forks.ts";
import { toOutput } from "../../../../src/rpc/run/output.ts";
import { estimateSimulation } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import { planCellRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../src/rpc/run/runCell.ts";
import type { Sender } from "../../../../src/rpc/run/senders.ts";
import type { NodeCall } from "../../../../src/rpc/simulate/simulate.ts";
import { environment } from "../../../../src/shared/names/ids.ts";
import { type Bench, openBench, projectOf } from "../notebook.ts";

const accounts = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`] as const;
/** The token of the sandbox's chains. */
const token = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";

let bench: Bench;
let binary: string;

before(async () => {
  binary = (await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH })) ?? "";
  bench = await openBench({ nodes: true });
});
after(() => bench.close());

/**
 * Simulates on a network of the service. `onRead` is called when the node runs, and before it reads; `onEnd` when the
 * cell has ended.
 */
async function simulated(
  lines: string,
  onRead: () => unknown,
  { signal = new AbortController().signal, onEnd = async () => {} } = {},
) {
  const project = projectOf([`@network ethereum-sepolia\n${lines}`]);
  const forks = createForks(binary);
  const sender: Sender = {
    send(network, body, options) {
      if ([body].flat().some(({ method }) => method === "eth_createAccessList")) onRead();
      return bench.deps.sender.send(network, body, options);
    },
  };
  try {
    const simulating = { unoffered: new Set<string>(), forks };
    const run = await runCell(
      { ...bench.deps, sender, simulating },
      planCellRun(project, 0),
      signal,
      () => {},
    );
    await onEnd();
    return { project, output: toOutput(run, { runId: "1", evm, service: "The sandbox", isSandbox: true }) };
  } finally {
    await forks.close();
  }
}

const transfer = `eth_sendTransaction { from: ${accounts[0]}, to: ${accounts[1]} }`;

/** The forked nodes that this process started, as Linux tells. */
function forkedNodes(): { pid: number; command: string; variables: string }[] {
  const read = (pid: string, file: string) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, "utf8");
    } catch {
      // It has ended, or belongs to another user.
      return "";
    }
  };
  const parent = (pid: string) => /^PPid:\s+(\d+)/m.exec(read(pid, "status"))?.[1] ?? "";
  const isOurs = (pid: string) => {
    for (let at = pid; at !== "" && at !== "0"; at = parent(at)) if (at === String(process.pid)) return true;
    return false;
  };
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && read(pid, "cmdline").includes("--fork-url") && isOurs(pid))
    .map((pid) => ({
      pid: Number(pid),
      command: read(pid, "cmdline"),
      variables: read(pid, "environ"),
    }));
}

describe("the node of a fork", () => {
  test("costs at most the estimate, each call at its price", async () => {
    const data = `0x70a08231${accounts[0].slice(2).padStart(64, "0")}`;
    const lines = `eth_sendTransaction { from: ${accounts[0]}, to: ${token}, data: ${data} }`;
    const { project, output } = await simulated(lines, () => {});
    assert.equal(output.problem, undefined);
    const [line] = output.lines;
    assert.deepEqual([line?.simulation?.method, line?.simulation?.status], ["a forked anvil", "success"]);
    const { credits, requests } = estimateSimulation(planCell(project, 0), true);
    const calls = output.calls.reduce((sum, { items }) => sum + items, 0);
    assert.ok(output.total.credits <= credits && output.calls.length <= requests);
    assert.ok(calls > 5);
    assert.equal(output.total.credits, calls * 20);
    assert.equal(line?.credits, output.total.credits);
    assert.deepEqual(bench.questions, []);
  });

  if (process.platform === "linux") {
    test("receives neither the key nor the URL of its proxy in arguments or environment", async () => {
      let found: ReturnType<typeof forkedNodes> = [];
      let configs: { text: string; mode: number; folderMode: number }[] = [];
      process.env[environment.key] = bench.sandbox.apiKey;
      await simulated(transfer, () => {
        delete process.env[environment.key];
        found = forkedNodes();
        configs = found.map(({ pid }) => {
          const folder = readlinkSync(`/proc/${pid}/cwd`);
          const path = join(folder, "foundry.toml");
          const text = readFileSync(path, "utf8");
          return { text, mode: statSync(path).mode & 0o777, folderMode: statSync(folder).mode & 0o777 };
        });
      });
      assert.ok(found.length > 0);
      for (const [at, { command, variables }] of found.entries()) {
        const { text = "", mode, folderMode } = configs[at] ?? {};
        const [, port, path] = /http:\/\/127\.0\.0\.1:(\d+)\/([0-9a-f]{48})"/.exec(text) ?? [];
        assert.ok(port && path, text);
        assert.deepEqual([mode, folderMode], [0o600, 0o700]);
        for (const secret of [bench.sandbox.apiKey, path, bench.sandbox.baseUrl])
          for (const place of [command, variables]) assert.ok(!place.includes(secret));
        assert.ok(!text.includes(bench.sandbox.apiKey));
      }
      assert.deepEqual(forkedNodes(), []);
    });

    test("exits when the run is stopped", async () => {
      const stop = new AbortController();
      let found: ReturnType<typeof forkedNodes> = [];
      const onRead = () => {
        found = forkedNodes();
        stop.abort();
      };
      const onEnd = async () => {
        while (forkedNodes().length > 0) await setImmediate();
      };
      const { output } = await simulated(transfer, onRead, { signal: stop.signal, onEnd });
      assert.ok(output.problem);
      assert.ok(found.length > 0);
    });
  }
});

interface Reply {
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** A proxy before a network that answers every call, and the calls that it was sent. */
async function openProxy() {
  const asked: NodeCall[] = [];
  const state = new ForkState({ chainId: 5n, number: 16n, header: { number: "0x10" } });
  await state.begin({}, async (calls) => {
    asked.push(...calls);
    return calls.map(() => ({ result: "0x1" }));
  });
  asked.length = 0;
  const proxy = await openForkProxy((method, params) => state.answer(method, params));
  const post = async (body: unknown, change: RequestInit & { url?: string } = {}) => {
    const response = await fetch(change.url ?? proxy.url, {
      method: "POST",
      body: JSON.stringify(body),
      ...change,
    });
    const reply: unknown = response.ok ? await response.json() : undefined;
    return { status: response.status, reply: reply as Reply & readonly Reply[] };
  };
  return { state, proxy, asked, post };
}

describe("the proxy of a fork", () => {
  const call = (method: string, ...params: readonly unknown[]) => ({ jsonrpc: "2.0", id: 7, method, params });
  const balance = call("eth_getBalance", accounts[0], "0x10");

  test("forwards only reads at its block", async () => {
    const { proxy, asked, post } = await openProxy();
    try {
      const refused = [
        call("eth_sendRawTransaction", "0x02"),
        call("eth_sendTransaction", { from: accounts[0] }),
        call("eth_sign", accounts[0], "0x"),
        call("eth_call", { to: token }, "0x10"),
        call("debug_traceCall", { to: token }, "0x10"),
        call("eth_getBalance", accounts[0], "latest"),
        call("eth_getBalance", accounts[0], "0x11"),
        call("eth_getBalance", "__proto__", "0x10"),
        call("eth_getStorageAt", accounts[0], "0x0", "pending"),
        call("eth_getBlockByNumber", "0x11", false),
        { jsonrpc: "2.0", id: 7 },
        "eth_getBalance",
        null,
      ];
      for (const one of refused) {
        const { reply } = await post(one);
        assert.equal(reply.error?.code, -32_601, JSON.stringify(one));
      }
      const { reply } = await post(refused);
      assert.equal(reply.length, refused.length);
      assert.deepEqual(asked, []);
    } finally {
      proxy.close();
    }
  });

  test("reads a value once, and answers requests for the block itself", async () => {
    const { proxy, asked, post } = await openProxy();
    try {
      for (let at = 0; at < 3; at++)
        assert.deepEqual((await post(balance)).reply, { jsonrpc: "2.0", id: 7, result: "0x1" });
      await post(call("eth_getCode", accounts[0].toUpperCase().replace("0X", "0x"), "0x10"));
      await post([
        call("eth_getStorageAt", token, "0x01", "0x10"),
        call("eth_getStorageAt", token, "0x1", "0x10"),
      ]);
      assert.deepEqual((await post(call("eth_chainId"))).reply.result, "0x5");
      assert.deepEqual((await post(call("eth_blockNumber"))).reply.result, "0x10");
      assert.equal(asked.length, 3 + 1);
    } finally {
      proxy.close();
    }
  });

  test("refuses requests without its secret path, and those of web pages", async () => {
    const { proxy, asked, post } = await openProxy();
    try {
      const { origin, pathname } = new URL(proxy.url);
      const large = call("eth_getBalance", "a".repeat(200_000), "0x10");
      const answers = await Promise.all([
        post(balance, { url: origin }),
        post(balance, { url: `${origin}${pathname.slice(0, -1)}` }),
        post(balance, { headers: { origin: "https://example.com" } }),
        post(balance, { method: "PUT" }),
        post(balance, { body: "{" }),
        post(large).catch(() => ({ status: 404 })),
      ]);
      assert.deepEqual(
        answers.map(({ status }) => status),
        answers.map(() => 404),
      );
      assert.deepEqual(asked, []);
    } finally {
      proxy.close();
    }
  });

  test("forwards nothing after the end of the transaction", async () => {
    const { state, proxy, asked, post } = await openProxy();
    try {
      state.end();
      assert.ok((await post(balance)).reply.error);
      assert.deepEqual(asked, []);
    } finally {
      proxy.close();
    }
  });
});
