// The language-model provider: from the moment the service writes a part to its socket to the moment the editor gets it,
// and the growth of the process over an answer of 100,000 parts. The editor itself then collects parts for up to 30 ms.
import type { ServerResponse } from "node:http";
import { beginEvents, chunk, frame } from "../../loopback/answers.ts";
import { listen } from "../../loopback/server.ts";
import { atMost, type Benchmark, median } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import { monotonicMs } from "../monotonicMs.ts";

const warmUps = 3;
const rounds = 11;
const paced = 200;
const many = 100_000;

export const benchmark: Benchmark = {
  name: "lm-overhead",
  async run() {
    const server = await listen(({ body }, response) =>
      body.includes("many") ? sendMany(response) : sendPaced(response),
    );
    const contestants = await startContestants({
      module: "languageModels/lmOverheadContestants.ts",
      names: ["provider", "bare"],
      given: server.origin,
    });
    const ms: Record<"provider" | "bare", number[]> = { provider: [], bare: [] };
    const grown: Record<"provider" | "bare", number[]> = { provider: [], bare: [] };
    try {
      for (let round = 0; round < warmUps + rounds; round++)
        for (const name of ["provider", "bare"] as const) {
          const { result } = await contestants.run(name, "paced");
          if (round >= warmUps) ms[name].push(...(result as { latencies: number[] }).latencies);
        }
      for (let round = 0; round < warmUps; round++)
        for (const name of ["provider", "bare"] as const) {
          const { result } = await contestants.run(name, "many");
          const { parts, megabytes } = result as { parts: number; megabytes: number };
          if (parts !== many) throw new Error(`${name} got ${parts} of ${many} parts`);
          // The first one includes the heap's own growth.
          if (round > 0) grown[name].push(megabytes);
        }
    } finally {
      contestants.close();
      await server.close();
    }
    return {
      "lm-overhead.part": atMost(median(ms.provider), "ms", 10, median(ms.bare)),
      "lm-overhead.memory": atMost(Math.max(...grown.provider), "MB", 32, Math.max(...grown.bare)),
    };
  },
};

/** One part every 2 ms; its text is the time at which it was written. */
function sendPaced(response: ServerResponse): void {
  beginEvents(response);
  let sent = 0;
  const timer = setInterval(() => {
    if (sent === paced) {
      clearInterval(timer);
      response.end(frame("[DONE]"));
      return;
    }
    sent += 1;
    response.write(frame(chunk(`${monotonicMs()} `)));
  }, 2);
}

function sendMany(response: ServerResponse): void {
  beginEvents(response);
  const event = frame(chunk("word "));
  let left = many;
  const send = () => {
    while (left > 0) {
      left -= 1;
      if (!response.write(event)) return void response.once("drain", send);
    }
    response.end(frame("[DONE]"));
  };
  send();
}
