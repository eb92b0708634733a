// A budget over the days of its month, or the hours of its day.
import assert from "node:assert/strict";
import { test } from "node:test";
import { budgetsState, burnDown } from "../../../../../src/account/host/budgets/burnDown.ts";
import type { Budgets } from "../../../../../src/platform/settings.ts";
import { noSum } from "../../../../../src/session/spend/scopes/scopeSums.ts";
import { budgetStates, scopedState } from "../../../../../src/session/spend/spendBudget.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { amountIn, nothing } from "../../../../../src/shared/money/amounts.ts";
import { readScopedBudgets, type ScopedBudget } from "../../../../../src/shared/money/scopedBudget.ts";
import { dayMs, dayOf, monthOf } from "../../../../../src/shared/time/days.ts";
import { connection, openWindow } from "../../../session/budgetWindow.ts";
import { noService } from "../../../session/spendGateKit.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { usd } from "../money.ts";

const nowMs = Date.UTC(2026, 8, 11, 12);
const first = monthOf(nowMs).from;
const app: ScopedBudget = { per: { folder: "app" }, limitUsd: 30, period: "month", onReach: "stop" };
const entry = (atMs: number, cost: number, about: Partial<SpentEntry> = { folder: "app" }): SpentEntry => ({
  id: crypto.randomUUID(),
  atMs,
  endpoint: "chat.stream",
  cost: usd(cost),
  ...about,
});

test("a month has a point for each day and one for now, and a forecast in its unit", () => {
  const state = scopedState(app, { today: noSum, month: { ...noSum, spent: usd(10.5) } });
  const oldest = [entry((first - 5) * dayMs, 1)];
  const burn = burnDown(state, {
    entries: oldest,
    spentOn: (day) => usd(day < first ? 9 : day === dayOf(nowMs) ? 0.5 : 1),
    nowMs,
  });
  assert.equal(burn.name, "Folder app · month");
  assert.equal(burn.summary, "$10.50 of $30.00 spent, $19.50 left");
  assert.deepEqual([burn.from, burn.to, burn.limit], ["Sep 1", "Sep 30", "$30.00"]);
  assert.equal(burn.points.length, 12);
  assert.deepEqual(burn.points[0], { label: "start", elapsed: 0, left: 1, text: "$30.00" });
  assert.deepEqual(burn.points[1], { label: "Sep 1", elapsed: 1 / 30, left: 29 / 30, text: "$29.00" });
  assert.deepEqual(burn.points.at(-1), { label: "now", elapsed: 10.5 / 30, left: 0.65, text: "$19.50" });
  // Seven days at $1: 19.5 days more.
  assert.equal(burn.forecastText, "At the rate of the last full days $0.00 is left at the end of the month.");
  assert.equal(burn.forecast, 0);
  const fast = burnDown(state, { entries: oldest, spentOn: () => usd(2), nowMs });
  assert.match(fast.forecastText, /it is over by \$31\.00 at the end of the month/);
  assert.ok((fast.forecast ?? 0) < 0);
});

test("without enough full days there is no forecast, and a rate needs days that were recorded", () => {
  const state = scopedState(app, { today: noSum, month: { ...noSum, spent: usd(1) } });
  const young = burnDown(state, { entries: [entry(nowMs - dayMs, 1)], spentOn: () => nothing, nowMs });
  assert.equal(young.forecast, null);
  assert.match(young.forecastText, /^No forecast yet/);
  assert.equal(burnDown(state, { entries: [], spentOn: () => nothing, nowMs }).forecast, null);
});

test("the bill of a whole month is known before the first call of this computer", () => {
  const budgets = { dayUsd: undefined, monthUsd: 40, hardStop: false };
  const facts = { entries: [entry(nowMs, 1)], spentOn: () => usd(1), nowMs };
  const of = (isMonthBilled: boolean) => {
    const totals = { today: nothing, month: usd(11), isTodayBilled: true, isMonthBilled };
    const [state] = budgetStates(budgets, totals);
    return burnDown(state ?? assert.fail(), facts).forecastText;
  };
  assert.match(of(true), /^At the rate of the last full days \$9\.50 is left at the end of the month/);
  assert.match(of(false), /^No forecast yet/);
});

test("an account that pays in DIEM has its budgets in DIEM before a call is counted", () => {
  const state = scopedState(app, { today: noSum, month: noSum }, "DIEM");
  const { summary, limit, points } = burnDown(state, { entries: [], spentOn: () => nothing, nowMs });
  assert.equal(summary, "0.00 DIEM of 30.00 DIEM spent, 30.00 DIEM left");
  assert.deepEqual([limit, points.at(-1)?.text], ["30.00 DIEM", "30.00 DIEM"]);
});

test("a day has a point for each hour, of the calls of its part alone", () => {
  const day: ScopedBudget = { ...app, limitUsd: 4, period: "day" };
  const start = dayOf(nowMs) * dayMs;
  const state = scopedState(day, { today: { ...noSum, spent: usd(3) }, month: noSum });
  const entries = [
    entry(start + 2.5 * 3_600_000, 2),
    entry(start + 3_600_000 - 1, 1),
    entry(start + 5, 9, { folder: "web" }),
    entry(start - 5, 9),
  ];
  const burn = burnDown(state, { entries, spentOn: () => usd(4), nowMs });
  assert.deepEqual([burn.from, burn.to], ["00:00", "24:00"]);
  assert.equal(burn.points.length, 14);
  assert.deepEqual(
    burn.points.slice(0, 4).map(({ label, text }) => [label, text]),
    [
      ["start", "$4.00"],
      ["01:00", "$3.00"],
      ["02:00", "$3.00"],
      ["03:00", "$1.00"],
    ],
  );
});

test("an unread bill says at least, DIEM stays DIEM, and both together are shares", () => {
  const totals = { today: nothing, isTodayBilled: false, isMonthBilled: false };
  const budgets = { dayUsd: undefined, monthUsd: 10, hardStop: false };
  const of = (month: typeof nothing) => {
    const [state] = budgetStates(budgets, { ...totals, month });
    return burnDown(state ?? assert.fail(), { entries: [], spentOn: () => nothing, nowMs });
  };
  assert.equal(of(usd(4)).summary, "At least $4.00 of $10.00 spent, at most $6.00 left");
  assert.equal(of(amountIn("DIEM", 4)).points.at(-1)?.text, "6.00 DIEM");
  assert.equal(of(usd(4).plus(amountIn("DIEM", 1))).points.at(-1)?.text, "50 %");
});

test("the state has all budgets of the ledger, and the faults", async () => {
  const { spend, prices } = openWindow({
    ...noService,
    folder: temporaryFolder(),
    budgets: { dayUsd: undefined, monthUsd: undefined, hardStop: false },
    now: () => nowMs,
    placeOf: async (folder) => (folder === undefined ? {} : { folder }),
  });
  for (const resource of ["app", "web"]) {
    const source = { kind: "chat", resource } as const;
    spend.record(
      connection,
      { type: "charged", endpoint: "x.y", fact: { by: "request", usd: 2 }, source },
      prices,
    );
  }
  await spend.totals(connection);
  const parts = readScopedBudgets([app, { ...app, period: "week" }], "b");
  const budgets: Budgets = { dayUsd: undefined, monthUsd: 100, hardStop: false, parts };
  const state = await budgetsState(spend, connection, budgets, nowMs);
  assert.deepEqual(
    state.budgets.map(({ summary }) => summary),
    ["$2.00 of $30.00 spent, $28.00 left", "At least $4.00 of $100.00 spent, at most $96.00 left"],
  );
  assert.match(state.faults.join(), /^A budget can't be read: b\[1\]\.period has to be/);
  const [spentOn] = await spend.spentOn(connection, [app.per], nowMs);
  assert.deepEqual(spentOn?.(dayOf(nowMs)), usd(2));
});
