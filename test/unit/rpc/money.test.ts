// What a run is said to cost, before and after, against the bill of the real sandbox.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { chargedCredits } from "../../../src/api/money/rpcCredits.ts";
import { spentBy } from "../../../src/features/rpc/run/runCell.ts";
import { type Bench, openBench, projectOf } from "./notebook.ts";

const address = "0x00000000000000000000000000000000000000aa";
/** Lines that the stand-in answers with a result. */
const good = [
  "eth_blockNumber",
  "eth_chainId",
  "net_version",
  "eth_gasPrice",
  `eth_getBalance ${address} latest`,
  "eth_getBlockByNumber latest false",
  "eth_getBlockByNumber -2 false",
  `eth_getLogs { address: ${address}, fromBlock: -3, toBlock: latest }`,
  "eth_feeHistory 4 latest [25, 75]",
];
/** Lines that it answers with an error, of every tier. */
const bad = [
  "eth_getBalance nonsense latest",
  "eth_call nonsense",
  "trace_block nonsense",
  "trace_replayTransaction nonsense [trace]",
  "txpool_content 1 2 3 4",
  "zks_nothing",
  "arbtrace_block latest",
];
const line = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...good) },
  { weight: 2, arbitrary: fc.constantFrom(...bad) },
);
const network = fc.constantFrom(
  "ethereum-mainnet",
  "base-mainnet",
  "zksync-mainnet",
  "zksync-sepolia",
  "polygon-amoy",
);
const networks = fc.uniqueArray(network, { minLength: 1, maxLength: 2 });

interface Case {
  readonly lines: readonly string[];
  readonly on: readonly string[];
  readonly form: "lines" | "serial" | "literal";
}
const anyCase: fc.Arbitrary<Case> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  on: networks,
  form: fc.constantFrom("lines", "lines", "serial", "literal"),
});

function textOf({ lines, form }: Case): string {
  if (form === "lines") return lines.join("\n");
  if (form === "serial") return ["@order serial", ...lines].join("\n");
  const items = lines.map((one, id) => ({ jsonrpc: "2.0", id, method: one.split(" ")[0], params: [] }));
  return JSON.stringify(items);
}

describe("credits", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ balances: { usd: 1e6, diemPerDay: 0 } });
  });
  after(() => bench.close());

  test("what was foreseen for what came is what was charged, line by line and in all", async () => {
    let errors = 0;
    await fc.assert(
      fc.asyncProperty(anyCase, async (one) => {
        const run = await bench.run(projectOf([textOf(one)], one.on));
        assert.equal(run.problem, undefined);
        let expected = 0;
        for (const { network: slug, lines, calls } of run.rounds) {
          const answered = lines.map(({ outcome }, at) => ({
            method: run.plan.lines[at]?.method ?? "",
            failed: outcome.kind === "error",
          }));
          errors += answered.filter(({ failed }) => failed).length;
          const head = calls.reduce((sum, { items }) => sum + items, 0) - lines.length;
          const own = chargedCredits(slug, answered);
          expected +=
            own + chargedCredits(slug, Array(head).fill({ method: "eth_blockNumber", failed: false }));
          assert.equal(
            lines.reduce((sum, { credits = Number.NaN }) => sum + credits, 0),
            own,
          );
        }
        const { credits, usd } = spentBy(run);
        assert.equal(credits, expected);
        assert.ok(credits <= run.estimatedCredits);
        const allWell = run.rounds.every(({ lines }) =>
          lines.every(({ outcome }) => outcome.kind === "result"),
        );
        if (allWell) assert.equal(credits, run.estimatedCredits);
        assert.ok(Math.abs(usd - credits * 6.25e-7) < 1e-7);
      }),
      { numRuns: 1_500 },
    );
    assert.ok(errors > 500, `${errors} error items`);
  });

  test("a replay is told, and counts nothing", async () => {
    // The first answer is lost on its way: the resend is served from the cache.
    bench.sandbox.setFaults([{ kind: "status", status: 503, late: true, times: 1 }]);
    const run = await bench.run(projectOf(["eth_chainId\ntrace_block nonsense"]));
    bench.sandbox.setFaults([]);
    const [call] = run.rounds[0]?.calls ?? [];
    assert.equal(call?.replayed, true);
    assert.equal(call?.resends, 1);
    assert.equal(spentBy(run).credits, 0);
    assert.deepEqual(
      run.rounds[0]?.lines.map(({ credits }) => credits),
      [0, 0],
    );
  });
});
