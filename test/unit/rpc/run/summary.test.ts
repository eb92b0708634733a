// A run of several cells says how many failed, apart from those that were stopped and those that it did not reach.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type CellEnd, type RunSummary, runInOrder, summaryText } from "../../../../src/rpc/run/summary.ts";

const ends = {
  passes: { state: "passed", continues: true },
  /** An error of the node, or an expectation that is not met: the next cells run. */
  fails: { state: "failed", reason: "Line 1: error 3: reverted", continues: true },
  /** A refused cell, or a request that was not answered. */
  ends: { state: "failed", reason: "Nothing was sent.", continues: false },
  stops: { state: "stopped", continues: false },
} as const satisfies Record<string, CellEnd>;
type Does = keyof typeof ends | "waited";

/** A run whose cells do this. The user's stop also stops the cells that wait. */
async function run(does: readonly Does[]) {
  let isStopped = false;
  const [ran, skipped]: number[][] = [[], []];
  const tally = await runInOrder([...does.keys()], (cell) => {
    const what = does[cell];
    if (what === undefined || what === "waited") return undefined;
    return {
      isStopped,
      async run() {
        ran?.push(cell);
        if (what === "stops") isStopped = true;
        return ends[what];
      },
      end: () => void skipped?.push(cell),
    };
  });
  return { ...tally, ran, skipped };
}

test("3 of 500 cells in the middle are counted and named, and the run goes on", async () => {
  const does = Array.from(
    { length: 500 },
    (_, at): Does => ([100, 250, 251].includes(at) ? "fails" : "passes"),
  );
  const { failed, stopped, left, endedBy, ran } = await run(does);
  assert.deepEqual(
    failed,
    [100, 250, 251].map((cell) => ({ cell, reason: ends.fails.reason })),
  );
  assert.deepEqual([stopped, left, endedBy, ran?.length], [0, 0, undefined, 500]);
  assert.equal(summaryText({ failed: 3, stopped, left, total: 500 }), "3 of 500 cells failed, 497 passed.");
});

test("each cell is counted once, whatever happens, and nothing runs after the end", async () => {
  const does = fc.array(fc.constantFrom<Does>("passes", "fails", "ends", "stops", "waited"), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(does, async (all) => {
      const { failed, stopped, left, endedBy, ran = [], skipped = [] } = await run(all);
      const passed = ran.filter((cell) => all[cell] === "passes").length;
      assert.equal(passed + failed.length + stopped + left, all.length);
      assert.equal(ran.length + skipped.length + all.filter((what) => what === "waited").length, all.length);
      const last = all.findIndex((what) => what === "ends" || what === "stops");
      assert.ok(last < 0 || ran.every((cell) => cell <= last));
      assert.equal(endedBy, all[last] === "ends" ? last : undefined);
      if (all[last] !== "ends") assert.equal(left, 0);
      assert.deepEqual(
        failed.map(({ cell }) => cell),
        ran.filter((cell) => all[cell] === "fails" || all[cell] === "ends"),
      );
    }),
  );
});

test("the sentence says what a reader needs, and nothing if no cell failed", () => {
  const said = (change: Partial<RunSummary>) =>
    summaryText({ failed: 0, stopped: 0, left: 0, total: 10, ...change });
  const endedBy = { place: 4, line: "eth_newFilter {}" };
  const cases: readonly (readonly [Partial<RunSummary>, string | undefined])[] = [
    [{}, undefined],
    [{ stopped: 9 }, undefined],
    [{ failed: 1 }, "1 of 10 cells failed, 9 passed."],
    [{ failed: 3, stopped: 1 }, "3 of 10 cells failed, 6 passed. 1 was stopped."],
    [{ failed: 3, stopped: 5 }, "3 of 10 cells failed, 2 passed. 5 were stopped."],
    [
      { failed: 1, left: 1, endedBy },
      "The run stopped at cell 4 (eth_newFilter {}). 1 of 10 cells failed, 8 passed, 1 was not run.",
    ],
    [
      { failed: 2, left: 6, endedBy },
      "The run stopped at cell 4 (eth_newFilter {}). 2 of 10 cells failed, 2 passed, 6 were not run.",
    ],
    [{ failed: 2, endedBy }, "2 of 10 cells failed, 8 passed."],
    [
      { failed: 1, left: 2, endedBy: { place: 1, line: "" } },
      "The run stopped at cell 1. 1 of 10 cells failed, 7 passed, 2 were not run.",
    ],
  ];
  for (const [change, text] of cases) assert.equal(said(change), text);
  assert.ok((said({ failed: 1, left: 1, endedBy: { place: 1, line: "x".repeat(500) } }) ?? "").length < 130);
});
