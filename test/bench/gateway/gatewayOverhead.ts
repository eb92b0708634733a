// The gateway for other agents: from the moment the service writes a part to the moment the agent gets it, and the growth of
// the process over an answer of 100,000 parts.
import { atMost, type Benchmark, median } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import { manyParts, startPacedServer } from "../pacedServer.ts";

const warmUps = 3;
const rounds = 11;
const names = ["gateway", "bare"] as const;

export const benchmark: Benchmark = {
  name: "gateway-overhead",
  async run() {
    const server = await startPacedServer();
    const contestants = await startContestants({
      module: "gateway/gatewayOverheadContestants.ts",
      names,
      given: server.origin,
    });
    const ms: Record<(typeof names)[number], number[]> = { gateway: [], bare: [] };
    const grown: Record<(typeof names)[number], number[]> = { gateway: [], bare: [] };
    try {
      for (let round = 0; round < warmUps + rounds; round++)
        for (const name of names) {
          const { result } = await contestants.run(name, "paced");
          if (round >= warmUps) ms[name].push(...(result as { latencies: number[] }).latencies);
        }
      for (let round = 0; round < warmUps; round++)
        for (const name of names) {
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
    const [through, without] = [median(ms.gateway), median(ms.bare)];
    // The client is in the process of the gateway, too.
    const [both, client] = [Math.max(...grown.gateway), Math.max(...grown.bare)];
    return {
      "gateway-overhead.part": atMost(through - without, "ms", 2, without),
      "gateway-overhead.memory": atMost(both - client, "MB", 32, client),
    };
  },
};
