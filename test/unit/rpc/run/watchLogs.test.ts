// A watch of logs before a real node: new logs once each, newest first, through reorganizations and failures.

import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, beforeEach, describe, test } from "node:test";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { findAnvil } from "../../../../src/platform/process/anvil.ts";
import { diagnose } from "../../../../src/rpc/language/check/diagnose/diagnose.ts";
import { pollingOf } from "../../../../src/rpc/language/parse/directives.ts";
import type { Project } from "../../../../src/rpc/language/project.ts";
import type { Json } from "../../../../src/rpc/output/rpcOutput.ts";
import type { CellRun } from "../../../../src/rpc/run/cellRun.ts";
import { SentTransactions, Values } from "../../../../src/rpc/run/expect/values.ts";
import { toOutput } from "../../../../src/rpc/run/output.ts";
import { estimateCell } from "../../../../src/rpc/run/plan/estimate.ts";
import { planCell } from "../../../../src/rpc/run/plan/plan.ts";
import { planCellRun } from "../../../../src/rpc/run/plan/runPlan.ts";
import { runCell } from "../../../../src/rpc/run/runCell.ts";
import { createSender, type Sender } from "../../../../src/rpc/run/senders.ts";
import { LogWatch, mostWatched } from "../../../../src/rpc/run/watchLogs.ts";
import { projectOf } from "../notebook.ts";

const contract = "0x00000000000000000000000000000000000000c0";
const someone = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
interface SomeLog {
  readonly transactionHash: string;
  readonly removed?: boolean;
}

describe("a watch of logs", () => {
  let node: ChildProcess;
  let address = "";
  let sender: Sender;
  let snapshot: unknown;
  before(async () => {
    const program = await findAnvil({ folders: [import.meta.dirname], searchPath: process.env.PATH });
    assert.ok(program, "anvil is missing: run npm ci");
    node = spawn(program, ["--port", "0"], { stdio: ["ignore", "pipe", "ignore"] });
    let said = "";
    while (!/Listening on (\S+)/.test(said)) said += String((await once(node.stdout ?? node, "data"))[0]);
    address = `http://${/Listening on (\S+)/.exec(said)?.[1]}`;
    node.stdout?.resume();
    sender = createSender(
      async () => assert.fail("only the local node is asked"),
      () => address,
    );
    // Emits a log without topics and data.
    await ask("anvil_setCode", contract, "0x60006000a000");
  });
  after(() => void node.kill());
  beforeEach(async () => {
    if (snapshot !== undefined) await ask("evm_revert", snapshot);
    snapshot = await ask("evm_snapshot");
  });

  async function ask(method: string, ...params: readonly unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const headers = { "content-type": "application/json" };
    const reply = (await (await fetch(address, { method: "POST", body, headers })).json()) as {
      result?: unknown;
      error?: unknown;
    };
    assert.equal(reply.error, undefined);
    return reply.result;
  }
  /** Puts a transaction with one log into a block of its own. */
  async function emit(): Promise<string> {
    const hash = await ask("eth_sendTransaction", { from: someone, to: contract });
    // The node answers before the block exists.
    while ((await ask("eth_getTransactionReceipt", hash)) === null);
    return String(hash);
  }

  /** Runs a watch; each step happens between two polls. */
  async function watch(
    text: string,
    steps: readonly (() => Promise<unknown>)[],
    { through = sender, signal = new AbortController().signal } = {},
  ): Promise<{ run: CellRun; pauses: number[]; logs: readonly SomeLog[] }> {
    const pauses: number[] = [];
    const cellDeps = {
      sender: through,
      loadEvm: async () => assert.fail("no line needs the library"),
      values: new Values(),
      sentTransactions: new SentTransactions(),
      consent: async () => false,
      pause: async (ms: number, stopped: AbortSignal) => {
        stopped.throwIfAborted();
        await steps[pauses.push(ms) - 1]?.();
        stopped.throwIfAborted();
      },
      now: Date.now,
    };
    const run = await runCell(cellDeps, planCellRun(projectOf([text], ["local"]), 0), signal, () => {});
    const [line] = run.rounds[0]?.lines ?? [];
    assert.equal(line?.outcome.kind, "result", JSON.stringify(line));
    return { run, pauses, logs: line?.outcome.kind === "result" ? (line.outcome.value as never) : [] };
  }
  const cell = (times: number, from = "latest") =>
    `@watch logs\n@times ${times}\neth_getLogs { address: ${contract}, fromBlock: ${from} }`;

  test("collects each new log once, newest first", async () => {
    const sent: string[] = [];
    const step = async () => void sent.push(await emit());
    const { run, logs, pauses } = await watch(cell(4), [
      step,
      async () => {
        await step();
        await step();
      },
      async () => {},
    ]);
    assert.deepEqual(
      logs.map(({ transactionHash }) => transactionHash),
      sent.toReversed(),
    );
    assert.equal(run.polling?.ended, "rounds");
    assert.deepEqual(pauses, [12_000, 12_000, 12_000]);
    const facts = { runId: "run", evm: undefined, service: "The service", isSandbox: false };
    assert.deepEqual(
      toOutput(run, facts).polling?.history.map(({ values }) => values),
      [["0 logs"], ["1 logs"], ["3 logs"], ["3 logs"]],
    );
  });

  test("marks the logs that a reorganization removed, and keeps those of the new chain", async () => {
    const kept = await emit();
    let before: unknown;
    const sent: string[] = [];
    const { logs } = await watch(cell(4, "-1"), [
      async () => {
        before = await ask("evm_snapshot");
        sent.push(await emit());
      },
      async () => {
        await ask("evm_revert", before);
        await ask("anvil_mine", "0x2");
        sent.push(await emit());
      },
    ]);
    const [gone, anew] = sent;
    const states = logs.map(({ transactionHash, removed = false }) => [transactionHash, removed]);
    // The same transaction, which was sent again, has the same hash in another block.
    assert.deepEqual(states, [
      [anew, false],
      [gone, true],
      [kept, false],
    ]);
  });

  test("waits longer after each failure, and goes on where it was", async () => {
    let requests = 0;
    const failing: Sender = {
      send(network, body, options) {
        if (++requests === 2 || requests === 3) throw new ApiError("network", "The node is away");
        return sender.send(network, body, options);
      },
    };
    const sent: string[] = [];
    const step = async () => void sent.push(await emit());
    const { logs, pauses, run } = await watch(cell(5), [step, step, step], { through: failing });
    assert.deepEqual(pauses, [12_000, 24_000, 48_000, 12_000]);
    assert.deepEqual(
      logs.map(({ transactionHash }) => transactionHash),
      sent.toReversed(),
    );
    assert.equal(run.problem, undefined);
  });

  test("ends after five failures in a row, and shows the logs so far", async () => {
    let requests = 0;
    const failing: Sender = {
      send(network, body, options) {
        if (++requests > 2) throw new ApiError("network", "The node is away");
        return sender.send(network, body, options);
      },
    };
    const { logs, pauses, run } = await watch(cell(50), [emit], { through: failing });
    assert.equal(pauses.length, 6);
    assert.equal(run.polling?.ended, "problem");
    assert.equal(logs.length, 1);
  });

  test("ends when it is stopped, and shows the logs so far", async () => {
    const stop = new AbortController();
    const { logs, run } = await watch(cell(50), [emit, async () => stop.abort()], { signal: stop.signal });
    assert.equal(run.polling?.ended, "stopped");
    assert.equal(logs.length, 1);
  });

  test("is priced with the request for the newest block, for all its polls", () => {
    const project: Project = projectOf([cell(7)], ["base-mainnet"]);
    assert.equal(estimateCell(planCell(project, 0)).credits, 7 * 40);
    assert.deepEqual(pollingOf(project.cells[0]?.cell as never), {
      everyMs: 12_000,
      times: 7,
      budgetCredits: undefined,
    });
  });

  test("is refused with the rule, where it can't be", () => {
    const messageOf = (text: string) => diagnose(projectOf([text]), 0)[0]?.message;
    assert.equal(messageOf("@watch blocks\neth_getLogs {}"), "Write the kind: @watch logs");
    assert.match(messageOf("@watch logs\neth_chainId") ?? "", /needs a line with logs or eth_getLogs/);
    assert.match(messageOf('@watch logs\n{"method":"eth_getLogs"}') ?? "", /not @watch/);
  });

  test("keeps a bounded number of logs and says so", () => {
    const watched = new LogWatch();
    const item = { at: 0, method: "eth_getLogs", params: [{ fromBlock: "0x0" }] };
    const logs = Array.from(
      { length: mostWatched + 5 },
      (_, at): Json => ({
        blockHash: "0xaa",
        blockNumber: "0x1",
        logIndex: `0x${at.toString(16)}`,
      }),
    );
    const answer = { jsonrpc: "2.0", id: 1, result: logs } as never;
    const [merged] = watched.merge("local", [item], [answer], 1n);
    assert.equal((merged?.result as Json[] | undefined)?.length, mostWatched);
    const round = {
      network: "local",
      lines: [{ outcome: { kind: "waiting" } as const }],
      expectations: [],
      calls: [],
    };
    watched.fill(round);
    assert.match((round.lines[0] as { note?: string }).note ?? "", /5 older ones were dropped/);
  });
});
