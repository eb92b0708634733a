// The URL of a request: root, path and query, and invalid addresses.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as z from "zod";
import { apiRoot, createApi } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import { endpoint } from "../../../../src/api/endpoint.ts";
import { free } from "../../../../src/api/money/price.ts";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import { sendJson } from "../../../loopback/answers.ts";
import { canary, clientOf, failureOf, serve, transports } from "../client.ts";

test("the root is /api/v1 below the entered address", () => {
  for (const [entered, root] of [
    ["https://a.example", "https://a.example/api/v1"],
    ["https://a.example/", "https://a.example/api/v1"],
    ["https://a.example/api/v1", "https://a.example/api/v1"],
    ["https://a.example/api/v1//", "https://a.example/api/v1"],
    [" https://a.example/sub/ ", "https://a.example/sub/api/v1"],
    ["http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1"],
  ] as const) {
    assert.equal(apiRoot(entered), root);
  }
});

test("encodes query members and omits undefined ones", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, { data: [] }));
  const { api } = clientOf(t, `${server.origin}/below/`);
  await api.models.list({ type: "a b&c=d/é" });
  await api.models.list({ type: undefined });
  assert.equal(new URL(`http://x${server.received[0]?.url}`).searchParams.get("type"), "a b&c=d/é");
  assert.equal(server.received[1]?.url, "/below/api/v1/models");
  assert.equal(server.received[0]?.headers.accept, "application/json");
});

test("a path member stays inside its segment", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, {}));
  const transport = createHostTransport();
  const row = endpoint({
    method: "GET",
    path: "/things/{id}",
    auth: "inference",
    encode: "query",
    decode: "json",
    resend: "reading",
    price: free,
    input: z.strictObject({ id: z.string(), page: z.number() }),
    output: z.looseObject({}),
  });
  const { api: options } = { api: { baseUrl: apiRoot(server.origin), dialect: dialects.standard } };
  const timeouts = { headersMs: 30_000, idleMs: 30_000 };
  const api = createApi({ things: { get: row } }, transport, {
    ...options,
    timeouts,
    apiKey: async () => undefined,
  });
  await api.things.get({ id: "a/../b?c#d", page: 2 });
  assert.equal(server.received[0]?.url, "/api/v1/things/a%2F..%2Fb%3Fc%23d?page=2");
  for (const id of [".", "..", ""]) {
    const error = await failureOf(api.things.get({ id, page: 1 }));
    assert.equal(error.kind, "invalid-request", id);
    assert.equal(error.details.issues?.[0]?.field, "id");
  }
  assert.equal(server.received.length, 1);
});

for (const { name, create } of transports) {
  for (const baseUrl of ["", "no address", "//host", "http://", "https://[::1", "http://host:99999"]) {
    test(`${name}: ${JSON.stringify(baseUrl)} is no URL, and is not retried`, async (t) => {
      const { api, events } = clientOf(t, baseUrl, { transport: create() });
      const error = await failureOf(api.account.rateLimits({}));
      assert.equal(error.kind, "invalid-request");
      assert.equal(error.message, "the base URL must begin with http:// or https://");
      assert.equal(events.length, 1);
    });
  }

  test(`${name}: a user name in the base URL is refused and not repeated`, async (t) => {
    const { api } = clientOf(t, `http://user:${canary}@127.0.0.1:9`, { transport: create() });
    const error = await failureOf(api.models.list({}));
    assert.equal(error.kind, "invalid-request");
    assert.equal(JSON.stringify([error.message, error.stack, error.details]).includes(canary), false);
  });

  test(`${name}: refuses a URL of another protocol`, async (t) => {
    const { api } = clientOf(t, "ftp://127.0.0.1:9", { transport: create() });
    const error = await failureOf(api.models.list({}));
    assert.equal(error.message, "the base URL must begin with http:// or https://");
  });
}
