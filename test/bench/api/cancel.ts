// From the caller's abort() to the moment the service sees its socket closed, while an answer streams.
import type { ServerResponse } from "node:http";
import { beginEvents, chunk, frame } from "../../loopback/answers.ts";
import { listen } from "../../loopback/server.ts";
import { atMost, type Benchmark, type Figure, quantile } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import { monotonicMs } from "../monotonicMs.ts";

const warmUps = 5;
const trials = 100;
const names = ["floor", "host", "undici"] as const;

export const benchmark: Benchmark = {
  name: "cancel",
  async run() {
    const server = await listen((_, response) => streamUntilClosed(response));
    // `closed` is in the time of performance.now().
    const offsetMs = monotonicMs() - performance.now();
    const contestants = await startContestants({
      module: "api/cancelContestants.ts",
      names,
      given: server.origin,
    });
    const times: Record<(typeof names)[number], number[]> = { floor: [], host: [], undici: [] };
    try {
      for (let trial = 0; trial < warmUps + trials; trial++) {
        for (const name of names) {
          const { result: cancelledMs } = await contestants.run(name);
          const closedMs = (await server.received.at(-1)?.closed) ?? Number.POSITIVE_INFINITY;
          if (trial >= warmUps) times[name].push(closedMs + offsetMs - Number(cancelledMs));
        }
      }
    } finally {
      contestants.close();
      await server.close();
    }
    const floor = quantile(times.floor, 0.95);
    const figures: Record<string, Figure> = {};
    for (const name of ["host", "undici"] as const)
      figures[`cancel.${name}`] = atMost(quantile(times[name], 0.95), "ms", 50, floor);
    return figures;
  },
};

/** Sends an event every millisecond. */
function streamUntilClosed(response: ServerResponse): void {
  beginEvents(response, chunk("first "));
  const timer = setInterval(() => response.write(frame(chunk("more "))), 1);
  response.once("close", () => clearInterval(timer));
}
