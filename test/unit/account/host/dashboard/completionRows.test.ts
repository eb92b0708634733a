import assert from "node:assert/strict";
import { test } from "node:test";
import type { Memento } from "vscode";
import { completionRows } from "../../../../../src/account/host/dashboard/completionRows.ts";
import { createCompletionCounts } from "../../../../../src/session/completionCounts.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { amountIn } from "../../../../../src/shared/money/amounts.ts";
import { dayOf } from "../../../../../src/shared/time/days.ts";
import { createClock, dayMs } from "../../../sandbox/clock.ts";
import { connection } from "../../../session/budgetWindow.ts";

function memento() {
  const values = new Map<string, unknown>();
  let writes = 0;
  const state = {
    get: (key: string, other: unknown) => values.get(key) ?? other,
    update: async (key: string, value: unknown) => {
      writes++;
      values.set(key, structuredClone(value));
    },
  } as unknown as Memento;
  return { state, values, writes: () => writes };
}

test("counts by day and connection, written once for many keys", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const clock = createClock();
  const { state, writes } = memento();
  const counts = createCompletionCounts(state, clock.now);
  for (let key = 0; key < 100; key++) counts.add("c-1", { keystrokes: 1 });
  counts.add("__proto__", { shown: 1 });
  assert.deepEqual([writes(), counts.since("c-1", 0).keystrokes], [0, 100]);
  t.mock.timers.tick(10_000);
  assert.equal(writes(), 1);
  clock.advance(dayMs);
  counts.add("c-1", { keystrokes: 1, shown: 2, accepted: 1 });
  counts.flush();
  const today = dayOf(clock.now());
  const other = createCompletionCounts(state, clock.now);
  assert.deepEqual(other.since("c-1", today), { keystrokes: 1, shown: 2, accepted: 1 });
  assert.deepEqual(other.since("c-1", today - 1), { keystrokes: 101, shown: 2, accepted: 1 });
  assert.equal(other.since("__proto__", 0).shown, 1);
  assert.equal(other.since("constructor", 0).shown, 0);
});

test("40 days and 40 connections are kept, those in use", () => {
  const clock = createClock();
  const { state, values } = memento();
  const counts = createCompletionCounts(state, clock.now);
  for (let day = 0; day < 100; day++) {
    counts.add("c-1", { shown: 1 });
    counts.add(`c-${day + 2}`, { shown: 1 });
    counts.flush();
    clock.advance(dayMs);
  }
  assert.equal(counts.since("c-1", 0).shown, 40);
  assert.equal(counts.since("c-101", 0).shown, 1);
  assert.equal(counts.since("c-2", 0).shown, 0);
  assert.ok(JSON.stringify([...values]).length < 10_000);
});

test("the dashboard's rows: accept rate, and cents for 1,000 keystrokes", async () => {
  const clock = createClock();
  const counts = createCompletionCounts(memento().state, clock.now);
  const entry = (atMs: number, usd: string | undefined): SpentEntry => ({
    id: String(atMs),
    atMs,
    endpoint: "chat.complete",
    cost: usd === undefined ? undefined : amountIn("USD", usd),
  });
  counts.add("c-1", { keystrokes: 900, shown: 4, accepted: 1 });
  clock.advance(3 * dayMs);
  counts.add("c-1", { keystrokes: 100 });
  const nowMs = clock.now();
  const entries = [entry(nowMs - 3 * dayMs, "0.02"), entry(nowMs - 3 * dayMs, undefined)];
  const spend = { completions: async () => entries };
  const rows = await completionRows({ connection, counts, spend, nowMs });
  assert.deepEqual(
    rows.map(({ name, requests, rate, keystrokes, spend: sum, perThousand }) =>
      [name, requests, rate, keystrokes, sum, perThousand].join(" | "),
    ),
    [
      "Today | 0 |  | 100 | $0.00 | 0.00 ¢",
      "Last 7 days | 2 | 25 % | 1000 | at least $0.020 | 2.00 ¢",
      "Last 28 days | 2 | 25 % | 1000 | at least $0.020 | 2.00 ¢",
    ],
  );
  const sandbox = await completionRows({
    connection: { ...connection, kind: "sandbox" },
    counts,
    spend,
    nowMs,
  });
  assert.match(sandbox[1]?.perThousand ?? "", /¢ play money$/);
});

test("without completions there are no rows", async () => {
  const counts = createCompletionCounts(memento().state, () => 0);
  const spend = { completions: async () => [] };
  assert.deepEqual(await completionRows({ connection, counts, spend, nowMs: Date.now() }), []);
});
