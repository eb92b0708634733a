import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import type { Charged } from "../../../src/api/charge.ts";
import { createAccountData, lastDays } from "../../../src/features/account/accountData.ts";
import { noDayFiles } from "../../../src/features/account/dayFiles.ts";
import { keyNodes } from "../../../src/features/account/keyNodes.ts";
import { limitNodes } from "../../../src/features/account/limitNodes.ts";
import { createLimitWatch } from "../../../src/features/account/limitWatch.ts";
import { type AccountNode, plain, shareBar } from "../../../src/features/account/treeNode.ts";
import { usageNodes } from "../../../src/features/account/usageNodes.ts";
import { nanoText } from "../../../src/sandbox/billing/decimal.ts";
import type { Connection } from "../../../src/session/connection.ts";
import { createSpend } from "../../../src/session/spend.ts";
import { dayOf } from "../../../src/shared/days.ts";
import { exactText } from "../../../src/shared/money/exact.ts";
import { moneyText } from "../../../src/shared/money/moneyText.ts";
import { type Books, dayMs, openBooks, spendAtRandom } from "./bookkeeping.ts";

const own = { todayUsd: 0n, monthUsd: 0n, unbilledUsd: 0n, unpriced: 0, isMonthBilled: false };

const connection: Connection = {
  id: "c",
  name: "C",
  kind: "live",
  baseUrl: "https://c.example",
  dialect: "auto",
};
const nothingSpent = { chainSpend: async () => ({ credits: 0, usd: 0n, unstated: 0 }) };

function dataOf(books: Books, as: "admin" | "inference" = "admin", createdKeys: readonly string[] = []) {
  return createAccountData({
    api: async () => books[as],
    admin: async () => books[as],
    files: noDayFiles,
    createdKeys: () => createdKeys,
    now: books.clock.now,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });
}

const find = (nodes: readonly AccountNode[], label: string): AccountNode => {
  const node = nodes.find((one) => one.label === label);
  assert.ok(node, `no row "${label}" among ${nodes.map((one) => one.label).join(", ")}`);
  return node;
};
const open = async (node: AccountNode): Promise<readonly AccountNode[]> => (await node.children?.()) ?? [];
const pathOf = ({ path }: { readonly path: string }) => path.replace("/api/v1", "");

async function createKeys(
  books: Books,
  count: number,
  name = (index: number) => `key ${index}`,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const { data } = await books.admin.keys.create({ apiKeyType: "INFERENCE", description: name(index) });
    ids.push(data.id);
  }
  return ids;
}

test("10,000 random calls: the tree's totals equal the ledger, for the last days, by model and by key", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 10_000, 25, ["key-1"]);
  const nodes = await usageNodes(dataOf(books), own);
  const groups = await open(find(nodes, "Last 30 days"));
  const ledger = (currency: string) =>
    nanoText(
      books.entries().reduce((sum, entry) => sum - (entry.currency === currency ? entry.amount : 0), 0),
    );
  const total = find(groups, "Total");
  assert.ok(total.tooltip?.includes(plain(`$${ledger("USD")}`)), total.tooltip);
  assert.ok(total.tooltip?.includes(plain(`${ledger("DIEM")} DIEM`)), total.tooltip);
  const models = await open(find(groups, "By model"));
  assert.ok(models.some(({ label }) => label === "__proto__"));
  const guide = find(models, "guide");
  assert.deepEqual((await open(guide)).map(({ label }) => label).sort(), ["Cache Read", "Input", "Output"]);
  const keys = await open(find(groups, "By key"));
  assert.deepEqual(keys.map(({ label }) => label).sort(), ["Web App", "key-1"]);
  find(groups, "Web app");
});

test("the month's total is a lower bound until the bill of each day has been read", async (t) => {
  const data = dataOf(await openBooks(t));
  const sumOf = async (isMonthBilled: boolean) =>
    (await usageNodes(data, { ...own, isMonthBilled })).find(({ id }) => id === "own")?.description;
  assert.equal(await sumOf(false), "at least $0.00");
  assert.equal(await sumOf(true), "$0.00");
});

test("several views share one request, and analytics are requested once in ten minutes", async (t) => {
  const books = await openBooks(t);
  const data = dataOf(books);
  await Promise.all([usageNodes(data, own), usageNodes(data, own), keyNodes(data), keyNodes(data)]);
  const analytics = () =>
    books.requests.filter((request) => pathOf(request).startsWith("/billing/usage-analytics")).length;
  assert.equal(analytics(), 4, "today, and 7, 30 and 90 days before it");
  books.clock.advance(9 * 60_000);
  await data.analytics(lastDays(30, books.clock.now())).load(0);
  await usageNodes(data, own);
  assert.equal(analytics(), 4);
  books.clock.advance(60_000);
  await data.analytics(lastDays(30, books.clock.now())).load(0);
  assert.equal(analytics(), 6, "today, and the 29 days before it");
});

test("while analytics are cached, no range is less than today's bill or a shorter range", async (t) => {
  const books = await openBooks(t);
  spendAtRandom(books, 400, 80, ["key-1", "key-2"]);
  const data = dataOf(books);
  const usdOf = (text: string | undefined) =>
    Number(/\$([\d,.]+)/.exec(text ?? "")?.[1]?.replaceAll(",", "") ?? 0);
  const look = async () => {
    const nodes = await usageNodes(data, own);
    const labels = ["Today (UTC)", "Last 7 days", "Last 30 days", "Last 90 days"];
    return labels.map((label) => usdOf(find(nodes, label).description));
  };
  await look();
  for (let minute = 1; minute < 25; minute++) {
    books.clock.advance(60_000);
    books.billing.charge({
      keyId: "key-1",
      product: { model: "augment-search", modelType: null, unitType: "requests" },
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 5, units: 1 }],
      inferenceDetails: null,
    });
    const sums = await look();
    assert.deepEqual(
      sums,
      sums.toSorted((a, b) => a - b),
      `minute ${minute}`,
    );
    assert.ok((sums[0] ?? 0) >= 5 * minute - 0.01, `${sums[0]} after ${minute} minutes`);
    const groups = await open(find(await usageNodes(data, own), "Last 7 days"));
    const parts = [await open(find(groups, "By key")), groups.filter(({ id }) => id.endsWith(":uncounted"))];
    const sum = parts.flat().reduce((all, { description }) => all + usdOf(description), 0);
    assert.ok(Math.abs(sum - (sums[1] ?? 0)) < 0.05, `${sum} by key, ${sums[1]} in all`);
  }
});

test("keys are in the chosen order, which is shown", async (t) => {
  const books = await openBooks(t);
  const ids = await createKeys(books, 3, (index) => ["b", "c 10", "c 9"][index] ?? "");
  for (const [at, id] of ids.entries())
    books.billing.charge({
      keyId: id,
      product: { model: "augment-search", modelType: null, unitType: "requests" },
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 + at }],
      inferenceDetails: null,
    });
  const data = dataOf(books);
  const names = async (order: "spend" | "name") => {
    const [source, ...keys] = await keyNodes(data, order);
    assert.ok(source?.description?.includes(order === "name" ? "by name" : "by spend"));
    return keys.map(({ label }) => label).filter((label) => /^[bc]/.test(label));
  };
  assert.deepEqual(await names("spend"), ["c 9", "c 10", "b"]);
  assert.deepEqual(await names("name"), ["b", "c 9", "c 10"]);
});

test("requests nothing until a view is visible", async (t) => {
  const books = await openBooks(t);
  dataOf(books);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(books.requests.length, 0);
});

test("a failure keeps the last value and backs off, so that repaints send nothing", async (t) => {
  const books = await openBooks(t);
  const data = dataOf(books);
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
  assert.equal(books.requests.length, after, "a closed door is not knocked at again at once");
});

test("without a key list, keys come from creation and usage, and each is read once", async (t) => {
  const books = await openBooks(t);
  const [unused = "", used = ""] = await createKeys(books, 2);
  spendAtRandom(books, 20, 1, [used]);
  const nodes = await keyNodes(dataOf(books, "admin", [unused]));
  assert.equal(nodes[0]?.label, "2 keys known");
  assert.deepEqual(
    nodes
      .slice(1)
      .map(({ label }) => label)
      .sort(),
    ["key 0", "key 1"],
  );
  const reads = books.requests.map(pathOf).filter((path) => /^\/api_keys\/[0-9a-f-]{36}$/.test(path));
  assert.deepEqual(reads.sort(), [`/api_keys/${unused}`, `/api_keys/${used}`].sort());
});

test("a listed key shows type, last six characters, bar, expiry and spending; a revoked key is marked", async (t) => {
  const books = await openBooks(t, "venice");
  const { data } = await books.admin.keys.create({
    apiKeyType: "INFERENCE",
    description: "`ci` [x](command:evil) | two",
    consumptionLimit: { usd: 0.04 },
    limitPeriod: "MONTH",
    expiresAt: new Date(books.clock.now() + 3 * dayMs).toISOString(),
  });
  const charge = {
    name: "search",
    usd: 0.01,
    product: { model: "augment-search", modelType: null, unitType: "requests" },
  } as const;
  for (let call = 0; call < 3; call++) {
    books.billing.account.pay(2_000_000_000);
    books.billing.charge({
      keyId: data.id,
      product: charge.product,
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 }],
      inferenceDetails: null,
    });
  }
  const nodes = await keyNodes(dataOf(books, "admin"));
  const node = nodes.find(({ keyId }) => keyId === data.id);
  assert.equal(
    node?.description,
    `▰▰▰▰▰▰▱▱ 75 %  expires in 3 days  $0.030  …${data.apiKey.slice(-6)}  INFERENCE`,
  );
  assert.equal(node?.tint, "warning");
  assert.ok(!node?.tooltip?.includes("[x](command:evil)"), node?.tooltip);
  assert.ok(!JSON.stringify(nodes).includes(data.apiKey));
  const facts = await open(node ?? { id: "", label: "" });
  assert.equal(find(facts, "Limit in USD").description, "$0.030 of $0.040");
  assert.equal(find(facts, "Last 7 days").description, "$0.03");
  await books.admin.keys.revoke({ id: data.id });
  const again = await keyNodes(dataOf(books, "admin"));
  assert.ok(!again.some(({ keyId }) => keyId === data.id), "the list names it no more");
});

test("keeps keys with the same description separate", async (t) => {
  const books = await openBooks(t);
  const names = ["twin", "twin", "__proto__", "constructor", "date"];
  const ids = await createKeys(books, names.length, (index) => names[index] ?? "");
  spendAtRandom(books, 500, 1, ids);
  const { value } = await dataOf(books).analytics(lastDays(7, books.clock.now())).load();
  const twins = value?.keys.filter(({ name }) => name === "twin") ?? [];
  assert.equal(twins.length, 2);
  for (const key of value?.keys ?? []) {
    const nano = books
      .entries()
      .reduce((sum, e) => sum - (e.keyId === key.id && e.currency === "USD" ? e.amount : 0), 0);
    assert.equal(exactText(key.usd), nanoText(nano), key.name);
  }
  assert.ok(value?.keys.some(({ name }) => name === "__proto__"));
});

test("ten thousand keys take two requests for their usage and 15 for records, and all are in the tree", async (t) => {
  const books = await openBooks(t);
  for (let key = 0; key < 10_000; key++) {
    books.billing.charge({
      keyId: `00000000-0000-4000-8000-${String(key).padStart(12, "0")}`,
      product: { model: "augment-search", modelType: null, unitType: "requests" },
      lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 }],
      inferenceDetails: null,
    });
  }
  const data = dataOf(books);
  const nodes = await keyNodes(data);
  assert.equal(nodes[0]?.label, "10,000 keys known");
  assert.equal(nodes.length, 10_001);
  assert.equal(nodes.at(-1)?.description, "$0.010");
  assert.ok(books.requests.length < 20, `${books.requests.length} requests`);
});

test("an INFERENCE key shows limits and balance, and names the missing permission once", async (t) => {
  const books = await openBooks(t);
  const data = dataOf(books, "inference");
  const usage = await usageNodes(data, own);
  assert.deepEqual(
    usage.map(({ id }) => id),
    ["balance", "own", "admin"],
  );
  assert.equal(find(usage, "Balance").description, `${moneyText(100_000n * 10n ** 18n, "USD")} · 2.00 DIEM`);
  await assert.rejects(keyNodes(data), { kind: "admin-key-required" });
  const asked = books.requests.length;
  await usageNodes(data, own);
  await assert.rejects(keyNodes(data), { kind: "admin-key-required" });
  assert.equal(books.requests.length, asked, "a key does not become an ADMIN key by asking again");
  const limits = await limitNodes({
    data,
    watch: createLimitWatch(books.clock.now),
    connection,
    spend: nothingSpent,
  });
  assert.equal(find(limits, "Tier").description, "paid");
  assert.equal(find(limits, "Next epoch begins").description, "in 14 h");
});

test("limits show the rest from the last reply until their window resets", async (t) => {
  const books = await openBooks(t);
  const data = dataOf(books);
  const watch = createLimitWatch(books.clock.now);
  const nowMs = books.clock.now();
  watch.receive(connection.id, {
    type: "exchange",
    endpoint: "chat.complete",
    method: "POST",
    path: "/chat/completions",
    model: "echo",
    attempt: 0,
    ms: 1,
    limits: {
      requests: { limit: 40, remaining: 2, resetAtMs: nowMs + 30_000 },
      tokens: { limit: 1000, remaining: 900 },
    },
  });
  const folder = mkdtempSync(join(tmpdir(), "limits-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const spend = createSpend({ folder, now: books.clock.now, onChange() {}, report: assert.ifError });
  const charge = (fact: Charged["fact"]) =>
    spend.record(
      connection,
      { type: "charged", endpoint: "rpc.call", fact },
      { models: async () => new Map(), usdPerCredit: [6.25e-7, 7e-7] },
    );
  charge({ by: "credits", credits: 8_000_000, replayed: false });
  charge({ by: "credits", credits: 9, replayed: true });
  const rows = async () => {
    const nodes = await limitNodes({ data, watch, connection, spend });
    return { echo: find(await open(find(nodes, "By model")), "echo"), nodes };
  };
  const { echo, nodes } = await rows();
  assert.match(echo.description ?? "", /▰▱▱▱▱▱▱▱ 5 % left$/);
  assert.equal(echo.tint, "warning");
  assert.equal(
    find(await open(echo), "Remaining").description,
    "2 of 40 requests, 900 of 1,000 tokens (0 s ago)",
  );
  assert.equal(find(nodes, "RPC credits in 24 hours").description, "8,000,000  ▰▰▰▰▰▰▱▱ 80 %");
  books.clock.advance(31_000);
  assert.match((await rows()).echo.description ?? "", /100 % left$/);
  books.clock.advance(dayMs);
  assert.match(find((await rows()).nodes, "RPC credits in 24 hours").description ?? "", /^0 /);
  assert.equal(
    find(await open(find(nodes, "Refused requests")), "This service has no such log").icon,
    "circle-slash",
  );
});

test("an empty account has empty rows, not errors", async (t: TestContext) => {
  const books = await openBooks(t);
  const data = dataOf(books);
  assert.deepEqual(await keyNodes(data), []);
  const nodes = await usageNodes(data, own);
  assert.equal(find(nodes, "Today (UTC)").description, "$0.00");
  assert.deepEqual(
    (await open(find(nodes, "Last 90 days"))).map(({ label }) => label),
    ["No usage"],
  );
  assert.equal(dayOf(books.clock.now()), lastDays(1, books.clock.now()).from);
});

test("bars and escapes are right at their bounds", () => {
  assert.equal(shareBar(0), "▱▱▱▱▱▱▱▱ 0 %");
  assert.equal(shareBar(0.001), "▰▱▱▱▱▱▱▱ 0 %");
  assert.equal(shareBar(3), "▰▰▰▰▰▰▰▰ 300 %");
  assert.equal(plain("a|b\n[c](d) $(x) <i>"), "a\\|b \\[c\\]\\(d\\) \\$\\(x\\) \\<i\\>");
});
