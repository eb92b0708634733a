import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Model } from "../../../../src/api/endpoints/models.ts";
import type { Charged } from "../../../../src/api/money/charge.ts";
import type { Connection } from "../../../../src/session/connection/connection.ts";
import { createSpend } from "../../../../src/session/spend/spend.ts";
import type { Bill, BilledRecord, SpendTotals } from "../../../../src/session/spend/spendBook.ts";
import { budgetStates } from "../../../../src/session/spend/spendBudget.ts";
import type { Prices } from "../../../../src/session/spend/spendEntry.ts";
import { noNames } from "../../../../src/shared/chat/modelNames.ts";
import { Amounts, nothing } from "../../../../src/shared/money/amounts.ts";
import { exactText, toExact } from "../../../../src/shared/money/exact.ts";
import { dayOf, daysBetween, monthOf } from "../../../../src/shared/time/days.ts";
import { noTotals, recordIn, usd, usdOf } from "../../account/host/money.ts";
import { createClock, minuteMs } from "../../sandbox/clock.ts";

const live: Connection = {
  id: "c-1",
  name: "One",
  kind: "live",
  baseUrl: "https://one.example",
  dialect: "auto",
};
const other: Connection = { ...live, id: "../c 2" };
const model: Model = { id: "guide", model_spec: { pricing: { input: { usd: 0.2 }, output: { usd: 0.8 } } } };
const prices: Prices = {
  models: async () => new Map([["guide", model]]),
  names: async () => noNames,
  usdPerCredit: [6.25e-7, 7e-7],
};

function open(t: TestContext, folder = mkdtempSync(join(tmpdir(), "spend-")), clock = createClock()) {
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const changes: string[] = [];
  const problems: unknown[] = [];
  const spend = createSpend({
    folder,
    now: clock.now,
    onChange: ({ id }, { today }) => changes.push(`${id} ${exactText(usdOf(today))}`),
    report: (error) => problems.push(error),
  });
  return { spend, clock, folder, changes, problems };
}

const search = (requestId?: string): Charged => ({
  type: "charged",
  endpoint: "augment.search",
  fact: { by: "request", usd: 0.01 },
  ...(requestId ? { requestId } : {}),
});
const chat = (requestId: string): Charged => ({
  type: "charged",
  endpoint: "chat.complete",
  model: "guide",
  requestId,
  fact: { by: "tokens", usage: { prompt_tokens: 1000, completion_tokens: 100, total_tokens: 1100 } },
});

const shown = ({ today, month, unbilled }: SpendTotals) =>
  [today, month, unbilled].map((sum) => exactText(usdOf(sum))).join(" ");

function billOf(clock: { now(): number }, records: readonly BilledRecord[]): Bill {
  const paid = Amounts.sum(records.map((record) => record.paid()));
  return { asOfMs: clock.now(), days: new Map([[dayOf(clock.now()), paid]]), records };
}

test("an observed charge counts at once, priced by the listing if the reply has no price", async (t) => {
  const { spend, changes } = open(t);
  spend.record(live, search(), prices);
  spend.record(live, chat("r-1"), prices);
  assert.equal(shown(await spend.totals(live)), "0.01028 0.01028 0.01028");
  assert.deepEqual(changes, ["c-1 0.01", "c-1 0.01028"]);
  assert.equal(shown(await spend.totals(other)), "0 0 0", "each connection by itself");
  assert.deepEqual(
    (await spend.entries(live)).map(({ endpoint, requestId }) => [endpoint, requestId]),
    [
      ["chat.complete", "r-1"],
      ["augment.search", undefined],
    ],
  );
});

test("a call by another name of a model costs what that model does; without the names it is unpriced", async (t) => {
  const { spend } = open(t);
  const named: Prices = { ...prices, names: async () => ({ traits: { default: "guide" }, mapping: {} }) };
  const down: Prices = { ...prices, names: async () => Promise.reject(new Error("down")) };
  spend.record(live, { ...chat("r-1"), model: "default:disable_thinking=true" }, named);
  spend.record(live, { ...chat("r-2"), model: "guide:disable_thinking=true" }, down);
  spend.record(live, { ...chat("r-3"), model: "default" }, down);
  const totals = await spend.totals(live);
  assert.deepEqual([shown(totals), totals.unpriced], ["0.00056 0.00056 0.00056", 1]);
});

test("a call without a known price is counted as unpriced, also without a listing", async (t) => {
  const { spend } = open(t);
  const down: Prices = { ...prices, models: async () => Promise.reject(new Error("down")) };
  spend.record(live, chat("r-1"), down);
  spend.record(live, { ...chat("r-2"), model: "unheard-of" }, prices);
  const totals = await spend.totals(live);
  assert.deepEqual([totals.unpriced, totals.today], [2, nothing]);
});

test("all windows of one user share the ledger, which outlives them", async (t) => {
  const first = open(t);
  const second = open(t, first.folder, first.clock);
  first.spend.record(live, search(), prices);
  await first.spend.totals(live);
  second.spend.record(live, search(), prices);
  assert.equal(shown(await second.spend.totals(live)), "0.02 0.02 0.02");
  assert.equal(shown(await first.spend.totals(live)), "0.02 0.02 0.02");
  const third = open(t, first.folder, first.clock);
  assert.equal(shown(await third.spend.totals(live)), "0.02 0.02 0.02");
});

const rpc = (credits: number | undefined, caller?: string, replayed = false): Charged => ({
  type: "charged",
  endpoint: "rpc.call",
  fact: { by: "credits", replayed, ...(credits === undefined ? {} : { credits, usd: credits / 1024 }) },
  ...(caller === undefined ? {} : { caller }),
});

test("the ledger returns RPC costs by caller and in total, from every window, by time", async (t) => {
  const { spend: here, folder, clock } = open(t);
  const { spend: there } = open(t, folder, clock);
  clock.set("2026-08-31T23:00:00Z");
  here.record(live, rpc(40, "file:///one"), prices);
  await here.totals(live);
  there.record(live, rpc(20, "file:///one"), prices);
  there.record(live, rpc(5, "untitled:other"), prices);
  there.record(live, rpc(9, "file:///one", true), prices);
  there.record(live, search(), prices);
  there.record(other, rpc(1000), prices);
  await there.totals(other);
  const sinceMs = clock.now();
  const ask = async (from: number, caller?: string) => {
    const { credits, spent, unstated } = await here.chainSpend(live, from, caller);
    return [credits, exactText(usdOf(spent)), unstated];
  };
  assert.deepEqual(await ask(sinceMs, "file:///one"), [60, "0.05859375", 0], "a replay costs nothing");
  assert.deepEqual(await ask(sinceMs), [65, "0.0634765625", 0]);
  clock.set("2026-09-01T10:00:00Z");
  there.record(live, rpc(undefined), prices);
  await there.totals(live);
  assert.deepEqual(await ask(clock.now()), [0, "0", 1], "a call that states no credits is counted as that");
  assert.deepEqual(await ask(sinceMs), [65, "0.0634765625", 1], "the last month's calls count as well");
});

test("a month is billed once the bill of each of its days to date has been read", async (t) => {
  const { spend, clock } = open(t);
  const isBilled = async () => (await spend.totals(live)).isMonthBilled;
  assert.equal(await isBilled(), false);
  await spend.takeBill(live, billOf(clock, []));
  const today = dayOf(clock.now());
  assert.equal(await isBilled(), today === monthOf(clock.now()).from);
  const days = new Map(daysBetween(monthOf(clock.now()).from, today).map((day) => [day, nothing]));
  await spend.takeBill(live, { ...billOf(clock, []), days });
  assert.equal(await isBilled(), true);
});

test("calls of the sandbox outlive the window, but its bill is per window", async (t) => {
  const sandbox: Connection = { ...live, id: "sandbox", kind: "sandbox", baseUrl: "" };
  const { spend: first, folder, clock } = open(t);
  first.record(sandbox, rpc(64), prices);
  await first.takeBill(sandbox, { ...billOf(clock, []), days: new Map([[dayOf(clock.now()), usd(2)]]) });
  const { spend: second } = open(t, folder, clock);
  assert.equal((await second.chainSpend(sandbox, clock.now())).credits, 64);
  const [one, two] = [await first.totals(sandbox), await second.totals(sandbox)];
  assert.equal(usdOf(one.month) - usdOf(two.month), toExact(2));
  assert.equal(shown(await second.totals(live)), "0 0 0", "play money is in no other sum");
});

test("damaged and foreign lines change nothing and stay in the file", async (t) => {
  const { spend, folder, clock } = open(t);
  spend.record(live, search(), prices);
  await spend.totals(live);
  const [file = ""] = readdirSync(join(folder, "c-1"));
  const path = join(folder, "c-1", file);
  const damage =
    'no JSON\n{"t":"spent","id":1}\n{"t":"bill","asOfMs":1,"days":[["x"]]}\n{"t":"later"}\nnull\n';
  appendFileSync(path, damage);
  const again = open(t, folder, clock);
  again.spend.record(live, search(), prices);
  assert.equal(shown(await again.spend.totals(live)), "0.02 0.02 0.02");
  assert.ok(readFileSync(path, "utf8").includes(damage));
  assert.deepEqual(again.problems, []);
});

test("days and months begin in UTC", async (t) => {
  const { spend, clock } = open(t);
  clock.set("2026-08-31T23:59:00Z");
  spend.record(live, search(), prices);
  await spend.totals(live);
  clock.set("2026-08-31T23:59:59Z");
  assert.equal(shown(await spend.totals(live)), "0.01 0.01 0.01");
  clock.set("2026-09-01T00:00:00Z");
  assert.equal(shown(await spend.totals(live)), "0 0 0");
});

test("billed calls are not counted twice: matched by request id, else by amount and time", async (t) => {
  const { spend, clock } = open(t);
  spend.record(live, chat("r-1"), prices);
  spend.record(live, search("r-2"), prices);
  spend.record(live, search("r-3"), prices);
  await spend.totals(live);
  const atMs = clock.now();
  clock.advance(1000);
  const records = [
    recordIn({ atMs, requestId: "r-1" }, 0.0002),
    recordIn({ atMs, requestId: "r-1" }, 0.00008),
    // A search's record has no request id; the other search is not billed yet.
    recordIn({ atMs, requestId: undefined }, 0.01),
    // Another user's record.
    recordIn({ atMs, requestId: "elsewhere" }, 1),
  ];
  await spend.takeBill(live, billOf(clock, records));
  assert.equal(shown(await spend.totals(live)), "1.02028 1.02028 0.01");
  await spend.takeBill(live, billOf(clock, records));
  assert.equal(shown(await spend.totals(live)), "1.02028 1.02028 0.01", "the same bill again");
  clock.advance(11 * minuteMs);
  await spend.takeBill(live, billOf(clock, records));
  assert.equal(shown(await spend.totals(live)), "1.01028 1.01028 0", "what never comes was never charged");
});

test("an older bill that arrives late does not replace a newer one", async (t) => {
  const { spend, clock } = open(t);
  const record = (amount: number) => recordIn({ atMs: clock.now(), requestId: "x" }, amount);
  const old = billOf(clock, [record(1)]);
  clock.advance(minuteMs);
  await spend.takeBill(live, billOf(clock, [record(2)]));
  await spend.takeBill(live, old);
  assert.equal(shown(await spend.totals(live)), "2 2 0");
});

test("each call counts once, whenever the bill is read", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({ named: fc.boolean(), cents: fc.integer({ min: 1, max: 3 }), bill: fc.boolean() }),
        {
          maxLength: 12,
        },
      ),
      async (calls) => {
        const { spend, clock } = open(t);
        const records: BilledRecord[] = [];
        let due = 0n;
        for (const [index, { named, cents, bill }] of calls.entries()) {
          clock.advance(1000);
          const fact = { by: "request", usd: cents / 100 } as const;
          spend.record(
            live,
            { type: "charged", endpoint: "augment.search", requestId: `r-${index}`, fact },
            prices,
          );
          await spend.totals(live);
          records.push(
            recordIn({ atMs: clock.now(), requestId: named ? `r-${index}` : undefined }, cents / 100),
          );
          due += toExact(cents / 100);
          if (bill) await spend.takeBill(live, billOf(clock, records));
          assert.equal(usdOf((await spend.totals(live)).today), due);
        }
      },
    ),
    { numRuns: 25 },
  );
});

test("budgets are fine below 80 %, near from 80 %, and spent from 100 % on", () => {
  const totals = (today: number, month: number): SpendTotals => ({
    ...noTotals,
    today: usd(today),
    month: usd(month),
  });
  const levels = (today: number, month: number) =>
    budgetStates({ dayUsd: 1, monthUsd: 10, hardStop: false }, totals(today, month)).map(
      ({ period, level, left, over }) =>
        `${period} ${level} ${left.digits()}${over.sign > 0 ? ` over by ${over.digits()}` : ""}`,
    );
  assert.deepEqual(levels(0.79, 1), ["day fine 0.21", "month fine 9"]);
  assert.deepEqual(levels(0.8, 1), ["day near 0.2", "month fine 9"]);
  assert.deepEqual(levels(0.999999999, 9.5), ["day near 0.000000001", "month near 0.5"]);
  assert.deepEqual(levels(1, 10.5), ["month spent 0 over by 0.5", "day spent 0"]);
  assert.deepEqual(
    budgetStates({ dayUsd: undefined, monthUsd: undefined, hardStop: true }, totals(9, 9)),
    [],
  );
});
