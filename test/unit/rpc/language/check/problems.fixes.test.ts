// Every problem of a cell has its fix, and every failed run names the next step.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, test } from "node:test";
import type { NotebookCell, NotebookDocument } from "vscode";
import { createUndiciTransport } from "../../../../../src/api/transport/undici.ts";
import { History } from "../../../../../src/rpc/editor/run/history.ts";
import { evm } from "../../../../../src/rpc/evm/evm.ts";
import { diagnose } from "../../../../../src/rpc/language/check/diagnose/diagnose.ts";
import type { Project } from "../../../../../src/rpc/language/project.ts";
import { SentTransactions, Values } from "../../../../../src/rpc/run/expect/values.ts";
import { toOutput } from "../../../../../src/rpc/run/output.ts";
import { planCellRun } from "../../../../../src/rpc/run/plan/runPlan.ts";
import { type CellDeps, runCell } from "../../../../../src/rpc/run/runCell.ts";
import { createLocalSender } from "../../../../../src/rpc/run/senders.ts";
import { projectOf } from "../../notebook.ts";

const facts = { runId: "run", evm, service: "Sandbox", isSandbox: true };

/** Runs the first cell, without questions and delays. */
function ran(project: Project, own: Pick<CellDeps, "sender"> & Partial<CellDeps>) {
  const deps: CellDeps = {
    loadEvm: async () => evm,
    values: new Values(),
    sentTransactions: new SentTransactions(),
    consent: async () => true,
    pause: async () => {},
    now: Date.now,
    ...own,
  };
  return runCell(deps, planCellRun(project, 0), new AbortController().signal, () => {});
}

const address = "0x00000000000000000000000000000000000000aa";

describe("a fix", () => {
  /** A cell, the title of the fix, and the fixed cell. */
  const fixes: readonly (readonly [before: string, title: string, after: string])[] = [
    [`eth_getBalance ${address} lates`, "Write latest", `eth_getBalance ${address} latest`],
    [
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xaa","lates"]}',
      'Write "latest"',
      '{"jsonrpc":"2.0","id":1,"method":"eth_getBalance","params":["0xaa","latest"]}',
    ],
    [
      "head = eth_blockNumber\neth_getBlockByNumber $hed false",
      "Use $head",
      "head = eth_blockNumber\neth_getBlockByNumber $head false",
    ],
    ["@netwrok base-mainnet\neth_chainId", "Use @network", "@network base-mainnet\neth_chainId"],
    ["@view tabel\neth_chainId", "Write @view table", "@view table\neth_chainId"],
    ["@every\neth_chainId", "Write @every 6s", "@every 6s\neth_chainId"],
    [`call ${address} f() form:${address}`, "Use from:", `call ${address} f() from:${address}`],
    ["trace_block", "Add latest", "trace_block latest"],
    ["trace_replayTransaction 0xaa [trac]", "Write trace", "trace_replayTransaction 0xaa [trace]"],
    ["eth_blokNumber", "Use eth_blockNumber", "eth_blockNumber"],
  ];
  for (const [before, title, after] of fixes) {
    test(`${title}: ${before.split("\n").at(-1)}`, () => {
      const all = diagnose(projectOf([before]), 0).flatMap((problem) => problem.fixes);
      const found = all.find((one) => one.title === title);
      assert.ok(found, all.map((one) => one.title).join());
      const text = found.edits
        .toSorted((a, b) => b.start - a.start)
        .reduce((whole, edit) => whole.slice(0, edit.start) + edit.text + whole.slice(edit.end), before);
      assert.equal(text, after);
    });
  }

  test("an address with a wrong checksum is marked, and replaced by the correct one", () => {
    const right = "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045";
    const wrong = right.replace("dA6B", "Da6B");
    const of = (text: string) =>
      diagnose(projectOf([text]), 0, evm).filter(({ code }) => code === "checksum");
    for (const one of [right, right.toLowerCase(), `0x${right.slice(2).toUpperCase()}`])
      assert.deepEqual(of(`me = ${one}`), [], one);
    for (const text of [`me = ${wrong}`, `eth_getBalance ${wrong} latest`, `{"params":["${wrong}"]}`]) {
      const [problem, ...others] = of(text);
      assert.ok(problem && others.length === 0);
      // JSON-RPC is sent unchanged.
      assert.equal(problem.refuses, !text.startsWith("{"));
      assert.ok(problem.message.includes(right));
      assert.equal(text.slice(problem.start, problem.end), wrong);
      assert.deepEqual(
        problem.fixes[0]?.edits.map((edit) => edit.text),
        [right],
      );
    }
    for (const text of [`# ${wrong}`, `eth_chainId // ${wrong}`])
      assert.deepEqual(
        of(text).map(({ refuses }) => refuses),
        [false],
        text,
      );
  });
});

describe("a local run", () => {
  test("without a node says how to start one", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const project = projectOf(["eth_chainId"], ["local"]);
    const url = `http://127.0.0.1:${port}`;
    const transport = createUndiciTransport();
    const run = await ran(project, { sender: createLocalSender(transport, () => url) });
    await transport.close();
    const { problem } = toOutput(run, facts);
    assert.match(
      problem?.sentence ?? "",
      new RegExp(`^No node answers at ${url}, .*anvil.*inference\\.rpc\\.localNode`),
    );
    assert.deepEqual(
      problem?.actions.map(({ id }) => id),
      ["retry"],
    );
    assert.doesNotMatch(problem?.sentence ?? "", /Sandbox/);
  });
});

test("the time of a question to the user is not part of a request's time", async () => {
  let now = 1_000;
  const sent = {
    answer: { jsonrpc: "2.0", id: 1, result: "0x1" },
    ms: 5,
    resends: 0,
    replayed: false,
  } as const;
  const project = projectOf(['starknet_addInvokeTransaction { type: "INVOKE" }'], ["starknet-mainnet"]);
  const run = await ran(project, {
    sender: {
      send: async () => {
        now += 5;
        return sent;
      },
    },
    consent: async () => {
      now += 60_000;
      return true;
    },
    now: () => now,
  });
  const { total, lines } = toOutput(run, facts);
  assert.equal(lines[0]?.outcome.kind, "result");
  assert.equal(total.ms, 5);
});

test("an unsaved notebook leaves nothing to the next one of its name", async () => {
  const history = new History({ read: async () => ({}), write: () => assert.fail("it is no file") });
  const uri = { toString: () => "untitled:/untitled.rpc.md" };
  const notebook = { uri, isUntitled: true, getCells: () => [] } as unknown as NotebookDocument;
  const cell = {
    notebook,
    document: { getText: () => "eth_chainId" },
    metadata: {},
  } as unknown as NotebookCell;
  const project = projectOf(["eth_chainId"], ["local"]);
  const sender = { send: async () => Promise.reject(new Error("no node")) };
  const run = await ran(project, { sender });
  history.add(cell, toOutput(run, facts), run, () => toOutput(run, facts));
  assert.equal(history.of(cell).length, 1);
  history.forget(notebook);
  assert.equal(history.of(cell).length, 0);
  assert.equal(history.find("run"), undefined);
});
