import assert from "node:assert/strict";
import { test } from "node:test";
import { usagePages } from "../../../src/api/usagePages.ts";
import { sendJson } from "../../loopback/answers.ts";
import { clientOf, serve } from "./client.ts";

const range = { start: "2026-11-01T00:00:00Z", end: "2026-11-02T00:00:00Z" };
const record = {
  ...{ timestamp: "2026-11-01T01:00:00Z", sku: "s", pricePerUnitUsd: 1, units: 1, amount: -1 },
  ...{ currency: "USD", notes: "", inferenceDetails: null },
};
const pagination = { limit: 500, page: 1, total: 1, totalPages: 1_000_000 };

const bills: Readonly<Record<string, (url: string) => readonly [status: number, body: object]>> = {
  "empty pages without end": () => [200, { data: [], pagination }],
  "a cursor that leads to itself": (url) =>
    url.includes("/billing/usage?") ? [410, {}] : [200, { data: [record], nextCursor: "again" }],
};
for (const [name, bill] of Object.entries(bills)) {
  test(`a bill is not followed for ever: ${name}`, async (t) => {
    const service = await serve(t, ({ url }, response) => sendJson(response, ...bill(url)));
    const { api } = clientOf(t, service.origin);
    const read = async () => {
      for await (const { records } of usagePages(api, range)) assert.ok(records.length <= 1);
    };
    await assert.rejects(read(), /the pages of the bill have no end/);
    assert.ok(service.received.length <= 4);
  });
}
