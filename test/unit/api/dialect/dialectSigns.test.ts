// What shows the dialect of a service, and what does not.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { dialectShown, dialectWanted, type Shown } from "../../../../src/api/dialect/dialectSigns.ts";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { usageCsv } from "../../../../src/api/usageCsv.ts";
import { usagePages } from "../../../../src/api/usagePages.ts";
import { beginEvents, chunk, completion, sendJson } from "../../../loopback/answers.ts";
import { clientOf, drain, question, serve, transports } from "../client.ts";

const shownBy = (shown: Partial<Shown>) =>
  dialectShown({ route: "GET /x", headers: new Headers(), value: {}, error: undefined, ...shown })?.id;
const headers = (values: Record<string, string>) => ({ headers: new Headers(values) });

test("headers show it by their names, or by resets in milliseconds", () => {
  assert.equal(shownBy(headers({ "x-venice-balance-usd": "1" })), "venice");
  assert.equal(shownBy(headers({ "X-Service-RPC-Credits": "20" })), "standard");
  for (const what of ["requests", "tokens"])
    assert.equal(shownBy(headers({ [`x-ratelimit-reset-${what}`]: "1790000000000" })), "venice");
});

test("the resets of other services show nothing", () => {
  for (const reset of ["1790000000", "60", "1m30s", "250ms", "", "soon", "17900000000000000"])
    assert.equal(shownBy(headers({ "x-ratelimit-reset-requests": reset })), undefined, reset);
  assert.equal(shownBy(headers({ "x-ratelimit-reset": "1790000000000" })), undefined);
});

test("replies show it by what only venice has in them", () => {
  const models = (...owners: readonly (string | undefined)[]) =>
    shownBy({
      route: "GET /models",
      value: { data: owners.map((owned_by, index) => ({ id: `m${index}`, owned_by })) },
    });
  assert.equal(models("venice.ai", "venice.ai"), "venice");
  for (const owners of [[], ["openai"], ["venice.ai", "openai"], [undefined]])
    assert.equal(models(...owners), undefined, String(owners));
  const listed = (...networks: readonly string[]) =>
    shownBy({ route: "GET /crypto/rpc/networks", value: { networks } });
  assert.equal(listed("ethereum-mainnet", "solana-mainnet"), "venice");
  assert.equal(listed("ethereum-mainnet", "some-new-chain"), undefined);
  assert.equal(shownBy({ route: "GET /billing/balance" }), "venice");
  assert.equal(shownBy({ route: "GET /billing/balance", value: undefined }), undefined);
});

test("a retired route shows it only with the successor that venice has", () => {
  const gone = (successor?: string) =>
    shownBy({
      route: "GET /billing/usage",
      value: undefined,
      error: new ApiError("gone", "gone", { status: 410, ...(successor ? { successor } : {}) }),
    });
  assert.equal(gone("https://api.example/api/v1/billing/usage-history"), "venice");
  assert.equal(gone("/billing/other"), undefined);
  assert.equal(gone(), undefined);
});

test("a refusal without a list of issues names the member in its words", () => {
  const wanted = (message: string, status = 400) =>
    dialectWanted(dialects.standard, new ApiError("invalid-request", message, { status }))?.id;
  assert.equal(wanted("Unrecognized key(s) in object: 'service_parameters'"), "venice");
  assert.equal(wanted("search_provider must be one of brave, google"), "venice");
  assert.equal(wanted("query must be a string"), undefined);
  assert.equal(wanted("Unrecognized key: service_parameters", 422), undefined);
});

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const switches = { enable_web_search: "on" };
for (const { name, create } of transports) {
  for (const isStream of [false, true]) {
    test(`${name}: the name of the echoed switches teaches, in a ${isStream ? "stream" : "whole answer"}`, async (t) => {
      const server = await serve(t, (_, response) => {
        if (!isStream) return sendJson(response, 200, { ...completion("ok"), venice_parameters: switches });
        beginEvents(response, { ...chunk("ok"), venice_parameters: switches }, "[DONE]");
        response.end();
      });
      for (const learnsDialect of [true, false]) {
        const { api, events } = clientOf(t, server.origin, { transport: create(), learnsDialect });
        const ask = async () =>
          isStream ? await drain(await api.chat.stream(question)) : await api.chat.complete(question);
        await ask();
        await ask();
        const learnt = events.filter(({ type }) => type === "dialect");
        assert.equal(learnt.length, learnsDialect ? 1 : 0);
      }
      assert.equal(server.received.length, 4, "nothing is sent again to learn");
    });
  }

  test(`${name}: a service of that dialect that still has the retired route alone is read there`, async (t) => {
    const record = {
      ...{ timestamp: "2026-01-01T01:00:00Z", sku: "s", pricePerUnitUsd: 1, units: 1, amount: -1 },
      ...{ currency: "USD", notes: "", inferenceDetails: null },
    };
    const pagination = { limit: 500, page: 1, total: 1, totalPages: 1 };
    const server = await serve(t, ({ url, headers }, response) => {
      if (url.includes("usage-history")) return response.writeHead(404).end("{}");
      if (headers.accept === "text/csv")
        return response.writeHead(200, { "content-type": "text/csv" }).end("timestamp\nx\n");
      return sendJson(response, 200, { data: [record], pagination });
    });
    const { api } = clientOf(t, server.origin, { transport: create(), dialect: dialects.venice });
    const range = { start: "2026-01-01T00:00:00Z", end: "2026-01-02T00:00:00Z" };
    for (let times = 0; times < 2; times++) {
      const pages = await all(usagePages(api, range));
      assert.deepEqual(
        pages.map(({ records }) => records.length),
        [1],
      );
    }
    const pieces = await all(usageCsv(api, range));
    assert.equal(Buffer.concat(pieces.map(({ bytes }) => bytes)).toString(), "timestamp\nx\n");
    const asked = server.received.map(({ url }) => url.split("?")[0]?.split("/").at(-1));
    assert.deepEqual(asked, ["usage-history", "usage", "usage", "usage"]);
  });
}
