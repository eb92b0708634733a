// Module load and activate() of our extension in a fresh extension host, beside those of an empty one in another.
import { join } from "node:path";
import { probe, runInHost } from "../vscode/hostRun.ts";
import { measuredExtension } from "./activation/measured.ts";
import { atMost, type Benchmark, median } from "./figure.ts";

const rounds = 9;
const empty = join(import.meta.dirname, "activation", "empty");

export const benchmark: Benchmark = {
  name: "activation",
  needsPackage: true,
  async run() {
    const oursMs: number[] = [];
    const emptyMs: number[] = [];
    for (let round = 0; round <= rounds; round++) {
      const [oneMs, otherMs] = [await sample("ours"), await sample("empty")];
      // The first round warms the caches of the disk.
      if (round === 0) continue;
      oursMs.push(oneMs);
      emptyMs.push(otherMs);
    }
    const differenceMs = median(oursMs.map((ms, round) => ms - (emptyMs[round] ?? Number.NaN)));
    return { activation: atMost(differenceMs, "ms", 10, median(emptyMs)) };
  },
};

/** Milliseconds in a fresh extension host. */
async function sample(extension: "ours" | "empty"): Promise<number> {
  const { failed, values } = await runInHost({
    name: "activation",
    files: ["test/bench/activation/inHost.ts"],
    extensions: [probe, empty],
    env: { [measuredExtension]: extension },
  });
  const [failure] = failed;
  if (failure) throw new Error(`${failure.title}: ${failure.stack}`);
  return values.get("activation") as number;
}
