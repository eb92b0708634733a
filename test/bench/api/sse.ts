// 200,000 chat chunks over loopback, parsed and validated: against the bare floor, and against the openai client.
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { atLeast, type Benchmark, paired } from "../figure.ts";
import { interleave, type Sample } from "../interleave.ts";
import type { Serving } from "./sseServer.ts";

export const benchmark: Benchmark = {
  name: "sse",
  async run() {
    const server = fork(join(import.meta.dirname, "sseServer.ts"), { serialization: "json" });
    try {
      const [serving] = (await once(server, "message")) as [Serving];
      const { floor, ours, openai } = await interleave({
        module: "api/sseContestants.ts",
        names: ["floor", "ours", "openai"],
        given: serving,
        rounds: 7,
        expected: serving.characters,
      });
      const perSecond = (samples: readonly Sample[]) => samples.map(({ ms }) => (serving.chunks / ms) * 1000);
      const value = perSecond(ours);
      return {
        "sse.floor": atLeast(paired(value, perSecond(floor)), "events/s", 0.6, "the bare floor"),
        "sse.openai": atLeast(paired(value, perSecond(openai)), "events/s", 3, "the openai client"),
      };
    } finally {
      server.kill();
    }
  },
};
