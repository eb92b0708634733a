// Routes that the service calls beta or experimental are called so where they are used.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Endpoint } from "../../../src/api/endpoint.ts";
import { table } from "../../../src/api/table.ts";
import { shown } from "../vscodeDouble.ts";

const { askQuery } = await import("../../../src/web/search/askQuery.ts");
const { askUrls } = await import("../../../src/web/scrape/pageBatch.ts");

test("the rows say what the service calls them (spec E1, E2, E4, E9)", () => {
  const stated = Object.entries(table).flatMap(([resource, rows]) =>
    Object.entries(rows as Readonly<Record<string, Endpoint>>).flatMap(([name, { status }]) =>
      status === undefined ? [] : [`${resource}.${name} ${status}`],
    ),
  );
  assert.deepEqual(stated.toSorted(), [
    "augment.parse experimental",
    "augment.parseText experimental",
    "augment.scrape experimental",
    "augment.search experimental",
    "billing.analytics beta",
  ]);
});

test("the question of a search is titled so", () => {
  const provider = { name: "A", privacy: "stores nothing" };
  void askQuery({
    value: "",
    earlier: [],
    provider,
    limit: 10,
    usd: 0.01,
    isPlayMoney: false,
    nowMs: 0,
    answerPrice: Promise.resolve(""),
  });
  assert.ok(shown.includes("Search the Web (experimental at the service)"));
});

test("the question for pages is titled so", async () => {
  void askUrls(false);
  while (!shown.includes("Scrape Web Pages (experimental at the service)"))
    await new Promise((resolve) => setImmediate(resolve));
});
