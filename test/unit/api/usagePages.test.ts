import assert from "node:assert/strict";
import { test } from "node:test";
import { usagePages } from "../../../src/api/usagePages.ts";
import { sendJson } from "../../loopback/answers.ts";
import { clientOf, failureOf, question, serve } from "./client.ts";

const range = { start: "2026-11-01T00:00:00Z", end: "2026-11-02T00:00:00Z" };
const record = {
  ...{ timestamp: "2026-11-01T01:00:00Z", sku: "s", pricePerUnitUsd: 1, units: 1, amount: -1 },
  ...{ currency: "USD", notes: "", inferenceDetails: null },
};
const pagination = { limit: 500, page: 1, total: 1, totalPages: 1_000_000 };

test("a retired route is requested once: its refusals would use up the failure budget", async (t) => {
  const service = await serve(t, ({ url }, response) => {
    const isRetired = url.includes("/billing/usage?");
    sendJson(response, isRetired ? 410 : 200, isRetired ? {} : { data: [record], nextCursor: null });
  });
  const { api } = clientOf(t, service.origin);
  for (let reading = 0; reading < 40; reading++) {
    const pages: unknown[] = [];
    for await (const { records } of usagePages(api, range)) pages.push(...records);
    assert.equal(pages.length, 1);
  }
  const asked = service.received.map(({ url }) => new URL(url, service.origin).pathname.split("/").at(-1));
  assert.deepEqual([asked.filter((path) => path === "usage").length, asked.length], [1, 41]);
  // Its CSV is the same route.
  const csv = await failureOf(api.billing.usageCsv({}));
  assert.deepEqual([csv.kind, service.received.length], ["gone", 41]);
});

test("a 410 of a call with a model is about the model, not the route", async (t) => {
  const service = await serve(t, (_, response) => sendJson(response, 410, { error: "retired" }));
  const { api } = clientOf(t, service.origin);
  for (const asked of [1, 2]) {
    assert.equal((await failureOf(api.chat.complete(question))).kind, "gone");
    assert.equal(service.received.length, asked);
  }
});

const bills: Readonly<Record<string, (url: string) => readonly [status: number, body: object]>> = {
  "endless empty pages": () => [200, { data: [], pagination }],
  "a cursor that repeats": (url) =>
    url.includes("/billing/usage?") ? [410, {}] : [200, { data: [record], nextCursor: "again" }],
};
for (const [name, bill] of Object.entries(bills)) {
  test(`pagination of a bill ends: ${name}`, async (t) => {
    const service = await serve(t, ({ url }, response) => sendJson(response, ...bill(url)));
    const { api } = clientOf(t, service.origin);
    const read = async () => {
      for await (const { records } of usagePages(api, range)) assert.ok(records.length <= 1);
    };
    await assert.rejects(read(), /the pages of the bill have no end/);
    assert.ok(service.received.length <= 4);
  });
}
