// Each class of calls with each failure, counted at the service.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createApi } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import type { Resend } from "../../../../src/api/endpoint.ts";
import { account } from "../../../../src/api/endpoints/account/account.ts";
import { augment } from "../../../../src/api/endpoints/augment.ts";
import { chat } from "../../../../src/api/endpoints/chat/chat.ts";
import { rpc } from "../../../../src/api/endpoints/rpc.ts";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import type { Transport } from "../../../../src/api/transport/transport.ts";
import { sendJson } from "../../../loopback/answers.ts";
import type { Answer } from "../../../loopback/server.ts";
import { failureOf, question, serve, clientOf as tableClientOf } from "../client.ts";

/** Only an answer that never comes needs a short timeout. */
function clientOf(origin: string, headersMs = 30_000) {
  const calls = { account, augment, chat, rpc };
  const api = createApi(calls, createHostTransport(), {
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: { headersMs, idleMs: 30_000 },
    random: () => 0,
  });
  const body = { jsonrpc: "2.0" as const, method: "eth_blockNumber", params: [], id: 1 };
  const byClass: Readonly<Record<Resend, () => Promise<unknown>>> = {
    reading: () => api.account.rateLimits({}),
    unanswered: () => api.chat.complete(question),
    keyed: () => api.rpc.call({ network: "ethereum-mainnet", body }),
    billed: () => api.augment.search({ query: "anything" }),
  };
  return byClass;
}

const status =
  (code: number): Answer =>
  (_, response) =>
    sendJson(response, code, { error: "no" });

/** Requests that reach the service, by class: three if it is resent, one if it may have been billed. */
const failures: Readonly<
  Record<string, { answer: Answer; sent: Readonly<Record<Resend, number>>; headersMs?: number }>
> = {
  "429": { answer: status(429), sent: { reading: 3, unanswered: 3, keyed: 3, billed: 3 } },
  "503": { answer: status(503), sent: { reading: 3, unanswered: 3, keyed: 3, billed: 3 } },
  "500": { answer: status(500), sent: { reading: 3, unanswered: 3, keyed: 3, billed: 1 } },
  "502": { answer: status(502), sent: { reading: 3, unanswered: 1, keyed: 3, billed: 1 } },
  "504": { answer: status(504), sent: { reading: 3, unanswered: 1, keyed: 3, billed: 1 } },
  "a reset connection": {
    answer: (_, response) => response.socket?.resetAndDestroy(),
    sent: { reading: 3, unanswered: 1, keyed: 3, billed: 1 },
  },
  "a timeout": {
    answer: () => {},
    headersMs: 1_500,
    sent: { reading: 3, unanswered: 1, keyed: 3, billed: 1 },
  },
  "an answer that is cut off": {
    answer: (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": 99 });
      response.write("{", () => response.socket?.destroy());
    },
    sent: { reading: 3, unanswered: 1, keyed: 3, billed: 1 },
  },
  "a malformed answer": {
    answer: (_, response) => sendJson(response, 200, "no"),
    sent: { reading: 1, unanswered: 1, keyed: 1, billed: 1 },
  },
};

for (const [failure, { answer, sent, headersMs }] of Object.entries(failures)) {
  for (const resend of Object.keys(sent) as Resend[]) {
    test(`${failure}: a call of class ${resend} is sent ${sent[resend]} times`, async (t) => {
      const server = await serve(t, answer);
      await failureOf(clientOf(server.origin, headersMs)[resend]());
      assert.equal(server.received.length, sent[resend]);
      assert.equal(new Set(server.received.map(({ body }) => body)).size, 1, "the same bytes each time");
    });
  }
}

test("an answer that has begun did arrive, whatever error ends it", async (t) => {
  const server = await serve(t, (_, response) => sendJson(response, 200, { id: "1" }));
  const host = createHostTransport();
  const broken: Transport = {
    ...host,
    async send(request) {
      const response = await host.send(request);
      return { ...response, body: endsWith(response.body, "EHOSTUNREACH") };
    },
  };
  const { api } = tableClientOf(t, server.origin, { transport: broken });
  const error = await failureOf(api.chat.complete(question));
  assert.deepEqual([error.details.code, error.details.mayHaveArrived], ["EHOSTUNREACH", true]);
  assert.equal(server.received.length, 1);
});

/** The body, and then the network error of a lost connection. */
async function* endsWith(body: AsyncIterable<Uint8Array>, code: string): AsyncGenerator<Uint8Array> {
  yield* body;
  throw Object.assign(new Error(`read ${code}`), { code });
}

test("all tries of a keyed call use one idempotency key, and each call has its own", async (t) => {
  const server = await serve(t, status(503));
  const calls = clientOf(server.origin);
  await failureOf(calls.keyed());
  await failureOf(calls.keyed());
  const keys = server.received.map(({ headers }) => headers["idempotency-key"]);
  assert.equal(keys.length, 6);
  assert.equal(new Set(keys.slice(0, 3)).size, 1);
  assert.equal(new Set(keys).size, 2);
  assert.match(String(keys[0]), /^[A-Za-z0-9_-]{1,255}$/);
});
