import assert from "node:assert/strict";
import fc from "fast-check";
import { chargedCredits } from "../../../src/api/money/rpcCredits.ts";
import { spentBy } from "../../../src/rpc/run/cellRun.ts";
import { type Bench, projectOf } from "./notebook.ts";

const address = "0x00000000000000000000000000000000000000aa";
/** Lines to which the simulated chain replies with a result. */
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
/** Lines to which it replies with an error, of every tier. */
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

/** A random cell, how it is sent, and whether the reply to its first request is lost. */
export interface BillCase {
  readonly lines: readonly string[];
  readonly on: readonly string[];
  readonly form: "lines" | "serial" | "literal";
  readonly lost: boolean;
}
export const billCase: fc.Arbitrary<BillCase> = fc.record({
  lines: fc.array(line, { minLength: 1, maxLength: 6 }),
  on: networks,
  form: fc.constantFrom("lines", "lines", "serial", "literal"),
  lost: fc.integer({ min: 0, max: 7 }).map((one) => one === 0),
});

function textOf({ lines, form }: BillCase): string {
  if (form === "lines") return lines.join("\n");
  if (form === "serial") return ["@order serial", ...lines].join("\n");
  const items = lines.map((one, id) => ({ jsonrpc: "2.0", id, method: one.split(" ")[0], params: [] }));
  return JSON.stringify(items);
}

/** Statistics of the run, so that a test can assert its coverage. */
export interface BillSeen {
  readonly items: number;
  readonly errors: number;
  readonly replays: number;
}

/** Runs a cell and compares its charges with the estimate, line by line and in total; throws if they differ. */
export async function checkBill(bench: Bench, one: BillCase): Promise<BillSeen> {
  // A resend under the same key is served from the cache, for free.
  bench.sandbox.setFaults(one.lost ? [{ kind: "status", status: 503, late: true, times: 1 }] : []);
  const run = await bench.run(projectOf([textOf(one)], one.on));
  bench.sandbox.setFaults([]);
  assert.equal(run.problem, undefined);
  const seen = { items: 0, errors: 0, replays: 0 };
  let expected = 0;
  for (const { network: slug, lines, calls } of run.rounds) {
    calls.forEach(({ replayed, items, credits }, call) => {
      const own = lines.flatMap(({ outcome, credits: share, call: place }, at) =>
        place === call
          ? [{ method: run.plan.lines[at]?.method ?? "", failed: outcome.kind === "error", share }]
          : [],
      );
      const head = Array(items - own.length).fill({ method: "eth_blockNumber", failed: false });
      const foreseen = chargedCredits(slug, [...own, ...head]);
      assert.equal(credits, foreseen, "the header, which a replay repeats");
      for (const line of own) assert.equal(line.share, replayed ? 0 : chargedCredits(slug, [line]));
      expected += replayed ? 0 : foreseen;
      seen.items += items;
      seen.errors += own.filter(({ failed }) => failed).length;
      seen.replays += replayed ? 1 : 0;
    });
  }
  const { credits, usd } = spentBy(run);
  assert.equal(credits, expected);
  assert.ok(credits <= run.estimatedCredits);
  if (seen.errors + seen.replays === 0) assert.equal(credits, run.estimatedCredits);
  assert.equal(seen.replays, one.lost ? 1 : 0);
  assert.ok(Math.abs(usd - credits * 6.25e-7) < 1e-7);
  return seen;
}
