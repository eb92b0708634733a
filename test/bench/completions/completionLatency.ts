// Inline completions: the time between the end of the delay after a key and the request on the wire, beside a bare fetch
// of the same bytes.

import { atMost, type Benchmark, paired, quantile } from "../figure.ts";
import { startContestants } from "../interleave.ts";
import type { CompletionPlaces } from "./completionContestants.ts";

const rounds = 9;
const given: CompletionPlaces = { count: 40 };

export const benchmark: Benchmark = {
  name: "completion-latency",
  async run() {
    const names = ["raw", "ours"] as const;
    const contestants = await startContestants({
      module: "completions/completionContestants.ts",
      names,
      given,
    });
    const p95s: Record<(typeof names)[number], number[]> = { raw: [], ours: [] };
    try {
      for (let round = 0; round <= rounds; round++)
        for (const name of names) {
          const { result } = await contestants.run(name);
          // The first round is the warm-up.
          if (round > 0) p95s[name].push(quantile(result as number[], 0.95));
        }
    } finally {
      contestants.close();
    }
    const { value, peer, ratio } = paired(p95s.ours, p95s.raw);
    return { "completion-latency": atMost(value, "ms p95", 15, peer, ratio) };
  },
};
