import assert from "node:assert/strict";
import { test } from "node:test";
import { lastDays } from "../../../../../src/account/host/accountData.ts";
import { keyNodes, keyRowOf } from "../../../../../src/account/host/keys/keyNodes.ts";
import { tooltipMarkdown } from "../../../../../src/account/host/tree/treeNode.ts";
import { imageCharge } from "../../../../../src/sandbox/billing/ledger/charge.ts";
import { nanoText } from "../../../../../src/sandbox/billing/ledger/decimal.ts";
import { exactText } from "../../../../../src/shared/money/exact.ts";
import { localZone, zonedText } from "../../../../../src/shared/time/zonedTime.ts";
import { accountDataOf, childrenOf, createKeys, pathOf, rowOf } from "../accountRows.ts";
import { dayMs, openBooks, spendAtRandom } from "../bookkeeping.ts";
import { usdOf } from "../money.ts";

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
  const data = accountDataOf(books);
  const names = async (order: "spend" | "name") => {
    const [source, ...keys] = await keyNodes(data, order);
    assert.ok(source?.description?.includes(order === "name" ? "by name" : "by spend"));
    return keys.map(({ label }) => label).filter((label) => /^[bc]/.test(label));
  };
  assert.deepEqual(await names("spend"), ["c 9", "c 10", "b"]);
  assert.deepEqual(await names("name"), ["b", "c 9", "c 10"]);
});

test("without a key list, keys come from creation and usage, and each is read once", async (t) => {
  const books = await openBooks(t);
  const [unused = "", used = ""] = await createKeys(books, 2);
  spendAtRandom(books, 20, 1, [used]);
  const nodes = await keyNodes(accountDataOf(books, "admin", [unused]));
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
  const nodes = await keyNodes(accountDataOf(books, "admin"));
  const node = nodes.find(({ keyId }) => keyId === data.id);
  assert.equal(
    node?.description,
    `expires in 3 days  ▰▰▰▰▰▰▱▱ 75 %  $0.030  …${data.apiKey.slice(-6)}  INFERENCE`,
  );
  assert.equal(node?.tint, "warning");
  const hover = tooltipMarkdown(node?.tooltip ?? {});
  assert.ok(hover.includes("evil") && !hover.includes("[x](command:evil)"), hover);
  assert.ok(!JSON.stringify(nodes).includes(data.apiKey));
  const facts = await childrenOf(node ?? { id: "", label: "" });
  assert.equal(rowOf(facts, "Limit in USD").description, "$0.030 of $0.040");
  assert.equal(rowOf(facts, "Last 7 days").description, "$0.03");
  await books.admin.keys.revoke({ id: data.id });
  const again = await keyNodes(accountDataOf(books, "admin"));
  assert.ok(!again.some(({ keyId }) => keyId === data.id), "the list omits it");
});

test("no key was never used beside its usage of 7, 30 or 90 days, whatever the service says of its last use", async (t) => {
  const books = await openBooks(t, "venice");
  const [id = "", idle = ""] = await createKeys(books, 2, (index) => ["spent", "idle"][index] ?? "");
  spendAtRandom(books, 1, 1, [id]);
  books.billing.charge({
    keyId: id,
    product: { model: "augment-search", modelType: null, unitType: "requests" },
    lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 }],
    inferenceDetails: null,
  });
  const edit = (reply: unknown) => {
    const { data } = reply as { readonly data: readonly object[] };
    return { data: data.map((key) => ({ ...key, lastUsedAt: null })) };
  };
  books.setFaults([{ match: { path: "/api_keys" }, kind: "edit", edit }]);
  for (const days of [0, 20, 60]) {
    books.clock.advance(days === 0 ? 0 : (days === 20 ? 20 : 40) * dayMs);
    const nodes = await keyNodes(accountDataOf(books, "admin"));
    const lastUsed = async (keyId: string) => {
      const node = nodes.find((one) => one.keyId === keyId) ?? assert.fail();
      return rowOf(await childrenOf(node), "Last used").description;
    };
    assert.deepEqual([await lastUsed(id), await lastUsed(idle)], ["unknown", "never"], `after ${days} days`);
  }
});

test("a key shows its limit period without a limit, its limit in VCU, its expiry in local time, and its units", async (t) => {
  const books = await openBooks(t);
  const expiresAt = new Date(books.clock.now() + 30 * dayMs).toISOString();
  const { data: free } = await books.admin.keys.create({
    apiKeyType: "INFERENCE",
    description: "free",
    limitPeriod: "LIFETIME",
    expiresAt,
  });
  const { data: old } = await books.admin.keys.create({
    apiKeyType: "INFERENCE",
    description: "old",
    consumptionLimit: { vcu: 5 },
  });
  books.billing.charge(
    imageCharge({
      keyId: old.id,
      requestId: "r",
      executionMs: 1,
      model: "canvas",
      images: 2,
      usdPerImage: 0.5,
    }),
  );
  const nodes = await keyNodes(accountDataOf(books, "admin", [free.id]));
  const factsNamed = async (name: string) => {
    const node = rowOf(nodes, name);
    const facts = await childrenOf(node);
    const hover = new Map(node.tooltip?.facts);
    assert.equal(node.tooltip?.isBelow, true);
    for (const [fact, value] of hover)
      assert.equal(rowOf(facts, fact).description, value, "also without a hover");
    return (fact: string) => rowOf(facts, fact).description;
  };
  const ofFree = await factsNamed("free");
  assert.deepEqual(["ID", "Limit", "Limit period", "Expires", "Source"].map(ofFree), [
    free.id,
    "none",
    "its lifetime",
    zonedText(Date.parse(expiresAt), localZone()),
    "created here",
  ]);
  const ofOld = await factsNamed("old");
  assert.match(ofOld("Limit in VCU (deprecated)") ?? "", /^5\.00 VCU/);
  assert.equal(ofOld("Limit period"), "a UTC day");
  assert.equal(ofOld("Last 30 days"), "1.00 DIEM, 2 images");
  assert.equal(ofOld("Last 90 days"), "1.00 DIEM, 2 images");
});

test("a key that was looked up is shown, also if it is in no list and if the others can't be read", async (t) => {
  const books = await openBooks(t);
  const [id = ""] = await createKeys(books, 1);
  const data = accountDataOf(books);
  assert.deepEqual(await keyNodes(data), [], "neither created here nor used");
  data.lookedUpKeys.add(id);
  const [source, node] = await keyNodes(data);
  assert.equal(source?.label, "0 keys known");
  assert.deepEqual([node?.label, node?.id, node?.keyId], ["key 0", keyRowOf(id).id, id]);
  assert.equal(
    rowOf(await childrenOf(node ?? { id: "", label: "" }), "Source").description,
    "looked up by its id",
  );
  books.setFaults([{ match: { path: "/billing/usage-analytics" }, kind: "status", status: 400 }]);
  const broken = accountDataOf(books);
  await assert.rejects(keyNodes(broken));
  broken.lookedUpKeys.add(id);
  const [problem, still] = await keyNodes(broken);
  assert.deepEqual([problem?.label, still?.label], ["The other keys could not be read", "key 0"]);
});

test("keeps keys with the same description separate", async (t) => {
  const books = await openBooks(t);
  const names = ["twin", "twin", "__proto__", "constructor", "date"];
  const ids = await createKeys(books, names.length, (index) => names[index] ?? "");
  spendAtRandom(books, 500, 1, ids);
  const { value } = await accountDataOf(books).analytics(lastDays(7, books.clock.now())).load();
  const twins = value?.keys.filter(({ name }) => name === "twin") ?? [];
  assert.equal(twins.length, 2);
  for (const key of value?.keys ?? []) {
    const nano = books
      .entries()
      .reduce((sum, e) => sum - (e.keyId === key.id && e.currency === "USD" ? e.amount : 0), 0);
    assert.equal(exactText(usdOf(key.spend)), nanoText(nano), key.name);
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
  const data = accountDataOf(books);
  const nodes = await keyNodes(data);
  assert.equal(nodes[0]?.label, "10,000 keys known");
  assert.equal(nodes.length, 10_001);
  assert.equal(nodes.at(-1)?.description, "$0.010");
  assert.ok(books.requests.length < 20, `${books.requests.length} requests`);
});
