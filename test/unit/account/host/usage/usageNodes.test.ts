import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { lastDays } from "../../../../../src/account/host/accountData.ts";
import { keyNodes } from "../../../../../src/account/host/keys/keyNodes.ts";
import { spokenText } from "../../../../../src/account/host/tree/treeNode.ts";
import { usageNodes } from "../../../../../src/account/host/usage/usageNodes.ts";
import { chatCharge, imageCharge } from "../../../../../src/sandbox/billing/ledger/charge.ts";
import { nanoText } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import { dayOf } from "../../../../../src/shared/time/days.ts";
import { dataOf } from "../../../fields/accountOfService.ts";
import { serviceOf } from "../../../fields/service.ts";
import { accountDataOf, childrenOf, noOwnSpend, pathOf, rowOf, usageOf } from "../accountRows.ts";
import { openBooks, spendAtRandom } from "../bookkeeping.ts";
import { usd } from "../money.ts";

test("10,000 random calls: the tree's totals equal the ledger, for the last days, by model and by key", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 10_000, 25, ["key-1"]);
  const nodes = await usageNodes(usageOf(accountDataOf(books)));
  const groups = await childrenOf(rowOf(nodes, "Last 30 days"));
  const ledger = (currency: string) =>
    nanoText(
      books.entries().reduce((sum, entry) => sum - (entry.currency === currency ? entry.amount : 0), 0),
    );
  const total = rowOf(groups, "Total");
  assert.deepEqual(
    new Map(total.tooltip?.facts),
    new Map([
      ["USD", `$${ledger("USD")}`],
      ["DIEM", `${ledger("DIEM")} DIEM`],
    ]),
  );
  const models = await childrenOf(rowOf(groups, "By model"));
  assert.ok(models.some(({ label }) => label === "__proto__"));
  const guide = rowOf(models, "guide");
  assert.deepEqual((await childrenOf(guide)).map(({ label }) => label).sort(), [
    "Cache Read",
    "Input",
    "Output",
  ]);
  const keys = await childrenOf(rowOf(groups, "By key"));
  assert.deepEqual(keys.map(({ label }) => label).sort(), ["Web App", "key-1"]);
  rowOf(groups, "Web app");
});

test("units are in the unit of their model, by model, by part and by key", async (t) => {
  const books = await openBooks(t);
  const key = { keyId: "key-1", requestId: "r", executionMs: 1 };
  const groupsNow = async () =>
    childrenOf(rowOf(await usageNodes(usageOf(accountDataOf(books))), "Last 7 days"));
  const listed = async (group: string, name: string) =>
    rowOf(await childrenOf(rowOf(await groupsNow(), group)), name);
  books.billing.charge(imageCharge({ ...key, model: "canvas", images: 1, usdPerImage: 0.5 }));
  assert.equal((await listed("By model", "canvas")).description, "0.50 DIEM, 1 image");
  assert.equal((await listed("By key", "key-1")).description, "0.50 DIEM, 1 image");
  const price = { input: 1, output: 1, cacheInput: 1 };
  const spent = { ...key, model: "guide", price, promptTokens: 3000, cachedTokens: 0, completionTokens: 1 };
  books.billing.charge(chatCharge(spent));
  books.clock.advance(11 * 60_000);
  const guide = await listed("By model", "guide");
  assert.match(guide.description ?? "", /, 3,001 tokens$/);
  const parts = await childrenOf(guide);
  assert.match(rowOf(parts, "Input").description ?? "", /, 3,000 tokens$/);
  assert.match(rowOf(parts, "Output").description ?? "", /, 1 token$/);
  assert.deepEqual(rowOf(parts, "Input").tooltip?.facts?.at(-1), ["Units", "3,000 tokens"]);
  assert.match((await listed("By key", "key-1")).description ?? "", /, 3,002 units$/, "images and tokens");
  const last = rowOf(await usageNodes(usageOf(accountDataOf(books))), "Last 7 days");
  assert.ok(last.tooltip?.notes?.some((note) => note.includes("are beta at the service and may change")));
});

test("the month's total is a lower bound until the bill of each day has been read, and unknown if nothing is", async (t) => {
  const data = accountDataOf(await openBooks(t));
  const sumOf = async (isMonthBilled: boolean) =>
    (await usageNodes(usageOf(data, { ...noOwnSpend, isMonthBilled }))).find(({ id }) => id === "own")
      ?.description;
  assert.match((await sumOf(false)) ?? "", /^– The bill is not read yet\./);
  const usedHere = { ...noOwnSpend, month: usd("0.5") };
  const own = (await usageNodes(usageOf(data, usedHere))).find(({ id }) => id === "own");
  assert.equal(own?.description, "at least $0.50");
  assert.equal(await sumOf(true), "$0.00");
});

test("the balance says what calls are paid in, and why it can't be used if the service says so", async () => {
  const rowFor = async (reply: object) => {
    const { api } = serviceOf({ "billing.balance": reply }, { dialect: "venice" });
    return rowOf(await usageNodes(usageOf(dataOf(api))), "Balance");
  };
  const both = { usd: 25, diem: 2 };
  const row = await rowFor({ canConsume: true, consumptionCurrency: "DIEM", balances: both });
  assert.equal(row.description, "$25.00 · 2.00 DIEM · paid in DIEM");
  assert.equal(row.copyText, "$25.00 · 2.00 DIEM");
  assert.equal(
    spokenText(row),
    "Balance, $25.00 · 2.00 DIEM · paid in DIEM, USD $25, DIEM left today 2 DIEM",
  );
  const refused = async (consumptionCurrency: string, balances: object) => {
    const { description, tint, tooltip } = await rowFor({ canConsume: false, consumptionCurrency, balances });
    assert.equal(tint, "error");
    assert.ok(tooltip?.facts?.some(([, fact]) => fact === `paid in ${consumptionCurrency}`));
    return description;
  };
  assert.equal(await refused("USD", { usd: 0 }), "$0.00 · can't be used: it is empty");
  assert.equal(
    await refused("DIEM", { usd: 9, diem: 0 }),
    "$9.00 · 0.00 DIEM · can't be used: no DIEM is left",
  );
  assert.equal(await refused("USD", both), "$25.00 · 2.00 DIEM · can't be used: the service gives no reason");
  assert.equal(await refused("USD", {}), "unknown · can't be used: the service gives no reason");
  const bundled = await rowFor({ canConsume: true, consumptionCurrency: "BUNDLED_CREDITS", balances: {} });
  assert.deepEqual([bundled.description, bundled.tint], ["unknown · paid in bundled credits", undefined]);
  const silent = await rowFor({ balances: { usd: 0, diem: null } });
  assert.deepEqual([silent.description, silent.tint], ["$0.00", "error"]);
});

test("several views share one request, and analytics are requested once in ten minutes", async (t) => {
  const books = await openBooks(t);
  const data = accountDataOf(books);
  await Promise.all([usageNodes(usageOf(data)), usageNodes(usageOf(data)), keyNodes(data), keyNodes(data)]);
  const analytics = () =>
    books.requests.filter((request) => pathOf(request).startsWith("/billing/usage-analytics")).length;
  assert.equal(analytics(), 4, "today, and 7, 30 and 90 days before it");
  books.clock.advance(9 * 60_000);
  await data.analytics(lastDays(30, books.clock.now())).load(0);
  await usageNodes(usageOf(data));
  assert.equal(analytics(), 4);
  books.clock.advance(60_000);
  await data.analytics(lastDays(30, books.clock.now())).load(0);
  assert.equal(analytics(), 6, "today, and the 29 days before it");
});

test("while analytics are cached, no range is less than today's bill or a shorter range", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 400, 80, ["key-1", "key-2"]);
  const data = accountDataOf(books);
  const usdOf = (text: string | undefined) =>
    Number(/\$([\d,.]+)/.exec(text ?? "")?.[1]?.replaceAll(",", "") ?? 0);
  const readTotals = async () => {
    const nodes = await usageNodes(usageOf(data));
    const labels = ["Today (UTC)", "Last 7 days", "Last 30 days", "Last 90 days"];
    return labels.map((label) => usdOf(rowOf(nodes, label).description));
  };
  await readTotals();
  for (let minute = 1; minute < 25; minute++) {
    books.clock.advance(60_000);
    books.billing.charge({
      keyId: "key-1",
      product: { model: "augment-search", modelType: null, unitType: "requests" },
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 5, units: 1 }],
      inferenceDetails: null,
    });
    const sums = await readTotals();
    assert.deepEqual(
      sums,
      sums.toSorted((a, b) => a - b),
      `minute ${minute}`,
    );
    assert.ok((sums[0] ?? 0) >= 5 * minute - 0.01, `${sums[0]} after ${minute} minutes`);
    const groups = await childrenOf(rowOf(await usageNodes(usageOf(data)), "Last 7 days"));
    const parts = [
      await childrenOf(rowOf(groups, "By key")),
      groups.filter(({ id }) => id.endsWith(":uncounted")),
    ];
    const sum = parts.flat().reduce((all, { description }) => all + usdOf(description), 0);
    assert.ok(Math.abs(sum - (sums[1] ?? 0)) < 0.05, `${sum} by key, ${sums[1]} in all`);
  }
});

test("requests nothing until a view is visible", async (t) => {
  const books = await openBooks(t);
  accountDataOf(books);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(books.requests.length, 0);
});

test("a failure keeps the last value and backs off, so that repaints send nothing", async (t) => {
  const books = await openBooks(t);
  const data = accountDataOf(books);
  const first = await data.limits.load();
  books.clock.advance(60_000);
  books.setFaults([{ match: { path: "/api_keys/rate_limits" }, kind: "status", status: 400 }]);
  const asked = books.requests.length;
  const known = await data.limits.load();
  assert.ok(known.error instanceof Error);
  assert.deepEqual([known.value, known.asOfMs], [first.value, first.asOfMs]);
  const after = books.requests.length;
  assert.ok(after > asked);
  await data.limits.load(0);
  assert.equal(books.requests.length, after, "a failed request is not repeated at once");
});

test("a reason for which all rows have no value is shown once, and is in the tooltip of each", async (t) => {
  const books = await openBooks(t);
  const data = accountDataOf(books);
  books.setFaults([{ kind: "status", status: 401 }]);
  const nodes = await usageNodes(usageOf(data));
  const reasons = nodes.map(({ label, description }) => [label, description?.replace(/^– (?!not).+/, "why")]);
  assert.deepEqual(reasons, [
    ["Balance", "why"],
    ["Spent this month", "– not read either"],
    ["Today (UTC)", "– not read either"],
    ...[7, 30, 90].map((days) => [`Last ${days} days`, "– not read either"]),
  ]);
  const [reason = ""] = rowOf(nodes, "Balance").tooltip?.notes ?? [];
  for (const { label, tooltip } of nodes) assert.ok(tooltip?.notes?.includes(reason), label);
});

test("an empty account has empty rows, not errors", async (t: TestContext) => {
  const books = await openBooks(t);
  const data = accountDataOf(books);
  assert.deepEqual(await keyNodes(data), []);
  const nodes = await usageNodes(usageOf(data));
  assert.equal(rowOf(nodes, "Today (UTC)").description, "$0.00");
  const labels = async (rows: typeof nodes) =>
    (await childrenOf(rowOf(rows, "Last 90 days"))).map(({ label }) => label);
  assert.deepEqual(await labels(nodes), ["VCU and bundled credits", "No usage in USD or DIEM"]);
  await data.usage.sum(lastDays(90, books.clock.now()));
  assert.deepEqual(await labels(await usageNodes(usageOf(data))), ["No usage"]);
  assert.equal(dayOf(books.clock.now()), lastDays(1, books.clock.now()).from);
});
