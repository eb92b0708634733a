// From the caller's abort() to the moment the service sees its socket closed, while an answer streams.
import { once } from "node:events";
import { request, type ServerResponse } from "node:http";
import { createApi, defaultTimeouts } from "../../src/api/client.ts";
import { dialects } from "../../src/api/dialect.ts";
import { table } from "../../src/api/table.ts";
import { createHostTransport } from "../../src/api/transport/host.ts";
import type { Transport } from "../../src/api/transport/transport.ts";
import { createUndiciTransport } from "../../src/api/transport/undici.ts";
import { beginEvents, chunk, frame } from "../loopback/answers.ts";
import { type Loopback, listen } from "../loopback/server.ts";
import { atMost, type Benchmark, type Figure, quantile } from "./figure.ts";

const trials = 100;
const question = { model: "long", messages: [{ role: "user" as const, content: "Go on." }] };

export const benchmark: Benchmark = {
  name: "cancel",
  async run() {
    const server = await listen((_, response) => streamUntilClosed(response));
    try {
      const floor = await measure(server, () => bareCancel(server));
      const figures: Record<string, Figure> = {};
      for (const transport of [createHostTransport(), createUndiciTransport()]) {
        const ms = await measure(server, () => ourCancel(server, transport));
        figures[`cancel.${transport.name}`] = atMost(ms, "ms", 50, floor);
        await transport.close();
      }
      return figures;
    } finally {
      await server.close();
    }
  },
};

/** Sends an event every millisecond. */
function streamUntilClosed(response: ServerResponse): void {
  beginEvents(response, chunk("first "));
  const timer = setInterval(() => response.write(frame(chunk("more "))), 1);
  response.once("close", () => clearInterval(timer));
}

/** The 95th percentile in milliseconds; `cancel` resolves to the time at which it cancelled. */
async function measure(server: Loopback, cancel: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let trial = 0; trial < trials; trial++) {
    const cancelledMs = await cancel();
    const closedMs = (await server.received.at(-1)?.closed) ?? Number.POSITIVE_INFINITY;
    times.push(closedMs - cancelledMs);
  }
  return quantile(times, 0.95);
}

async function ourCancel(server: Loopback, transport: Transport): Promise<number> {
  const api = createApi(table, transport, {
    baseUrl: `${server.origin}/api/v1`,
    apiKey: async () => "key",
    dialect: dialects.standard,
    timeouts: defaultTimeouts,
  });
  const controller = new AbortController();
  const stream = await api.chat.stream(question, { signal: controller.signal });
  let cancelledMs = 0;
  try {
    for await (const _ of stream.batches()) {
      cancelledMs = performance.now();
      controller.abort();
    }
  } catch {
    return cancelledMs;
  }
  throw new Error("the stream ended although it was cancelled");
}

/** The floor: node's own client, its socket destroyed. */
async function bareCancel(server: Loopback): Promise<number> {
  const sent = request(server.origin, { method: "POST", agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  await once(response, "data");
  response.once("error", () => {});
  const cancelledMs = performance.now();
  response.destroy();
  return cancelledMs;
}
