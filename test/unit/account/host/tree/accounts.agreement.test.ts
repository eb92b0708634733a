import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { type Account, accountOf } from "../../../../../src/account/host/accountOf.ts";
import { toCallsState } from "../../../../../src/account/host/dashboard/callSearch.ts";
import { createDashboardController } from "../../../../../src/account/host/dashboard/dashboardController.ts";
import { exportRecords } from "../../../../../src/account/host/export/exportUsage.ts";
import { keyNodes } from "../../../../../src/account/host/keys/keyNodes.ts";
import { spendBarOf } from "../../../../../src/account/host/tree/spendBarText.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import type {
  ToUsageView,
  UsageRank,
  UsageState,
} from "../../../../../src/account/protocol/usageProtocol.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import { spentOn } from "../../../../../src/chat/host/conversation/spending.ts";
import type { Message } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { Connections } from "../../../../../src/session/connection/connections.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { createSpend, type Spend } from "../../../../../src/session/spend/spend.ts";
import { createSpendGate } from "../../../../../src/session/spend/spendGate.ts";
import { noNames } from "../../../../../src/shared/chat/modelNames.ts";
import type { Known } from "../../../../../src/shared/known.ts";
import { Amounts, amountIn, nothing } from "../../../../../src/shared/money/amounts.ts";
import { Counted, unitOf } from "../../../../../src/shared/money/budgetRule.ts";
import { formatUsd } from "../../../../../src/shared/money/formatUsd.ts";
import { moneyText, spendText } from "../../../../../src/shared/money/moneyText.ts";
import { dayMs, dayOf, dayText, monthOf } from "../../../../../src/shared/time/days.ts";
import { createUsageTool } from "../../../../../src/tools/usageTool.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { childrenOf, rowOf } from "../accountRows.ts";
import { billDouble, type Charge } from "../billDouble.ts";

// A window with several connections. Each is an account of its own, with several keys, models and currencies, and any part
// of it may be unreadable. The user goes from one to another, and every view has to tell the same of the one in use.

const nowMs = Date.now();
const today = dayOf(nowMs);
const month = monthOf(nowMs);
const isCounted = (currency: string) => ["USD", "DIEM"].includes(currency);

const parts = ["usage", "analytics", "balance", "rateLimits"] as const;
const refusals = {
  admin: new ApiError("admin-key-required", "This needs a key of type ADMIN"),
  down: new ApiError("unavailable", "Bad gateway", { status: 502 }),
};

const nano = fc.integer({ min: 1, max: 200_000_000_000 });
const charge = fc.record({
  share: fc.integer({ min: 0, max: 999 }),
  currency: fc.constantFrom("USD", "DIEM", "VCU", "BUNDLED_CREDITS"),
  nano,
  model: fc.constantFrom("guide", "thinker", "__proto__"),
  keyId: fc.constantFrom("key-1", "key-2", "key-3", null),
  isOwn: fc.boolean(),
});
/** A call of this extension that is not on the bill yet. */
const openCall = fc.record({ nano, kind: fc.constantFrom("chat" as const, "mcp" as const) });
const account = fc.record({
  isSandbox: fc.boolean(),
  charges: fc.array(charge, { maxLength: 12 }),
  open: fc.array(openCall, { maxLength: 4 }),
  unreadable: fc.dictionary(fc.constantFrom(...parts), fc.constantFrom("admin" as const, "down" as const), {
    maxKeys: 2,
  }),
});
type RolledAccount = typeof account extends fc.Arbitrary<infer Value> ? Value : never;
const world = fc.record({
  accounts: fc.array(account, { minLength: 2, maxLength: 4 }),
  visits: fc.array(fc.nat(3), { minLength: 2, maxLength: 4 }),
});

interface OwnCharge extends Charge {
  readonly isOwn: boolean;
}

interface Opened {
  readonly connection: Connection;
  readonly of: Account;
  readonly charges: readonly OwnCharge[];
  readonly open: RolledAccount["open"];
  readonly unreadable: RolledAccount["unreadable"];
}

const amountsOf = (some: readonly Pick<Charge, "currency" | "nano">[]) =>
  Amounts.sum(some.map(({ currency, nano: size }) => amountIn(currency, size / 1e9)));
const dollarsOf = (some: readonly { readonly nano: number }[]) =>
  amountsOf(some.map(({ nano: size }) => ({ currency: "USD", nano: size })));

const prices = { models: async () => new Map(), names: async () => noNames, usdPerCredit: [0, 0] as const };

/** Each call of this extension is recorded at its price in USD, whichever balance pays later. */
function recordCalls(spend: Spend, { connection, charges, open }: Opened): void {
  const record = (size: number, requestId: string, kind: "chat" | "mcp", client?: string) =>
    spend.record(
      connection,
      {
        ...{ type: "charged", endpoint: "chat.stream", requestId },
        fact: { by: "request", usd: size / 1e9 },
        source: { kind, ...(client === undefined ? {} : { client }), task },
      },
      prices,
    );
  for (const { isOwn, nano: size, requestId = "" } of charges) if (isOwn) record(size, requestId, "chat");
  for (const [index, { nano: size, kind }] of open.entries())
    record(size, `open-${index}`, kind, kind === "mcp" ? "claude-code" : undefined);
}

/** All calls of this extension are of one task, which went on over each connection. */
const task = { id: "task", round: 1, capUsd: 1e9 } as const;

function openWindow(t: TestContext, rolled: readonly RolledAccount[]) {
  const folder = mkdtempSync(join(tmpdir(), "accounts-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const report = (error: unknown) => assert.ok(error instanceof ApiError, String(error));
  const spend = createSpend({ folder, now: () => nowMs, onChange() {}, report });
  const opened = rolled.map((one, index) => openAccount(one, index, { folder, spend, report }));
  for (const each of opened) recordCalls(spend, each);
  let active = opened[0];
  const posted: ToUsageView[] = [];
  const controller = createDashboardController({
    account: () => active?.of,
    post: (message) => void posted.push(message),
    report,
  });
  const state = (): UsageState =>
    posted.flatMap((message) => (message.type === "state" ? message.state : [])).at(-1) ??
    assert.fail("no state");
  const goTo = (next: Opened) => {
    const isOther = active !== next;
    active = next;
    controller.accountChanged();
    return isOther;
  };
  return { folder, spend, opened, controller, state, goTo };
}

type Window = ReturnType<typeof openWindow>;

function openAccount(
  { isSandbox, charges: rolled, open, unreadable }: RolledAccount,
  index: number,
  { folder, spend, report }: { folder: string; spend: Spend; report: (error: unknown) => void },
): Opened {
  const isPlay = isSandbox && index === 0;
  const connection: Connection = {
    id: isPlay ? "sandbox" : `c-${index}`,
    name: `Service ${index}`,
    kind: isPlay ? "sandbox" : "live",
    baseUrl: "",
    dialect: "standard",
  };
  const charges = rolled.map(({ share, ...rest }, at): OwnCharge => {
    const atMs = Math.floor(month.from * dayMs + (share / 1000) * (nowMs - month.from * dayMs - 1));
    return { ...rest, atMs, requestId: `r-${index}-${at}` };
  });
  const api = billDouble(charges, (call) => {
    const refusal = unreadable[call as (typeof parts)[number]];
    if (refusal) throw refusals[refusal];
  });
  const session = {
    spend: async () => spend,
    clientOf: async () => ({ api, connection }),
  } as unknown as Session;
  const of = accountOf(connection, {
    ...{ identity: connection.id, session, report },
    connections: { byId: () => undefined } as unknown as Connections,
    globalState: { get: (_: string, other: unknown) => other } as never,
    storagePath: join(folder, "usage", connection.id),
    onChange() {},
  });
  return { connection, of, charges, open, unreadable };
}

/** What every view has to tell of an account. */
interface Truth {
  readonly isRead: boolean;
  readonly bill: Amounts;
  readonly month: Amounts;
  readonly today: Amounts;
  /** What the calls of this extension have cost, and their prices when they ended, which the cap of a task counts. */
  readonly own: Amounts;
  readonly price: Amounts;
}

function truthOf({ charges, open, unreadable }: Opened): Truth {
  const openSum = dollarsOf(open);
  const owned = charges.filter(({ isOwn }) => isOwn);
  const isRead = !unreadable.usage;
  const price = dollarsOf(owned).plus(openSum);
  if (!isRead) return { isRead, bill: nothing, month: price, today: price, own: price, price };
  const bill = amountsOf(charges);
  return {
    ...{ isRead, bill, price },
    month: bill.plus(openSum),
    today: amountsOf(charges.filter(({ atMs }) => dayOf(atMs) === today)).plus(openSum),
    own: amountsOf(owned).plus(openSum),
  };
}

/** A sum of nothing is said in the currency that the account pays. */
const sumText = ({ month: of }: Pick<Truth, "month">, sum: Amounts) => spendText(sum, moneyText, unitOf(of));

/** What is said of a sum that may be incomplete: it is never a whole sum, and never zero. */
function said({ isRead }: Truth, sum: Amounts, unknownText: string | RegExp): string | RegExp {
  if (isRead) return spendText(sum);
  return sum.size === 0 ? unknownText : `at least ${spendText(sum)}`;
}

function assertSaid(text: string | undefined, expected: string | RegExp, view: string): void {
  if (typeof expected === "string") assert.equal(text, expected, view);
  else assert.match(text ?? "", expected, view);
}

/** Or that of the row above. */
const isReason = /^– (not read either$|.*(ADMIN|Service \d|answer|bill|dashboard))/;

async function checkTree({ of, connection, unreadable }: Opened, truth: Truth, spend: Spend): Promise<void> {
  const own = await spend.totals(connection);
  const nodes = await usageNodes({ data: of.data, own, explain: (error) => `${connection.name}: ${error}` });
  assertSaid(rowOf(nodes, "Spent this month").description, said(truth, truth.month, isReason), "tree, month");
  if (unreadable.usage === "admin") {
    assert.ok(nodes.some(({ command }) => command === "addAdmin"));
    return;
  }
  const todayText = rowOf(nodes, "Today (UTC)").description;
  assertSaid(todayText, truth.isRead ? sumText(truth, truth.today) : isReason, "tree, today");
  const weekText = rowOf(nodes, "Last 7 days").description ?? "";
  if (unreadable.analytics) assert.match(weekText, isReason, "tree, 7 days");
  const balance = rowOf(nodes, "Balance").description ?? "";
  const isBalanceKnown = unreadable.balance ? unreadable.balance === "admin" && !unreadable.rateLimits : true;
  assert.match(balance, isBalanceKnown ? /^\$10\.00/ : /^– /, "tree, balance");
}

async function checkKeys({ of, charges, unreadable }: Opened, state: UsageState): Promise<void> {
  const keyed = Map.groupBy(charges, ({ keyId }) => keyId ?? null);
  if (unreadable.analytics) {
    assert.ok(state.keys.is === "unknown", "dashboard, keys");
    await assert.rejects(keyNodes(of.data), "keys view");
    return;
  }
  if (state.keys.is === "unknown") return;
  const shown = new Map(listOf(state.keys).map(({ name, spend }) => [name, spend]));
  const nodes = await keyNodes(of.data);
  for (const [id, some] of keyed) {
    const spend = amountsOf(some).where(isCounted);
    const name = id?.replace("-", " ") ?? "Web App";
    assert.equal(shown.get(name), spendText(spend), `dashboard, ${name}`);
    if (id === null) continue;
    const [last] = (await childrenOf(rowOf(nodes, name))).slice(-1);
    assert.ok(last?.description?.startsWith(`${spendText(spend)}, `), `keys view, ${last?.description}`);
  }
}

const listOf = (list: Known<readonly UsageRank[]>) => (list.is === "value" ? list.value : []);

function checkDashboard({ connection, unreadable, charges }: Opened, truth: Truth, state: UsageState): void {
  assert.equal(state.service, connection.name);
  const cards = new Map(state.cards.map(({ label, value }) => [label, value]));
  const spend = cards.get("Spend in this range");
  if (!truth.isRead) {
    const parts_ = [spend, cards.get("Today"), state.series, state.models, state.records];
    assert.deepEqual(
      parts_.map((part) => part?.is),
      parts_.map(() => "unknown"),
      "dashboard without a bill",
    );
    assert.equal(state.needsAdmin, unreadable.usage === "admin");
    assert.notEqual(state.problem, "");
    return;
  }
  assert.deepEqual(spend, { is: "value", value: sumText(truth, truth.bill) }, "dashboard, range");
  assert.deepEqual(
    cards.get("Today"),
    { is: "value", value: sumText(truth, truth.today) },
    "dashboard, today",
  );
  assert.deepEqual(state.records, { is: "value", value: charges.length });
  const models = new Map(listOf(state.models).map(({ name, spend: text }) => [name, text]));
  for (const [model = "", some] of Map.groupBy(charges, (one) => one.model))
    assert.equal(models.get(model), spendText(amountsOf(some)), `dashboard, ${model}`);
}

function checkBar({ connection }: Opened, truth: Truth, totals: Awaited<ReturnType<Spend["totals"]>>): void {
  const stored = {
    day: today,
    today: totals.today.toTexts(),
    month: totals.month.toTexts(),
    isTodayBilled: totals.isTodayBilled,
    isMonthBilled: totals.isMonthBilled,
  };
  const bar = spendBarOf(connection, { dayUsd: undefined, monthUsd: 1, hardStop: false }, stored, nowMs);
  const play = connection.kind === "sandbox" ? " play money" : "";
  const sum = truth.isRead || truth.today.size > 0 ? `${sumText(truth, truth.today)}${play}` : "–";
  const isLow = !truth.isRead && truth.today.size > 0;
  const wanted = `${isLow ? "≥ " : ""}${sum} today`;
  assert.ok(bar?.text.startsWith(wanted) || bar?.text.endsWith(wanted), `${bar?.text} has no "${wanted}"`);
}

async function checkRefusal({ connection }: Opened, truth: Truth, spend: Spend): Promise<void> {
  const limitUsd = 0.000001;
  const gate = createSpendGate({
    consents: openConsents(),
    spend,
    budgets: () => ({ dayUsd: undefined, monthUsd: limitUsd, hardStop: true }),
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
  const sum = `${truth.isRead ? "" : "at least "}${sumText(truth, truth.month.where(isCounted))}`;
  assert.ok(
    refused.includes(`${sum} of ${moneyText(Counted.parse(limitUsd).shownIn(unitOf(truth.month)))} is spent`),
    `${refused} has no ${sum}`,
  );
}

async function checkTool({ connection, of }: Opened, truth: Truth, spend: Spend): Promise<void> {
  const api = { account: { rateLimits: async () => ({ data: await of.data.limits.load() }) } };
  const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const tool = createUsageTool({ session: { spend: async () => spend }, budgets: () => budgets });
  const [content] = await tool.run({}, { api, connection } as never, new AbortController().signal);
  const facts = JSON.parse(content?.kind === "text" ? content.text : "");
  assert.equal(facts.isPlayMoney, connection.kind === "sandbox");
  assert.deepEqual(facts.month, { amounts: truth.month.toTexts(), isComplete: truth.isRead }, "MCP");
  assert.deepEqual(facts.today, { amounts: truth.today.toTexts(), isComplete: truth.isRead }, "MCP");
}

async function checkCalls({ of, open }: Opened, truth: Truth): Promise<void> {
  const state = toCallsState({ query: 1, by: "source", filter: {} }, await of.ledger());
  const rows = new Map(state.groups.map(({ name, spend }) => [name, spend]));
  const mcp = dollarsOf(open.filter(({ kind }) => kind === "mcp"));
  const chat = truth.own.excessOver(mcp);
  const elsewhere = truth.month.excessOver(truth.own);
  assert.equal(rows.get("Elsewhere"), elsewhere.size > 0 ? spendText(elsewhere) : undefined, "elsewhere");
  assert.deepEqual(
    [...rows].filter(([name]) => name !== "Elsewhere").map(([, text]) => text),
    [chat, mcp]
      .filter(({ size }) => size > 0)
      .toSorted((a, b) => worth(b).compare(worth(a)))
      .map((sum) => spendText(sum)),
    "who spent it",
  );
}

const usdIn = (some: readonly { readonly nano: number }[]) => dollarsOf(some).in("USD");
const worth = (amounts: Amounts) => Counted.of(amounts);

async function checkExport(
  { connection }: Opened,
  truth: Truth,
  { controller, folder }: Window,
): Promise<void> {
  const query = { query: 1, text: "", sort: "time", isDescending: true } as const;
  await controller.handle({ v: 1, type: "query", body: query });
  const view = controller.shownOf(connection.id);
  if (!truth.isRead) {
    assert.equal(view, undefined, "nothing to export");
    return;
  }
  assert.ok(view, "records to export");
  const iso = (day: number) => new Date(day * dayMs).toISOString();
  const range = { start: iso(month.from), end: iso(today + 1) };
  const job = { range, format: "csv", path: join(folder, `${connection.id}.csv`) } as const;
  const exported = await exportRecords(view, job, { signal: new AbortController().signal });
  assert.deepEqual(exported.spend, truth.bill, "export");
}

/** The footer of the chat, from the prices that its answers had, and the bill of the task. */
async function checkChat(opened: readonly Opened[], truths: readonly Truth[], spend: Spend): Promise<void> {
  for (const { connection } of opened) {
    const others = opened.flatMap((other, index) =>
      (connection.kind === "sandbox" ? other.connection === connection : other.connection.kind === "live")
        ? [truths[index]?.price ?? assert.fail("no truth")]
        : [],
    );
    const { spent, claimed } = await spend.taskSpend(connection, task);
    assert.deepEqual([spent, claimed.sign], [Amounts.sum(others), 0], `the task over ${connection.name}`);
  }
  const answers = opened.flatMap(({ connection, open }) =>
    open.map(({ nano: size }) => ({
      role: "assistant",
      usage: {
        ...{ promptTokens: 1, completionTokens: 1, costUsd: size / 1e9 },
        isPlayMoney: connection.kind === "sandbox",
      },
    })),
  );
  const footer = spentOn(answers as unknown as Message[]);
  const openOf = (kind: Connection["kind"]) =>
    formatUsd(usdIn(opened.flatMap((one) => (one.connection.kind === kind ? one.open : []))).toNumber());
  assert.deepEqual(
    [footer.usd, footer.playUsd].map((sum) => formatUsd(sum)),
    [openOf("live"), openOf("sandbox")],
    "the chat's footer",
  );
}

test("several connections with several keys, currencies and unreadable parts: every view tells the same of the one in use", async (t) => {
  await fc.assert(
    fc.asyncProperty(world, async ({ accounts, visits }) => {
      const window = openWindow(t, accounts);
      const { opened, controller, state, spend } = window;
      const range = { from: dayText(month.from), to: dayText(today) };
      for (const visit of [...visits, ...opened.keys()]) {
        const each = opened[visit % opened.length] ?? assert.fail("no account");
        const truth = truthOf(each);
        const isOther = window.goTo(each);
        assert.ok(!isOther || !controller.shownOf(each.connection.id), "no records of another account");
        await controller.handle({ v: 1, type: "range", body: range });
        const totals = await spend.totals(each.connection);
        assert.deepEqual([totals.month, totals.today], [truth.month, truth.today], "the ledger");
        checkDashboard(each, truth, state());
        await checkTree(each, truth, spend);
        await checkKeys(each, state());
        checkBar(each, truth, totals);
        await checkRefusal(each, truth, spend);
        await checkTool(each, truth, spend);
        await checkCalls(each, truth);
        await checkExport(each, truth, window);
      }
      await checkChat(opened, opened.map(truthOf), spend);
    }),
    { numRuns: randomCases(200), endOnFailure: true },
  );
});
