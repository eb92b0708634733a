// 1,000,000 usage records as CSV from the sandbox into a file: against the same pages piped raw.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countLines } from "./countLines.ts";
import { atLeast, atMost, type Benchmark } from "./figure.ts";

const count = 1_000_000;

interface Saved {
  readonly ms: number;
  /** Megabytes that the saving process grew by at its peak. */
  readonly grown: number;
}

export const benchmark: Benchmark = {
  name: "usage-csv",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "usage-csv-"));
    const options = JSON.stringify({ history: { count } });
    const server = fork(join(import.meta.dirname, "sandboxServer.ts"), [options]);
    try {
      const [{ baseUrl, apiKey }] = await once(server, "message");
      const save = (how: string) => run(how, [baseUrl, apiKey, join(folder, `${how}.csv`)]);
      // The first reading makes up the past that all further ones read.
      await save("raw");
      const [first, raw, last] = [await save("ours"), await save("raw"), await save("ours")];
      const lines = await countLines(join(folder, "ours.csv"));
      if (lines !== count + 1)
        throw new Error(`the file has ${lines} lines, not a header and ${count} records`);
      const perSecond = ({ ms }: { readonly ms: number }) => (count / ms) * 1000;
      const ours = { ms: (first.ms + last.ms) / 2, grown: Math.max(first.grown, last.grown) };
      return {
        "usage-csv.rss": atMost(ours.grown, "MB", 64),
        "usage-csv.rate": atLeast(perSecond(ours), "rows/s", perSecond(raw), 0.5, "piping raw"),
      };
    } finally {
      server.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

async function run(how: string, rest: readonly string[]): Promise<Saved> {
  const saver = fork(join(import.meta.dirname, "csvSaver.ts"), [how, ...rest]);
  const failed = once(saver, "exit").then(([code]) => {
    throw new Error(`the saver ended with ${code}`);
  });
  const [saved] = await Promise.race([once(saver, "message"), failed]);
  return saved as Saved;
}
