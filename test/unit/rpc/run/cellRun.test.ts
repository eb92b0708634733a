import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { spentBy } from "../../../../src/rpc/run/cellRun.ts";
import { type Bench, openBench, projectOf } from "../notebook.ts";

const one = "0x00000000000000000000000000000000000000aa";

describe("runs", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench();
  });
  after(() => bench.close());

  const outcomes = async (...cells: string[]) => {
    const run = await bench.run(projectOf(cells), cells.length - 1);
    return { run, lines: run.rounds.flatMap(({ lines }) => lines.map(({ outcome }) => outcome)) };
  };

  test("several lines are one request, and each has its own result", async () => {
    const { run, lines } = await outcomes(`eth_chainId\neth_getBalance ${one} latest\nnet_version`);
    assert.equal(run.rounds[0]?.calls.length, 1);
    assert.deepEqual(lines[0], { kind: "result", value: "0x1" });
    assert.deepEqual(lines[2], { kind: "result", value: "1" });
    assert.deepEqual(spentBy(run).credits, 60);
    assert.equal(run.estimatedCredits, 60);
  });

  test("an invalid item of a batch affects its own line only", async () => {
    const odd: readonly ((id: unknown) => unknown)[] = [
      (id) => ({ jsonrpc: "2.0", id, error: { message: "no code" } }),
      (id) => ({ jsonrpc: "2.0", id, error: "just words" }),
      (id) => ({ id, error: { code: "ENODE", message: 7 } }),
      () => 7,
      (id) => ({ id: { of: id } }),
    ];
    const edit = (reply: unknown) =>
      (reply as { id: unknown }[]).map((answer, at) => odd[at - 1]?.(answer.id) ?? answer);
    bench.sandbox.setFaults([{ kind: "edit", edit }]);
    const { lines } = await outcomes(Array.from({ length: 7 }, () => "eth_chainId").join("\n"));
    bench.sandbox.setFaults([]);
    const result = { kind: "result", value: "0x1" };
    const failed = (message: string, code = -32603) => ({ kind: "error", code, message });
    const missing = failed("The node returned no response to this call", 0);
    assert.deepEqual(lines, [
      ...[result, failed("no code"), failed("just words"), failed("The node gave no reason")],
      ...[missing, missing, result],
    ]);
  });

  test("a line that uses another's result waits for it", async () => {
    const { run, lines } = await outcomes(
      "head = eth_blockNumber\neth_chainId\neth_getBlockByNumber $head false",
    );
    assert.equal(run.rounds[0]?.calls.length, 2);
    const [head, , block] = lines;
    assert.ok(head?.kind === "result" && block?.kind === "result");
    assert.equal((block.value as { number: string }).number, head.value);
  });

  test("block numbers relative to the head need one request for the head", async () => {
    const { run, lines } = await outcomes("eth_getBlockByNumber -1 false\neth_getBlockByNumber -2 false");
    const numbers = lines.map((line) =>
      line.kind === "result" ? Number((line.value as { number: string }).number) : 0,
    );
    assert.equal((numbers[0] ?? 0) - (numbers[1] ?? 0), 1);
    assert.equal(run.rounds[0]?.calls[0]?.items, 1);
    assert.equal(spentBy(run).credits, 60);
    assert.equal(run.estimatedCredits, 60);
  });

  test("over a hundred lines are several requests", async () => {
    const { run, lines } = await outcomes("eth_chainId\n".repeat(250));
    assert.deepEqual(
      run.rounds[0]?.calls.map(({ items }) => items),
      [100, 100, 50],
    );
    assert.ok(lines.every(({ kind }) => kind === "result"));
  });

  test("@order serial sends line by line", async () => {
    const { run } = await outcomes("@order serial\neth_chainId\nnet_version");
    assert.equal(run.rounds[0]?.calls.length, 2);
  });

  test("a literal batch is sent as written, and its results are matched by id", async () => {
    const { run, lines } = await outcomes(
      '[{"jsonrpc":"2.0","method":"eth_chainId","id":"b"}, {"jsonrpc":"2.0","method":"net_version","id":7}]',
    );
    assert.deepEqual(lines, [
      { kind: "result", value: "0x1" },
      { kind: "result", value: "1" },
    ]);
    assert.equal(run.rounds[0]?.calls[0]?.items, 2);
  });

  test("several networks make a comparison", async () => {
    const { run } = await outcomes("@network ethereum-mainnet, zksync-mainnet\neth_chainId");
    assert.deepEqual(
      run.rounds.map(({ network, lines }) => ({ network, outcome: lines[0]?.outcome })),
      [
        { network: "ethereum-mainnet", outcome: { kind: "result", value: "0x1" } },
        { network: "zksync-mainnet", outcome: { kind: "result", value: "0x144" } },
      ],
    );
    assert.equal(spentBy(run).credits, 50);
  });

  test("an error item costs 5, and lines that depend on it are not sent", async () => {
    const { run, lines } = await outcomes(
      "a = eth_getBalance nonsense latest\neth_getBlockByNumber $a false",
    );
    assert.equal(lines[0]?.kind, "error");
    assert.match((lines[1] as { reason: string }).reason, /needs \$a/);
    assert.equal(spentBy(run).credits, 5);
  });

  test("names of other cells have the value of their last run until these cells change", async () => {
    const project = projectOf(["head = eth_blockNumber", "eth_getBlockByNumber $head false"]);
    await bench.run(project, 0);
    const run = await bench.run(project, 1);
    assert.equal(run.rounds[0]?.lines[0]?.outcome.kind, "result");
    const changed = projectOf(["head = eth_gasPrice", "eth_getBlockByNumber $head false"]);
    const unsent = (await bench.run(changed, 1)).rounds[0]?.lines[0]?.outcome;
    assert.ok(unsent?.kind === "unsent" && /has no value/.test(unsent.reason));
  });

  test("polling is bounded by rounds and by budget", async () => {
    const rounds = (await outcomes("@every 2s\n@times 3\neth_blockNumber")).run;
    assert.equal(rounds.polling?.round, 3);
    assert.equal(rounds.polling?.ended, "rounds");
    assert.equal(spentBy(rounds).credits, 60);
    const budget = (await outcomes("@every 2s\n@times 9\n@budget 50\neth_blockNumber")).run;
    assert.equal(budget.polling?.ended, "budget");
    assert.equal(spentBy(budget).credits, 40);
  });

  test("a run that is cancelled before its start sends nothing", async () => {
    const requests = bench.sandbox.requestCount;
    const stop = new AbortController();
    stop.abort();
    const run = await bench.run(projectOf(["eth_chainId"]), 0, stop.signal);
    assert.equal(run.rounds[0]?.lines[0]?.outcome.kind, "unsent");
    assert.equal(bench.sandbox.requestCount, requests);
  });

  test("an unexpected 400 marks the lines that it names", async () => {
    const { run, lines } = await outcomes("@allow eth_simulateV1\neth_chainId\neth_simulateV1 {}");
    assert.ok(run.problem);
    assert.match((lines[1] as { reason: string }).reason, /refused this line.*eth_simulateV1/s);
    assert.match((lines[0] as { reason: string }).reason, /^The request failed$/);
  });

  test("each run and each request has its own idempotency key", async () => {
    const first = await outcomes("eth_chainId");
    const second = await outcomes("eth_chainId");
    assert.deepEqual(
      [first, second].map(({ run }) => run.rounds[0]?.calls[0]?.replayed),
      [false, false],
    );
  });
});
