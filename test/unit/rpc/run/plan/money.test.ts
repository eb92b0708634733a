// The cost of a run, estimated and reported, compared with the bill of the real sandbox.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { spentBy } from "../../../../../src/rpc/run/cellRun.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { billCase, checkBill } from "../../bill.ts";
import { type Bench, openBench, projectOf } from "../../notebook.ts";

describe("credits", () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench({ balances: { usd: 1e6, diemPerDay: 0 } });
  });
  after(() => bench.close());

  // npm run bench -- --only rpc-bill does it for 10,000 cells.
  test("the estimate equals the charge, line by line and in total", async () => {
    const numRuns = randomCases(1_000);
    let [errors, replays] = [0, 0];
    const property = fc.asyncProperty(billCase, async (one) => {
      const seen = await checkBill(bench, one);
      errors += seen.errors;
      replays += seen.replays;
    });
    await fc.assert(property, { numRuns });
    assert.ok(
      errors > numRuns * 0.3 && replays > numRuns * 0.06,
      `${errors} error items, ${replays} replays`,
    );
  });

  test("a replay is marked as such, and not counted", async () => {
    // The first reply is lost: the resend is served from the cache.
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
