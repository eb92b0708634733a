// A full page of usage records, parsed and validated as the client does it: against JSON.parse alone.
import { atMostTimes, type Benchmark, paired } from "../figure.ts";
import { interleave, type Sample } from "../interleave.ts";
import type { UsagePages } from "./usagePageContestants.ts";

const rows = 500;
const repeats = 40;

export const benchmark: Benchmark = {
  name: "usage-page",
  async run() {
    const given: UsagePages = { rows, repeats };
    const { parse, ours } = await interleave({
      module: "account/usagePageContestants.ts",
      names: ["parse", "ours"],
      given,
      rounds: 15,
      expected: rows * repeats,
    });
    const each = (samples: readonly Sample[]) => samples.map(({ ms }) => (ms / repeats) * 1000);
    return {
      "usage-page": atMostTimes(paired(each(ours), each(parse)), "µs", 1.5, "JSON.parse alone"),
    };
  },
};
