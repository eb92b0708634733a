// The language-model provider: from the moment the service writes a part to its socket to the moment the editor gets it,
// and the growth of the process over an answer of 100,000 parts. The editor itself then collects parts for up to 30 ms.
import { atMost, type Benchmark, median } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import { manyParts, startPacedServer } from "../pacedServer.ts";

const warmUps = 3;
const rounds = 11;

export const benchmark: Benchmark = {
  name: "lm-overhead",
  async run() {
    const server = await startPacedServer();
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
          if (parts !== manyParts) throw new Error(`${name} got ${parts} of ${manyParts} parts`);
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
