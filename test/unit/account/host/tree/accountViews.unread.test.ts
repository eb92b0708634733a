import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { type Account, accountOf } from "../../../../../src/account/host/accountOf.ts";
import {
  createDashboardController,
  isUsageRequest,
} from "../../../../../src/account/host/dashboard/dashboardController.ts";
import { keyNodes } from "../../../../../src/account/host/keys/keyNodes.ts";
import { spendBarOf } from "../../../../../src/account/host/tree/spendBarText.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import type {
  FromUsageView,
  ToUsageView,
  UsageState,
} from "../../../../../src/account/protocol/usageProtocol.ts";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { Connections } from "../../../../../src/session/connection/connections.ts";
import type { Session } from "../../../../../src/session/session.ts";
import { createSpend, type Spend } from "../../../../../src/session/spend/spend.ts";
import { dayMs, dayOf } from "../../../../../src/shared/time/days.ts";
import { createUsageTool } from "../../../../../src/tools/usageTool.ts";
import { openBrowser } from "../../../webview/browser.ts";
import { openPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import { billDouble, type Charge } from "../billDouble.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

const nowMs = Date.now();
const charges: readonly Charge[] = ["USD", "DIEM", "VCU", "BUNDLED_CREDITS"].flatMap((currency, index) =>
  [0, 1, 2].map((back) => ({
    atMs: nowMs - back * dayMs - 1,
    currency,
    nano: 1_000_000_000 * (index + 1),
    model: `secret-of-a-${index}`,
    requestId: `a-${index}-${back}`,
  })),
);

const refusals = {
  "a key without rights": new ApiError("admin-key-required", "Admin API key required", {
    mayHaveArrived: true,
  }),
  "another refusal": new ApiError("forbidden", "not yours", { mayHaveArrived: true }),
  "a service that is down": new ApiError("network", "refused", { reason: "refused", mayHaveArrived: false }),
  "a broken answer": new ApiError("malformed-response", "no JSON", { mayHaveArrived: true }),
} as const;

/** Two accounts over one ledger folder, and a dashboard of the active one. */
function open(
  t: TestContext,
  failsOf: (id: string, call: string) => void,
  readA: readonly Charge[] = charges,
) {
  const folder = mkdtempSync(join(tmpdir(), "unread-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const spend: Spend = createSpend({ folder, now: () => nowMs, onChange() {}, report: () => {} });
  const accountNamed = (id: string, bill: readonly Charge[]): Account => {
    const connection: Connection = {
      id,
      name: `Service ${id}`,
      kind: "live",
      baseUrl: "",
      dialect: "standard",
    };
    const api = billDouble(bill, (call) => failsOf(id, call));
    const session = { spend: async () => spend, clientOf: async () => ({ api, connection }) };
    return accountOf(connection, {
      identity: id,
      session: session as unknown as Session,
      connections: { byId: () => undefined } as unknown as Connections,
      globalState: { get: (_: string, other: unknown) => other } as never,
      storagePath: join(folder, "usage", id),
      onChange() {},
      report() {},
    });
  };
  const accounts = { A: accountNamed("A", readA), B: accountNamed("B", []) };
  const active = { of: accounts.A };
  const posted: ToUsageView[] = [];
  const listeners: ((message: ToUsageView) => void)[] = [];
  const controller = createDashboardController({
    account: () => active.of,
    post: (message) => {
      posted.push(message);
      for (const listen of listeners) listen(message);
    },
    report() {},
  });
  return { accounts, active, controller, posted, listeners, spend };
}

const stateIn = (posted: readonly ToUsageView[]): UsageState => {
  const states = posted.flatMap((message) => (message.type === "state" ? message.state : []));
  return states.at(-1) ?? assert.fail("no state");
};
const query = { query: 1, text: "", sort: "time", isDescending: true } as const;
const ask = { v: 1, type: "query", body: query } as const;

for (const [what, error] of Object.entries(refusals)) {
  test(`${what}: after a switch nothing of the other connection is left, and nothing unread is zero`, async (t) => {
    const { accounts, active, controller, posted } = open(t, (id) => {
      if (id === "B") throw error;
    });
    await controller.load();
    await controller.handle(ask);
    await controller.handle({ v: 1, type: "currency", body: { currency: "VCU" } });
    await controller.handle(ask);
    assert.equal(controller.shownOf("A")?.size, charges.length);
    active.of = accounts.B;
    controller.accountChanged();
    assert.equal(controller.shownOf("A"), undefined, "the export has no rows at once");
    assert.equal(controller.shownOf("B"), undefined);
    const cleared = posted.length;
    assert.equal(posted.at(-1)?.type, "cleared");
    await controller.load();
    await controller.handle(ask);
    const state = stateIn(posted.slice(cleared));
    const all = JSON.stringify(posted.slice(cleared));
    assert.doesNotMatch(all, /secret-of-a|VCU|\$0|0\.00|"none"/);
    assert.deepEqual(
      [state.series, state.models, state.keys, state.records].map(({ is }) => is),
      ["unknown", "unknown", "unknown", "unknown"],
    );
    assert.deepEqual(
      state.cards.map(({ label, value }) => [label, value.is]),
      [
        ["Spend in this range", "unknown"],
        ["Today", "unknown"],
        ["Balance", "unknown"],
      ],
    );
    assert.ok(state.problem.length > 10);
    assert.equal(state.asOfMs, null);
    assert.deepEqual(posted.at(-1), { v: 1, type: "found", query: 1, size: 0 });
  });

  test(`${what}: tree, keys, status bar and MCP tool say that the spend is unknown`, async (t) => {
    const { accounts, spend } = open(t, (id) => {
      if (id === "B") throw error;
    });
    const { data, connection } = accounts.B;
    const own = await spend.totals(connection);
    const nodes = await usageNodes({ data, own, explain: () => "It can't be read. Do this." });
    const texts = JSON.stringify(
      nodes.map(({ label, description, copyText }) => [label, description, copyText]),
    );
    assert.doesNotMatch(texts, /\$0|0\.00|nothing|No usage/);
    assert.match(nodes.find(({ id }) => id === "own")?.description ?? "", /^– /);
    await assert.rejects(keyNodes(data));
    const budgets = { dayUsd: undefined, monthUsd: 200, hardStop: true };
    const bar = spendBarOf(connection, budgets, undefined, nowMs);
    assert.equal(bar?.text, "– today · ≤ $200.00 left");
    assert.equal(bar.label, "unknown today · at most $200.00 left");
    assert.match(bar.tooltip, /Today \(UTC\) \| unknown/);
    assert.equal(spendBarOf(connection, { ...budgets, monthUsd: undefined }, undefined, nowMs), undefined);
    const api = billDouble([], () => {
      throw error;
    });
    const tool = createUsageTool({ session: { spend: async () => spend }, budgets: () => budgets });
    const [content] = await tool.run({}, { api, connection } as never, new AbortController().signal);
    const facts = JSON.parse(content?.kind === "text" ? content.text : "");
    assert.deepEqual(facts.month, { amounts: {}, isComplete: false });
    assert.ok(facts.balanceProblem.length > 0);
  });
}

test("any part that fails is unknown, and the others are shown", async (t) => {
  const parts = ["usage", "analytics", "balance"] as const;
  for (let bits = 0; bits < 8; bits++) {
    const failing = parts.filter((_, index) => bits & (1 << index));
    const { controller, posted } = open(t, (_, call) => {
      const isFailing =
        failing.some((part) => part === call) || (call === "rateLimits" && failing.includes("balance"));
      if (isFailing) throw refusals["a service that is down"];
    });
    await controller.load();
    const state = stateIn(posted);
    const isOf = (part: (typeof parts)[number]) => (failing.includes(part) ? "unknown" : "value");
    const card = (name: string) => state.cards.find(({ label }) => label === name)?.value.is;
    assert.deepEqual(
      [state.models.is, state.series.is, state.records.is, card("Spend in this range"), card("Today")],
      Array(5).fill(isOf("usage")),
      String(failing),
    );
    assert.equal(card("Balance"), isOf("balance"), String(failing));
    if (!failing.includes("usage")) assert.equal(state.keys.is, isOf("analytics"), String(failing));
    assert.equal(state.problem !== "", failing.length > 0, String(failing));
    await controller.handle({ v: 1, type: "groupBy", body: { by: "key" } });
    assert.equal(stateIn(posted).series.is, "unknown", "analytics have no keys of bundled credits");
    await controller.handle({ v: 1, type: "currency", body: { currency: "DIEM" } });
    const isReadable = !failing.includes("usage") && !failing.includes("analytics");
    assert.equal(stateIn(posted).series.is, isReadable ? "value" : "unknown", `by key: ${failing}`);
  }
});

test("a slow answer of the last connection changes nothing after the switch", async (t) => {
  let release = () => {};
  const { accounts, active, controller, posted } = open(t, () => {});
  const { usage } = accounts.A.data;
  const load = usage.load.bind(usage);
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  Object.assign(usage, {
    load: async (...args: Parameters<typeof load>) => {
      await held;
      return load(args[0]);
    },
  });
  const slow = controller.load();
  active.of = accounts.B;
  controller.accountChanged();
  await controller.load();
  const settled = posted.length;
  release();
  await slow;
  assert.deepEqual(posted.slice(settled), []);
  assert.equal(stateIn(posted).service, "Service B");
  assert.equal(stateIn(posted).models.is, "none", "B has no usage, which was read");
});

test("a request without a record in the shown days has no sum", async (t) => {
  const { controller, posted } = open(t, () => {});
  await controller.load();
  await controller.handle({ v: 1, type: "request", body: { requestId: "elsewhere" } });
  const message = posted.at(-1);
  assert.equal(message?.type === "request" && message.detail.total.is, "unknown");
});

test("the page drops what belongs to the last connection, and shows dashes with the reason", async (t) => {
  const { accounts, active, controller, listeners } = open(t, (id) => {
    if (id === "B") throw refusals["a key without rights"];
  });
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page, errors } = await openPage(browser, "dashboardPage.tsx", pageStyle("dashboard"));
  listeners.push(
    (message) => void page.evaluate((told) => dashboardPage.handle(told), message).catch(() => {}),
  );
  await page.exposeFunction("askHost", (sent: FromUsageView) => {
    if (isUsageRequest(sent)) void controller.handle(sent);
  });
  await page.setViewportSize({ width: 1000, height: 1500 });
  await page.evaluate(() => dashboardPage.start());
  await page.getByRole("heading", { name: "Usage of Service A" }).waitFor();
  await page.getByRole("button", { name: "secret-of-a-0" }).click();
  await page.getByText("3 records").waitFor();
  active.of = accounts.B;
  controller.accountChanged();
  await page.getByRole("heading", { name: "Usage of Service A" }).waitFor({ state: "detached" });
  await controller.load();
  await page.getByRole("heading", { name: "Usage of Service B" }).waitFor();
  await page.getByRole("button", { name: "Add ADMIN Key" }).waitFor();
  const text = await page.locator("main").innerText();
  assert.doesNotMatch(text, /secret-of-a|\$0|0\.00|Nothing was spent in|No usage/);
  assert.ok((await page.getByRole("img", { name: "unknown", exact: true }).count()) >= 6);
  assert.match((await page.locator("canvas").getAttribute("aria-label")) ?? "", /unknown/);
  assert.equal(await page.locator(".window .row").count(), 0);
  assert.equal(await page.getByText(/^As of/).count(), 0);
  assert.deepEqual(
    errors.filter((error) => !error.includes("askHost")),
    [],
  );
});

test("the bar of an older version, of another day or of another month is unknown, not zero", () => {
  const budgets = { dayUsd: 5, monthUsd: 200, hardStop: false };
  const named = { name: "C", kind: "live" } as const;
  const day = dayOf(nowMs);
  const old = { day, todayUsd: "1", monthUsd: "334.22" };
  const whole = { isTodayBilled: true, isMonthBilled: true };
  for (const stored of [old, undefined, null, 7, { day: day - 40, today: {}, month: { USD: "9" }, ...whole }])
    assert.match(spendBarOf(named, budgets, stored, nowMs)?.text ?? "", /^– today/, JSON.stringify(stored));
  const read = { day, today: {}, month: { USD: "9" }, ...whole };
  assert.equal(spendBarOf(named, budgets, read, nowMs)?.text, "$0.00 today · $5.00 left");
  const own = { ...read, today: { USD: "0.12" }, isTodayBilled: false };
  assert.equal(spendBarOf(named, budgets, own, nowMs)?.text, "≥ $0.12 today · ≤ $4.88 left");
});
