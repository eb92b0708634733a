// Contestants of the benchmark `cancel`. Each starts a stream, cancels it at its first event, and returns the time then.
import { once } from "node:events";
import { request } from "node:http";
import { createApi, defaultTimeouts } from "../../../src/api/call/client.ts";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import { table } from "../../../src/api/table.ts";
import { createHostTransport } from "../../../src/api/transport/host.ts";
import type { Transport } from "../../../src/api/transport/transport.ts";
import { createUndiciTransport } from "../../../src/api/transport/undici.ts";
import type { Prepare } from "../interleave.ts";
import { monotonicMs } from "../monotonicMs.ts";

const question = { model: "long", messages: [{ role: "user" as const, content: "Go on." }] };

/** Node's own client: its socket is destroyed. */
export const floor: Prepare<string> = (origin) => async () => {
  const sent = request(origin, { method: "POST", agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  await once(response, "data");
  response.once("error", () => {});
  const cancelledMs = monotonicMs();
  response.destroy();
  return cancelledMs;
};

export const host: Prepare<string> = (origin) => cancelBy(createHostTransport(), origin);

export const undici: Prepare<string> = (origin) => cancelBy(createUndiciTransport(), origin);

function cancelBy(transport: Transport, origin: string) {
  const api = createApi(table, transport, {
    baseUrl: `${origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  return async () => {
    const controller = new AbortController();
    const stream = await api.chat.stream(question, { signal: controller.signal });
    let cancelledMs = 0;
    try {
      for await (const _ of stream.batches()) {
        cancelledMs = monotonicMs();
        controller.abort();
      }
    } catch {
      return cancelledMs;
    }
    throw new Error("the stream ended although it was cancelled");
  };
}
