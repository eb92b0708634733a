import assert from "node:assert/strict";
import { test } from "node:test";
import { createAccountData } from "../../../../../src/account/host/accountData.ts";
import { noKeyFacts, readKeyFacts } from "../../../../../src/account/host/keys/keyFacts.ts";
import { noDayFiles } from "../../../../../src/account/host/usage/days/dayFiles.ts";
import { type Books, openBooks } from "../bookkeeping.ts";
import { usd } from "../money.ts";

const dataOf = (books: Books, created: readonly string[] = [], api = books.admin) =>
  createAccountData({
    api: async () => api,
    admin: async () => api,
    files: noDayFiles,
    createdKeys: () => created,
    now: books.clock.now,
    onChange: () => {},
    report: (error) => assert.fail(String(error)),
  });

/** Two keys, of which the first spent a cent. */
async function withKeys(books: Books) {
  const made = await Promise.all(
    ["ci", "docs"].map(async (description) =>
      books.admin.keys.create({ apiKeyType: "INFERENCE", description }).then(({ data }) => data),
    ),
  );
  const [ci] = made;
  books.billing.charge({
    keyId: ci?.id ?? "",
    product: { model: "augment-search", modelType: null, unitType: "tokens" },
    lines: [{ sku: "augment-search-request", pricePerUnitUsd: 0.01, units: 1 }],
    inferenceDetails: null,
  });
  return made.map(({ id, apiKey }) => ({ id, end: apiKey.slice(-6) }));
}

for (const dialect of ["standard", "venice"] as const) {
  test(`${dialect}: keys are named by their ends, with what the service counts for each`, async (t) => {
    const books = await openBooks(t, dialect, { balances: { usd: 10, diemPerDay: 0 } });
    const [ci, docs] = await withKeys(books);
    const data = dataOf(books, [ci?.id ?? "", docs?.id ?? ""]);
    const facts = await readKeyFacts(data, true);
    assert.equal(facts.names.get(ci?.end ?? ""), "ci");
    assert.equal(facts.names.get(docs?.end ?? ""), "docs");
    assert.equal(facts.endings.get(ci?.id ?? ""), ci?.end);
    assert.deepEqual(facts.monthSpend?.get(ci?.end ?? ""), usd("0.01"));
    const sent = books.requests.length;
    await readKeyFacts(data, true);
    assert.equal(books.requests.length, sent, "what is known is not requested again");
  });
}

test("two keys with the same end are not told apart, so neither is named", async (t) => {
  const books = await openBooks(t, "venice");
  await withKeys(books);
  const edit = (reply: unknown) => {
    const { data } = reply as { readonly data: readonly object[] };
    return { data: data.map((key) => ({ ...key, last6Chars: "abc123" })) };
  };
  books.setFaults([{ match: { path: "/api_keys" }, kind: "edit", edit }]);
  const facts = await readKeyFacts(dataOf(books), false);
  assert.deepEqual([...facts.names, ...facts.endings], []);
  assert.equal(facts.monthSpend, undefined);
});

test("without the right to list keys nothing is known of them, and it is asked once", async (t) => {
  const books = await openBooks(t, "venice");
  const data = dataOf(books, [], books.inference);
  assert.deepEqual(await readKeyFacts(data, true), noKeyFacts);
  const sent = books.requests.length;
  assert.deepEqual(await readKeyFacts(data, true), noKeyFacts);
  assert.equal(books.requests.length, sent);
});
