// Set-up of the client's tests: a server, a client for it, and a key that must never leak.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { apiRoot, type ClientEvent, type ClientOptions, createApi } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import type { ChatChunk } from "../../../src/api/endpoints/chat/chatReply.ts";
import { type ApiError, isApiError } from "../../../src/api/errors/errors.ts";
import type { EventStream } from "../../../src/api/stream/eventStream.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import { type Answer, type Loopback, type LoopbackOptions, listen } from "../../loopback/server.ts";

/** The key that all tests send; no error may contain it. */
export const canary = "key-canary-7f3a91d2c4e85b60";

export const transports: readonly { readonly name: string; readonly create: () => Transport }[] = [
  { name: "host transport", create: createHostTransport },
  { name: "undici transport", create: () => createUndiciTransport() },
];

/** A server that closes after the test. */
export async function serve(
  t: TestContext,
  answer: Answer,
  options: LoopbackOptions = {},
): Promise<Loopback> {
  const server = await listen(answer, options);
  t.after(() => server.close());
  return server;
}

export interface TestOptions extends Partial<ClientOptions> {
  readonly transport?: Transport;
}

/** A client of the real table with its events. Waits between tries are zero unless the service sets one. */
export function clientOf(t: TestContext, origin: string, options: TestOptions = {}) {
  const { transport = createHostTransport(), ...rest } = options;
  t.after(() => transport.close());
  const events: ClientEvent[] = [];
  const api = createApi(table, transport, {
    baseUrl: apiRoot(origin),
    apiKey: async () => canary,
    dialect: dialects.standard,
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
    random: () => 0,
    observe: (event) => events.push(event),
    ...rest,
  });
  return { api, events };
}

/** The ApiError that a call rejects with. */
export async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  try {
    await call;
  } catch (error) {
    assert.ok(isApiError(error), `not an ApiError: ${error}`);
    return error;
  }
  assert.fail("the call did not fail");
}

/** The result of a stream: the text of its events, how it ended, and the error if it threw one. */
export async function drain(stream: EventStream<ChatChunk>) {
  const events = [];
  let error: unknown;
  try {
    for await (const event of stream) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  const text = events.map((event) => event.choices[0]?.delta.content ?? "").join("");
  return { events, text, end: stream.end, error };
}

/** The smallest chat request. */
export const question = { model: "echo", messages: [{ role: "user" as const, content: "hello" }] };
