// What judging a call reads does not grow with the ledger.
import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { SpendSource } from "../../../../../src/api/money/charge.ts";
import type { ScopedBudget } from "../../../../../src/shared/money/scopedBudget.ts";
import { dayMs, dayOf, monthOf } from "../../../../../src/shared/time/days.ts";
import { createClock } from "../../../sandbox/clock.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { connection, openWindow } from "../../budgetWindow.ts";
import { noService, search } from "../../spendGateKit.ts";

const budgets = Array.from(
  { length: 20 },
  (_, index): ScopedBudget => ({
    per: index % 2 === 0 ? { folder: "app" } : { folder: "app", client: "agent", branch: "main" },
    limitUsd: 1_000_000 + index,
    period: index % 3 === 0 ? "day" : "month",
    onReach: index % 4 === 0 ? "warn" : "stop",
  }),
);

/** A ledger with so many lines of this month, over its days so far. */
function ledgerOf(lines: number, nowMs: number): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, connection.id), { recursive: true });
  const { from } = monthOf(nowMs);
  const days = dayOf(nowMs) - from + 1;
  const text = Array.from({ length: lines }, (_, index) =>
    JSON.stringify({
      t: "spent",
      id: `${index}`,
      atMs: (from + (index % days)) * dayMs,
      endpoint: "chat.stream",
      model: "m",
      source: { kind: "chat", ...(index % 2 === 0 ? { task: "t", round: 1 } : {}) },
      folder: index % 5 === 0 ? "web" : "app",
      branch: "main",
      usd: "0.01",
    }),
  );
  writeFileSync(
    join(folder, connection.id, `${new Date(nowMs).toISOString().slice(0, 7)}.jsonl`),
    text.join("\n"),
  );
  return folder;
}

/** Counts what is taken from maps and sets, in which the ledger and its sums are. */
function countSteps(t: TestContext): { stop(): number } {
  let steps = 0;
  const prototypes = [new Map().values(), new Set().values()].map((one) => Object.getPrototypeOf(one));
  const mocks = prototypes.map((prototype) => {
    const { next } = prototype;
    return t.mock.method(prototype, "next", function step(this: unknown) {
      steps++;
      return next.call(this);
    });
  });
  return {
    stop() {
      for (const mock of mocks) mock.mock.restore();
      return steps;
    },
  };
}

test("judging a call reads as much of 100,000 lines as of 1,000, with 20 budgets", async (t) => {
  const stepsWith = async (lines: number) => {
    const { now } = createClock();
    const limits = { dayUsd: 1e6, monthUsd: 1e6, hardStop: true, parts: { scoped: budgets, faults: [] } };
    const placeOf = async () => ({ folder: "app", branch: "main" });
    const options = { ...noService, folder: ledgerOf(lines, now()), now, budgets: limits, placeOf };
    const { gate, prices, spend } = openWindow(options);
    const task = { id: "t", round: 2, capUsd: 1e6 };
    const source: SpendSource = { kind: "chat", task };
    const admit = () => gate.admit(connection, { ...search, source }, prices, undefined);
    assert.equal(typeof (await admit()), "string");
    assert.equal((await spend.entries(connection)).length, lines);
    const counter = countSteps(t);
    const hold = await admit();
    await gate.admitAgain(connection, { ...search, source }, String(hold));
    return counter.stop();
  };
  const few = await stepsWith(1000);
  const many = await stepsWith(100_000);
  assert.ok(few > 100, "the counter sees the days of the sums");
  assert.equal(many, few);
});
