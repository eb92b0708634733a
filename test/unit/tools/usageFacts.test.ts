// What the usage tool tells of budgets and of other clients.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { SpendSource } from "../../../src/api/money/charge.ts";
import { settings } from "../../../src/shared/names/ids.ts";
import { configurationOf } from "../configurationDouble.ts";
import { connection, openWindow } from "../session/budgetWindow.ts";
import { noService } from "../session/spendGateKit.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const { readBudgets } = await import("../../../src/platform/settings.ts");
const { createUsageTool } = await import("../../../src/tools/usageTool.ts");

const noBudgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
const api = { account: { rateLimits: async () => ({ data: { balances: { USD: "5" } } }) } };

async function open(spentBy: readonly (readonly [source: SpendSource, usd: number | undefined])[]) {
  const placeOf = async () => ({ folder: "secret-project", branch: "secret-branch" });
  const { spend, prices } = openWindow({
    ...noService,
    folder: temporaryFolder(),
    budgets: noBudgets,
    placeOf,
  });
  for (const [source, usd] of spentBy) {
    const fact = usd === undefined ? ({ by: "tokens" } as const) : ({ by: "request", usd } as const);
    spend.record(connection, { type: "charged", endpoint: "augment.search", fact, source }, prices);
  }
  await spend.totals(connection);
  return async (source: SpendSource | undefined) => {
    const tool = createUsageTool({ session: { spend: async () => spend }, budgets: readBudgets });
    const client = { api, connection, ...(source ? { source } : {}) };
    const [content] = await tool.run({}, client as never, new AbortController().signal);
    const text = content?.kind === "text" ? content.text : "";
    return { text, facts: JSON.parse(text) };
  };
}

const mcp = (client: string): SpendSource => ({ kind: "mcp", client });
const other = "other-agent";

test("a client is told the budgets that may count its calls, their rest and its own share", async (t) => {
  configurationOf(t, {
    user: {
      [settings.accountMonthBudgetUsd]: 10,
      [settings.accountBudgets]: [
        { per: { client: "mcp:me" }, limitUsd: 2, period: "month", onReach: "stop" },
        { per: { client: "mcp" }, limitUsd: 3, period: "day", onReach: "warn" },
        { per: { client: `mcp:${other}` }, limitUsd: 1, period: "day", onReach: "warn" },
        { per: { client: "chat" }, limitUsd: 1, period: "day", onReach: "warn" },
        {
          per: { folder: "secret-project", branch: "secret-branch" },
          limitUsd: 4,
          period: "day",
          onReach: "warn",
        },
        { per: { key: "abcdef", model: "m" }, limitUsd: 4, period: "day", onReach: "warn" },
      ],
    },
  });
  const tell = await open([
    [mcp("me"), 0.5],
    [mcp("me"), 0.25],
    [mcp(other), 2],
    [{ kind: "chat" }, 1],
  ]);
  const { text, facts } = await tell(mcp("me"));
  const told = facts.budgets.map((one: Record<string, unknown>) => [
    one.counts,
    one.period,
    one.left,
    one.beyond,
  ]);
  assert.deepEqual(told, [
    ["calls of this client", "day", "0.25", "the user is asked about each call"],
    ["calls of one folder, of one branch", "day", "0.25", "the user is asked about each call"],
    ["calls of this client", "month", "1.25", "calls are refused"],
    ["calls of the model m, of one key", "day", "4", "the user is asked about each call"],
    ["all calls over this connection", "month", "6.25", "the user is asked about each call"],
  ]);
  assert.deepEqual(
    facts.budgets[4].spent,
    { amounts: { USD: "3.75" }, isComplete: false },
    "the bill is unread",
  );
  assert.deepEqual(facts.yourShare, {
    today: { amounts: { USD: "0.75" }, isComplete: true },
    month: { amounts: { USD: "0.75" }, isComplete: true },
    unpricedCalls: 0,
  });
  assert.doesNotMatch(text, /other-agent|secret|abcdef|chat/);
});

test("what is not known of a client's share is said, and is never zero", async (t) => {
  configurationOf(t, { user: {} });
  const tell = await open([
    [mcp("me"), undefined],
    [{ kind: "mcp" }, 1],
  ]);
  const { facts } = await tell(mcp("me"));
  assert.deepEqual(facts.yourShare.month, { amounts: {}, isComplete: false });
  assert.equal(facts.yourShare.unpricedCalls, 1);
  for (const source of [{ kind: "mcp" } as const, undefined]) {
    const { facts } = await tell(source);
    assert.equal(facts.yourShare, undefined);
    assert.match(facts.yourShareProblem, /gave no name/);
  }
});

test("a budget that can't be read is said to the clients that it may concern, without its value", async (t) => {
  const odd = { limitUsd: "secret", period: "day", onReach: "warn" };
  configurationOf(t, { user: { [settings.accountBudgets]: [{ ...odd, per: { client: "mcp:me" } }] } });
  const tell = await open([]);
  const { facts, text } = await tell(mcp("me"));
  assert.match(facts.budgetProblem, /can't be read/);
  assert.doesNotMatch(text, /secret/);
  assert.equal((await tell(mcp("you"))).facts.budgetProblem, undefined);
});
