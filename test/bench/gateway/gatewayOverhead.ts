// The gateway for other agents: from the moment the service writes a part to the moment the agent gets it, and the growth of
// the process over an answer of 100,000 parts. `address`: with the process that has the port.
import { atMost, type Benchmark, median } from "../figure.ts";
import { pacedRounds } from "../pacedRounds.ts";

export const benchmark: Benchmark = {
  name: "gateway-overhead",
  async run() {
    const module = "gateway/gatewayOverheadContestants.ts";
    const { ms, grown } = await pacedRounds(module, ["gateway", "address", "bare"]);
    const without = median(ms.bare);
    // The client is in the process of the gateway, too.
    const client = Math.max(...grown.bare);
    return {
      "gateway-overhead.part": atMost(median(ms.gateway) - without, "ms", 2, without),
      "gateway-overhead.address": atMost(median(ms.address) - without, "ms", 2, without),
      "gateway-overhead.memory": atMost(Math.max(...grown.gateway) - client, "MB", 32, client),
    };
  },
};
