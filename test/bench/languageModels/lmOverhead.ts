// The language-model provider: from the moment the service writes a part to its socket to the moment the editor gets it,
// and the growth of the process over an answer of 100,000 parts. The editor itself then collects parts for up to 30 ms.
import { atMost, type Benchmark, median } from "../figure.ts";
import { pacedRounds } from "../pacedRounds.ts";

export const benchmark: Benchmark = {
  name: "lm-overhead",
  async run() {
    const module = "languageModels/lmOverheadContestants.ts";
    const { ms, grown } = await pacedRounds(module, ["provider", "bare"]);
    return {
      "lm-overhead.part": atMost(median(ms.provider), "ms", 10, median(ms.bare)),
      "lm-overhead.memory": atMost(Math.max(...grown.provider), "MB", 32, Math.max(...grown.bare)),
    };
  },
};
