import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { accountOf } from "../../../../../src/account/host/accountOf.ts";
import { toCallsState } from "../../../../../src/account/host/dashboard/callSearch.ts";
import { createDashboardController } from "../../../../../src/account/host/dashboard/dashboardController.ts";
import { exportRecords } from "../../../../../src/account/host/export/exportUsage.ts";
import { spendBarOf } from "../../../../../src/account/host/tree/spendBarText.ts";
import { isInAnalytics } from "../../../../../src/account/host/usage/analyticsTotals.ts";
import { unitsText } from "../../../../../src/account/host/usage/unitsText.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import type { ToUsageView, UsageState } from "../../../../../src/account/protocol/usageProtocol.ts";
import type { Charged } from "../../../../../src/api/money/charge.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { Connections } from "../../../../../src/session/connection/connections.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { createSpend } from "../../../../../src/session/spend/spend.ts";
import { createSpendGate } from "../../../../../src/session/spend/spendGate.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import { Amounts, amountIn } from "../../../../../src/shared/money/amounts.ts";
import { Counted, unitOf } from "../../../../../src/shared/money/budgetRule.ts";
import { usd } from "../../../../../src/shared/money/money.ts";
import { fullMoneyText, moneyText, spendText } from "../../../../../src/shared/money/moneyText.ts";
import { dayMs, dayOf, dayText, monthOf } from "../../../../../src/shared/time/days.ts";
import { createUsageTool } from "../../../../../src/tools/usageTool.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { childrenOf, rowOf } from "../accountRows.ts";
import { billDouble, type Charge } from "../billDouble.ts";

const connection: Connection = { id: "c-1", name: "Live", kind: "live", baseUrl: "", dialect: "standard" };
const nowMs = Date.now();
const today = dayOf(nowMs);
const month = monthOf(nowMs);
const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };

const nano = fc.integer({ min: 1, max: 200_000_000_000 });
const currency = fc.constantFrom("USD", "DIEM", "VCU", "BUNDLED_CREDITS");
/** A charge of a day of this month, and whether this extension made the call. */
const charge = fc.record({
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  currency,
  nano,
  isOwn: fc.boolean(),
  part: fc.constantFrom("input", "output"),
});
const account = fc.record({
  charges: fc.array(charge, { maxLength: 25 }),
  unbilled: fc.array(nano, { maxLength: 3 }),
});

function open(t: TestContext, charges: readonly Charge[], fails?: (call: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), "agreement-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const spend = createSpend({
    folder,
    now: () => nowMs,
    onChange() {},
    report: (error) => assert.fail(String(error)),
  });
  const api = billDouble(charges, fails);
  const session = {
    spend: async () => spend,
    clientOf: async () => ({ api, connection }),
  } as unknown as Session;
  const of = accountOf(connection, {
    identity: "c-1",
    session,
    connections: { byId: () => undefined } as unknown as Connections,
    globalState: { get: (_: string, other: unknown) => other } as never,
    storagePath: join(folder, "usage"),
    onChange() {},
    report: (error) => assert.fail(String(error)),
  });
  const posted: ToUsageView[] = [];
  const controller = createDashboardController({
    account: () => of,
    post: (message) => void posted.push(message),
    report() {},
  });
  const state = (): UsageState => {
    const states = posted.flatMap((message) => (message.type === "state" ? message.state : []));
    return states.at(-1) ?? assert.fail("no state");
  };
  return { folder, spend, session, api, of, controller, posted, state };
}

/** Each own call is recorded at its price in USD, whichever balance pays later. */
const chargedAt = (amount: number, requestId: string): Charged => ({
  type: "charged",
  endpoint: "augment.search",
  requestId,
  fact: { by: "request", usd: amount / 1e9 },
});

type Nodes = Awaited<ReturnType<typeof usageNodes>>;
type Opened = ReturnType<typeof open>;

const amountsOf = (some: readonly Charge[]) =>
  Amounts.sum(some.map((one) => amountIn(one.currency, one.nano / 1e9)));

const ofWeek = (charges: readonly Charge[]) => charges.filter(({ atMs }) => dayOf(atMs) > today - 7);

const units = (some: readonly Charge[]) =>
  unitsText(
    some.reduce((sum, { nano: tokens }) => sum + tokens, 0),
    "tokens",
  );

function checkSpentRows(
  nodes: Nodes,
  { expected, expectedToday }: { readonly expected: Amounts; readonly expectedToday: Amounts },
): void {
  const own = rowOf(nodes, "Spent this month");
  assert.equal(own.description, spendText(expected), "tree, this month");
  const ownFacts = new Map(own.tooltip?.facts).get("This month (UTC)") ?? "";
  for (const money of expected)
    assert.ok(ownFacts.includes(fullMoneyText(money)), `${ownFacts} has no ${money.currency}`);
  assert.equal(
    rowOf(nodes, "Today (UTC)").description,
    spendText(expectedToday, moneyText, unitOf(expected)),
    "tree, today",
  );
}

interface Week {
  readonly of: Opened["of"];
  readonly charges: readonly Charge[];
}

function checkWeekRow(nodes: Nodes, { of, charges }: Week): void {
  const range = of.data.usage.loaded({ from: today - 6, to: today });
  const week = amountsOf(ofWeek(charges));
  const seen = range ? week : week.where(isInAnalytics);
  assert.equal(
    rowOf(nodes, "Last 7 days").description,
    `${spendText(seen)}${range ? "" : " · VCU and credits not read"}`,
    "tree, 7 days",
  );
}

async function checkWeekParts(nodes: Nodes, charges: readonly Charge[]): Promise<void> {
  const counted = ofWeek(charges);
  if (counted.length === 0) return;
  const groups = await childrenOf(rowOf(nodes, "Last 7 days"));
  const listed = async (group: string, row: string) => rowOf(await childrenOf(rowOf(groups, group)), row);
  const textOf = (some: readonly Charge[]) =>
    `${spendText(amountsOf(some).where(isInAnalytics))}, ${units(some)}`;
  assert.equal((await listed("By key", "key 1")).description, textOf(counted), "tree, key");
  const model = await listed("By model", "guide");
  assert.equal(model.description, textOf(counted), "tree, model");
  for (const part of await childrenOf(model)) {
    const charged = counted.filter((one) => one.part === part.label.toLowerCase());
    assert.equal(part.description, textOf(charged), `tree, ${part.label}`);
  }
}

function checkRanks({ models, keys }: UsageState, charges: readonly Charge[]): void {
  if (charges.length === 0) return;
  const ranks = (of: UsageState["keys"]) =>
    new Map(of.is === "value" ? of.value.map((rank) => [rank.name, rank.units]) : []);
  assert.deepEqual(
    [ranks(models).get("guide"), ranks(keys).get("key 1")],
    [units(charges), units(charges)],
    "dashboard, units",
  );
}

const limitUsd = 0.000001;
const budgets = { dayUsd: undefined, monthUsd: limitUsd, hardStop: true };

async function checkRefusal(spend: Opened["spend"], expected: Amounts): Promise<void> {
  const gate = createSpendGate({
    consents: openConsents(),
    spend,
    budgets: () => budgets,
    state: { get: (_: string, other?: unknown) => other, update: async () => {} } as never,
    now: () => nowMs,
    warn() {},
    ask: async () => "no",
  });
  const call = { endpoint: "augment.search", price: { by: "request", usd: 0.01 }, input: {} } as const;
  const refused = await gate.admit(connection, call, prices as never, undefined).then(
    () => assert.fail("not refused"),
    (error: Error) => error.message,
  );
  const counted = expected.where(isInAnalytics);
  assert.ok(
    refused.includes(
      `${spendText(counted)} of ${moneyText(Counted.parse(limitUsd).shownIn(unitOf(expected)))} is spent`,
    ),
    refused,
  );
  assert.equal(refused.includes("used up"), !Counted.parse(limitUsd).exceeds(Counted.of(expected)), refused);
  const hasOthers = expected.currencies.some((name) => name !== "USD");
  assert.equal(refused.includes("DIEM 1:1"), hasOthers, refused);
}

function checkSources(
  calls: ReturnType<typeof toCallsState>,
  charges: readonly (Charge & { readonly isOwn: boolean })[],
  unbilled: Amounts,
): void {
  const ownPaid = amountsOf(charges.filter(({ isOwn }) => isOwn)).plus(unbilled);
  const elsewhere = amountsOf(charges.filter(({ isOwn }) => !isOwn));
  const rows = new Map(calls.groups.map(({ name, spend: text }) => [name, text]));
  if (ownPaid.size > 0) assert.equal(rows.get("Source not recorded"), spendText(ownPaid), "who spent it");
  assert.equal(rows.get("Elsewhere"), elsewhere.size > 0 ? spendText(elsewhere) : undefined);
}

async function checkCurrencies(
  { controller, state }: Pick<Opened, "controller" | "state">,
  bill: Amounts,
): Promise<void> {
  for (const money of bill) {
    const name = money.currency;
    await controller.handle({ v: 1, type: "currency", body: { currency: name } });
    const only = { query: 1, text: "", currency: name, sort: "price", isDescending: true } as const;
    await controller.handle({ v: 1, type: "query", body: only });
    const found = controller.shownOf("c-1") ?? assert.fail("no records");
    const listed = found.rows(0, found.size).map((one) => amountIn(one.currency, -one.amount));
    const { series, models } = state();
    const charted = series.is === "value" ? series.value.map(({ total }) => total) : [];
    const ranked = models.is === "value" ? models.value.map(({ spend: text }) => text) : [];
    assert.deepEqual(
      [Amounts.sum(listed), charted, ranked],
      [amountIn(name, money.digits()), [money.digits()], [moneyText(money)]],
      `chart, list and records in ${name}`,
    );
  }
}

test("one account in all currencies: tree, dashboard, status bar, refusal, MCP tool, calls and export agree", async (t) => {
  await fc.assert(
    fc.asyncProperty(account, async ({ charges: rolled, unbilled }) => {
      const charges = rolled.map(({ share, isOwn, ...rest }, index): Charge & { isOwn: boolean } => {
        const atMs = Math.floor(month.from * dayMs + share * (nowMs - month.from * dayMs - 1));
        return { ...rest, atMs, isOwn, requestId: `r-${index}` };
      });
      const { spend, session, api, of, controller, state, folder } = open(t, charges);
      for (const { isOwn, nano: amount, requestId = "" } of charges)
        if (isOwn) spend.record(connection, chargedAt(amount, requestId), prices);
      for (const [index, amount] of unbilled.entries())
        spend.record(connection, chargedAt(amount, `open-${index}`), prices);

      const open_ = amountsOf(unbilled.map((amount) => ({ atMs: nowMs, currency: "USD", nano: amount })));
      const bill = amountsOf(charges);
      const expected = bill.plus(open_);
      const expectedToday = amountsOf(charges.filter(({ atMs }) => dayOf(atMs) === today)).plus(open_);

      await controller.handle({
        v: 1,
        type: "range",
        body: { from: dayText(month.from), to: dayText(today) },
      });
      await controller.load();
      const totals = await spend.totals(connection);
      assert.deepEqual([totals.month, totals.today], [expected, expectedToday], "the ledger");

      const nodes = await usageNodes({ data: of.data, own: totals, explain: String });
      checkSpentRows(nodes, { expected, expectedToday });
      checkWeekRow(nodes, { of, charges });
      await checkWeekParts(nodes, charges);
      checkRanks(state(), charges);

      const cards = new Map(state().cards.map(({ label, value }) => [label, value]));
      assert.deepEqual(cards.get("Spend in this range"), {
        is: "value",
        value: spendText(bill, moneyText, unitOf(expected)),
      });
      assert.deepEqual(cards.get("Today"), {
        is: "value",
        value: spendText(expectedToday, moneyText, unitOf(expected)),
      });

      const stored = {
        day: today,
        today: totals.today.toTexts(),
        month: totals.month.toTexts(),
        isTodayBilled: true,
        isMonthBilled: true,
      };
      const bar = spendBarOf(connection, budgets, stored, nowMs);
      assert.ok(
        bar?.text.split(" today")[0]?.endsWith(spendText(expectedToday, moneyText, unitOf(expected))),
        bar?.text,
      );
      for (const money of expected)
        assert.ok(bar?.tooltip.includes(moneyText(money).replace("$", "\\$")), bar?.tooltip);

      await checkRefusal(spend, expected);

      const tool = createUsageTool({ session, budgets: () => budgets });
      const [content] = await tool.run({}, { api, connection } as never, new AbortController().signal);
      const facts = JSON.parse(content?.kind === "text" ? content.text : "");
      assert.deepEqual(facts.month, { amounts: expected.toTexts(), isComplete: true });
      assert.deepEqual(facts.today.amounts, expectedToday.toTexts());

      const ledger = await of.ledger();
      const calls = toCallsState({ query: 1, by: "source", filter: {} }, ledger);
      checkSources(calls, charges, open_);

      await controller.handle({
        v: 1,
        type: "query",
        body: { query: 1, text: "", sort: "time", isDescending: true },
      });
      const view = controller.shownOf("c-1") ?? assert.fail("no records");
      const iso = (day: number) => new Date(day * dayMs).toISOString();
      const job = {
        range: { start: iso(month.from), end: iso(today + 1) },
        format: "csv",
        path: join(folder, "bill.csv"),
      } as const;
      const exported = await exportRecords(view, job, { signal: new AbortController().signal });
      assert.deepEqual(exported.spend, bill, "export");

      await checkCurrencies({ controller, state }, bill);
    }),
    { numRuns: 20 },
  );
});

test("a forecast of the month is not below what is spent in its currency, whatever was refunded", async (t) => {
  const forecast = (state: UsageState) => {
    const value = state.cards.find(({ label }) => label.startsWith("Forecast"))?.value;
    return value?.is === "value" ? value.value : undefined;
  };
  const refunded: Charge[] = [1, 2, 3, 4, 5].map((back) => ({
    atMs: (today - back) * dayMs + 1,
    currency: "USD",
    nano: -1_000_000_000,
  }));
  const paid: Charge = { atMs: month.from * dayMs, currency: "USD", nano: 90_000_000_000 };
  const { spend, controller, state } = open(t, [paid, ...refunded]);
  spend.record(connection, chargedAt(5_000_000_000, "open"), prices);
  await spend.totals(connection);
  await controller.handle({
    v: 1,
    type: "range",
    body: { from: dayText(Math.min(month.from, today - 30)), to: dayText(today) },
  });
  const totals = await spend.totals(connection);
  const text = forecast(state());
  if (text !== undefined)
    assert.ok(!totals.month.in("USD").exceeds(usd(text.replace(/[$,]/g, ""))), `${text} is less than spent`);
});
