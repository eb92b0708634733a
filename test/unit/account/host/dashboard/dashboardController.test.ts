import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createAccountData } from "../../../../../src/account/host/accountData.ts";
import {
  createDashboardController,
  isUsageRequest,
  type UsageRequest,
} from "../../../../../src/account/host/dashboard/dashboardController.ts";
import { readKeyFacts } from "../../../../../src/account/host/keys/keyFacts.ts";
import { noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import {
  parseFromUsageView,
  type ToUsageView,
  type UsageState,
} from "../../../../../src/account/protocol/usageProtocol.ts";
import { nanoText } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import type { Connection } from "../../../../../src/session/connection/connection.ts";
import type { SpentEntry } from "../../../../../src/session/spend/spendLines.ts";
import { type Known, none } from "../../../../../src/shared/known.ts";
import { exactText, toExact } from "../../../../../src/shared/money/exact.ts";
import { results } from "../../../../tools/paths.ts";
import { openBrowser } from "../../../webview/browser.ts";
import { openPage } from "../../../webview/page.ts";
import { pageStyle } from "../../../webview/pageStyle.ts";
import { type Books, openBooks, spendAtRandom, withNumericTime } from "../bookkeeping.ts";
import { noCalls } from "../callLedgers.ts";
import { usd } from "../money.ts";

declare const dashboardPage: { start(): void; handle(message: ToUsageView): void };

const connection: Connection = { id: "c", name: "My service", kind: "live", baseUrl: "", dialect: "auto" };

function controllerOf(
  books: Books,
  post: (message: ToUsageView) => void,
  as: "admin" | "inference" = "admin",
  calls: readonly SpentEntry[] = [],
) {
  const data = createAccountData({
    api: async () => books[as],
    admin: async () => books[as],
    files: noDayFiles,
    createdKeys: () => [],
    now: books.clock.now,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });
  const account = {
    identity: "c",
    connection,
    admin: connection,
    data,
    takeBill: async () => {},
    ledger: async () =>
      calls.length === 0 ? noCalls : { ...noCalls, keys: await readKeyFacts(data, false) },
    callsSince: async () => calls,
  };
  return createDashboardController({ account: () => account, post, report: () => {} });
}

/** The state after the page's requests. */
async function stateAfter(books: Books, ...requests: readonly UsageRequest[]): Promise<UsageState> {
  const posted: ToUsageView[] = [];
  const controller = controllerOf(books, (message) => posted.push(message));
  for (const request of requests) await controller.handle(request);
  const states = posted.flatMap((message) => (message.type === "state" ? [message.state] : []));
  return states.at(-1) ?? assert.fail("no state");
}

const request = <Type extends UsageRequest["type"]>(
  type: Type,
  body: Extract<UsageRequest, { type: Type }>["body"],
) => ({ v: 1, type, body }) as UsageRequest;
const ledgerSum = (books: Books, currency: string) =>
  nanoText(books.entries().reduce((sum, entry) => sum - (entry.currency === currency ? entry.amount : 0), 0));
const readOf = <Value>(of: Known<Value>): Value =>
  of.is === "value" ? of.value : assert.fail(`it is ${JSON.stringify(of)}`);
const total = ({ series }: UsageState) =>
  exactText(readOf(series).reduce((sum, one) => sum + toExact(one.total), 0n));

test("10,000 random calls: the dashboard's totals equal the ledger, by model and by key, in both currencies", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 10_000, 20, ["key-1", "key-2"]);
  for (const currency of ["USD", "DIEM"]) {
    for (const by of ["model", "key"] as const) {
      const state = await stateAfter(books, request("currency", { currency }), request("groupBy", { by }));
      assert.equal(total(state), ledgerSum(books, currency), `${currency} by ${by}`);
      const values = readOf(state.series).flatMap((one) => one.values.map(toExact));
      assert.equal(exactText(values.reduce((a, b) => a + b, 0n)), ledgerSum(books, currency));
    }
  }
});

test("a picked key has the records of its calls, also of those without a request id", async (t) => {
  const books = await openBooks(t, "venice", { balances: { usd: 100, diemPerDay: 0 } });
  const { data: made } = await books.admin.keys.create({ apiKeyType: "INFERENCE", description: "ci" });
  const charge = (model: string, requestId: string | undefined, usd: number) =>
    books.billing.charge({
      keyId: made.id,
      product: { model, modelType: "LLM", unitType: "tokens" },
      lines: [{ sku: `${model}-request`, pricePerUnitUsd: usd, units: 1 }],
      inferenceDetails: requestId === undefined ? null : { requestId, inferenceExecutionTime: 1 },
    });
  charge("guide", "r-1", 0.5);
  charge("augment-search", undefined, 0.01);
  charge("guide", "r-2", 0.25);
  const atMs = books.clock.now();
  const call = (id: string, endpoint: string, cost: string, more: Partial<SpentEntry>): SpentEntry => ({
    ...{ id, endpoint, atMs, cost: usd(cost), keyEnding: made.apiKey.slice(-6) },
    ...more,
  });
  const calls = [
    call("1", "chat.stream", "0.5", { requestId: "r-1" }),
    call("2", "augment.search", "0.01", {}),
    call("3", "chat.stream", "0.25", { requestId: "r-2", keyEnding: "other1" }),
  ];
  books.clock.advance(3_600_000);
  const posted: ToUsageView[] = [];
  const controller = controllerOf(books, (message) => posted.push(message), "admin", calls);
  controller.filter({ key: made.apiKey.slice(-6) });
  await controller.handle(request("ready", {}));
  assert.deepEqual(posted.at(-1), { v: 1, type: "pickKey", key: made.apiKey.slice(-6) });
  const state = posted.flatMap((message) => (message.type === "state" ? message.state : [])).at(-1);
  assert.ok(state);
  assert.deepEqual(
    readOf(state.keys).map(({ name, keyEnding }) => [name, keyEnding]),
    [["ci", made.apiKey.slice(-6)]],
  );
  const query = { query: 1, text: "", sort: "time", isDescending: false } as const;
  await controller.handle(request("query", { ...query, key: made.apiKey.slice(-6) }));
  const found = controller.shownOf("c") ?? assert.fail();
  assert.deepEqual(
    found.rows(0, 10).map(({ sku }) => sku),
    ["guide-request", "augment-search-request"],
  );
  await controller.handle(request("query", { ...query, text: "search", key: "other1" }));
  assert.equal(controller.shownOf("c")?.size, 0);
});

test("groups the ninth and further models in one series, and separates keys of one name", async (t) => {
  const books = await openBooks(t, "standard", { balances: { usd: 100, diemPerDay: 0 } });
  for (let model = 0; model < 12; model++) {
    books.billing.charge({
      keyId: model % 2 ? "00000000-0000-4000-8000-000000aaaaaa" : "00000000-0000-4000-8000-000000bbbbbb",
      product: { model: `m${model}`, modelType: "LLM", unitType: "tokens" },
      lines: [{ sku: `m${model}-llm-input-token`, pricePerUnitUsd: 0.001, units: 1000 + model }],
      inferenceDetails: null,
    });
  }
  const state = await stateAfter(books, request("ready", {}));
  assert.deepEqual([readOf(state.series).length, readOf(state.series).at(-1)?.name], [9, "Other"]);
  assert.equal(total(state), ledgerSum(books, "USD"));
  assert.equal(readOf(state.models)[0]?.perThousand, "$1.00");
  const byKey = await stateAfter(books, request("groupBy", { by: "key" }));
  assert.equal(readOf(byKey.series).length, 2);
});

test("one currency applies to chart, lists and records; all are shown at first, and after a jump to a request", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 400, 5, ["key-1"]);
  const posted: ToUsageView[] = [];
  const controller = controllerOf(books, (message) => posted.push(message));
  const stateNow = () =>
    posted.flatMap((message) => (message.type === "state" ? message.state : [])).at(-1) ?? assert.fail();
  const foundIn = async (currency: string) => {
    const body = { query: 1, text: "", sort: "price", isDescending: true } as const;
    await controller.handle(request("query", currency ? { ...body, currency } : body));
    const view = controller.shownOf("c") ?? assert.fail();
    return view.rows(0, view.size);
  };
  await controller.handle(request("ready", {}));
  const all = books.entries();
  assert.equal(stateNow().onlyCurrency, "");
  const rows = await foundIn("");
  assert.equal(rows.length, all.length);
  const prices = rows.map(({ pricePerUnitUsd }) => pricePerUnitUsd);
  assert.deepEqual(
    prices,
    prices.toSorted((a, b) => b - a),
  );
  await controller.handle(request("currency", { currency: "DIEM" }));
  assert.deepEqual([stateNow().onlyCurrency, stateNow().currency], ["DIEM", "DIEM"]);
  assert.equal(total(stateNow()), ledgerSum(books, "DIEM"));
  assert.equal((await foundIn("DIEM")).length, all.filter(({ currency }) => currency === "DIEM").length);
  const named = new Set(all.flatMap((entry) => (entry.currency === "DIEM" ? entry.product.model : [])));
  assert.deepEqual(new Set(readOf(stateNow().models).map(({ name }) => name)), named);
  for (const { spend } of readOf(stateNow().keys)) assert.match(spend, /^[\d.,]+ DIEM$/);
  await controller.handle(request("currency", { currency: "VCU" }));
  assert.deepEqual(
    [stateNow().series.is, stateNow().models.is, stateNow().keys.is],
    ["none", "none", "unknown"],
  );
  assert.ok(stateNow().currencies.includes("VCU"), "the choice stays one of the list");
  assert.equal((await foundIn("VCU")).length, 0);
  controller.filter({ text: "req-1" });
  await controller.load();
  assert.equal(stateNow().onlyCurrency, "");
});

test("a numeric timestamp in one record is a time in the grid, and the bill is read", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 20, 1, ["key-1"]);
  books.setFaults([{ match: { path: "/billing/usage" }, kind: "edit", edit: withNumericTime(3) }]);
  const posted: ToUsageView[] = [];
  const controller = controllerOf(books, (message) => posted.push(message));
  await controller.handle(request("ready", {}));
  await controller.handle(request("query", { query: 1, text: "", sort: "time", isDescending: false }));
  await controller.handle(request("rows", { query: 1, from: 0, count: 100 }));
  const rows = posted.flatMap((message) => (message.type === "rows" ? message.rows : []));
  const times = books
    .entries()
    .map(({ atMs }) => new Date(atMs).toISOString().slice(0, 19).replace("T", " "));
  assert.deepEqual(rows.map(({ time }) => time).toSorted(), times.toSorted());
  assert.ok(
    rows.every(({ price }) => /^\d+(\.\d+)?$/.test(price)),
    "prices are plain digits",
  );
});

test("with an INFERENCE key it names the missing permission", async (t) => {
  const books = await openBooks(t);
  const posted: ToUsageView[] = [];
  await controllerOf(books, (message) => posted.push(message), "inference").handle(request("ready", {}));
  const state = posted.find((message) => message.type === "state")?.state;
  assert.equal(state?.needsAdmin, true);
  assert.match(state?.problem ?? "", /key of type ADMIN/);
});

test("invalid ranges, and more than 90 days, change nothing", async (t) => {
  const books = await openBooks(t);
  const posted: ToUsageView[] = [];
  const controller = controllerOf(books, (message) => posted.push(message));
  for (const [from, to] of [
    ["2026-08-02", "2026-08-01"],
    ["2026-02-31", "2026-03-01"],
    ["2026-01-01", "2026-08-01"],
  ] as const) {
    await controller.handle(request("range", { from, to }));
  }
  assert.equal(posted.length, 0);
  await controller.handle(request("range", { from: "2026-08-01", to: "2026-08-15" }));
  assert.ok(posted.some((message) => message.type === "state" && message.state.days.length === 15));
});

test("the page renders, scrolls, filters and opens a request, and loads only visible rows", async (t) => {
  const books = await openBooks(t, "standard", { history: { count: 30_000, days: 25 } });
  const browser = await openBrowser();
  t.after(() => browser.close());
  const theme =
    ":root{--vscode-foreground:#ccc;--vscode-editor-background:#1f1f1f;--vscode-focusBorder:#0078d4;--vscode-charts-blue:#59a4f9;--vscode-charts-orange:#d18616;--vscode-charts-green:#89d185;--vscode-charts-purple:#b180d7;--vscode-charts-red:#f14c4c;--vscode-charts-yellow:#cca700;--vscode-descriptionForeground:#9d9d9d;--vscode-button-background:#0078d4;--vscode-button-foreground:#fff;--vscode-textLink-foreground:#4daafc;--vscode-font-family:sans-serif;--vscode-font-size:13px}body{background:#1f1f1f}";
  const opened = await openPage(browser, "dashboardPage.tsx", theme + pageStyle("dashboard"));
  const { page } = opened;
  let lastState: UsageState | undefined;
  const controller = controllerOf(books, (message) => {
    if (message.type === "state") lastState = message.state;
    void page.evaluate((reported) => dashboardPage.handle(reported), message).catch(() => {});
  });
  const asked: string[] = [];
  await page.exposeFunction("askHost", (posted: unknown) => {
    const message = parseFromUsageView(posted);
    assert.ok(message, JSON.stringify(posted));
    asked.push(message.type);
    if (isUsageRequest(message)) void controller.handle(message);
  });
  await page.setViewportSize({ width: 1100, height: 1500 });
  await page.evaluate(() => dashboardPage.start());
  await page.getByRole("heading", { name: "Usage of My service" }).waitFor();
  await page.getByText("30,000 records").waitFor();
  await page.getByText("The analytics behind them are beta and may change.").waitFor();
  const rows = page.locator(".window .row");
  await rows.first().getByText("token").first().waitFor();
  assert.ok((await rows.count()) < 40, "only the rows in sight are in the page");
  mkdirSync(join(results, "unit"), { recursive: true });
  await page.screenshot({ path: join(results, "unit", "dashboard.png") });

  await page.getByRole("grid").focus();
  await page.keyboard.press("End");
  await page.locator('.row[aria-rowindex="30001"]').getByText("token").waitFor();
  assert.equal(await page.locator(".row.active").getAttribute("aria-rowindex"), "30001");
  assert.ok(asked.filter((type) => type === "rows").length < 6, "pages in between are not asked for");

  await page.getByLabel("Filter records").fill("cache-input");
  await page.getByText("10,000 records").waitFor();
  await rows.first().getByText("cache-input").waitFor();
  await rows.first().click();
  await page.getByRole("heading", { name: /^Request chatcmpl-/ }).waitFor();
  assert.equal(await page.locator(".request tbody tr").count(), 3, "three records of one request");
  await page.keyboard.press("Escape");
  await page.getByRole("heading", { name: /^Request / }).waitFor({ state: "detached" });

  await page.getByRole("columnheader", { name: "Unit price (USD)" }).getByRole("button").click();
  await page.locator('[role=columnheader][aria-sort="ascending"]').getByText("Unit price").waitFor();
  await page.getByLabel("Currency").selectOption({ label: "DIEM" });
  const inDiem = books
    .entries()
    .filter(({ currency, sku }) => currency === "DIEM" && sku.includes("cache-input")).length;
  assert.ok(inDiem > 0 && inDiem < 10_000);
  await page.getByText(`${inDiem.toLocaleString("en-US")} records`).waitFor();
  await page.getByLabel("Filter records").fill("no such product");
  await page.getByText("No record in DIEM matches the filter.").waitFor();
  await page.screenshot({ path: join(results, "unit", "dashboard-currency.png") });
  await page.getByRole("button", { name: "Show all currencies" }).click();
  await page.getByText("No record matches the filter.").waitFor();
  await page.getByLabel("Filter records").fill("cache-input");
  await page.getByText("10,000 records").waitFor();
  await page.getByRole("columnheader", { name: "Spent" }).getByRole("button").click();
  await page.locator('[role=columnheader][aria-sort="descending"]').getByText("Spent").waitFor();
  await page.getByRole("button", { name: "Show as table" }).click();
  assert.equal(await page.locator(".figures tbody tr").count(), 30);
  await page.setViewportSize({ width: 300, height: 1500 });
  await page.screenshot({ path: join(results, "unit", "dashboard-narrow.png") });
  const unpaid = { ...(lastState ?? assert.fail()), onlyCurrency: "VCU", models: none };
  await page.evaluate((message) => dashboardPage.handle(message), {
    v: 1,
    type: "state",
    state: unpaid,
  } as const);
  await page.getByText("Nothing was spent in VCU in this range.").waitFor();
  assert.deepEqual(opened.requests, []);
  assert.deepEqual(
    opened.errors.filter((error) => !error.includes("askHost")),
    [],
  );
});
