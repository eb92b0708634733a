// 1,000,000 usage records as CSV from the sandbox into a file: against the same pages piped raw.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atLeast, atMost, type Benchmark, paired } from "../figure.ts";
import { countLines } from "./countLines.ts";

const count = 1_000_000;
const rounds = 3;

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
    const server = fork(join(import.meta.dirname, "../sandboxServer.ts"), [options]);
    try {
      const [{ baseUrl, apiKey }] = await once(server, "message");
      const save = (how: string) => run(how, [baseUrl, apiKey, join(folder, `${how}.csv`)]);
      // The sandbox generates the records when they are first read.
      await save("raw");
      const ours: Saved[] = [];
      const raw: Saved[] = [];
      // A new process for each run, because its peak memory counts. Within a million rows its code is compiled early.
      for (let round = 0; round < rounds; round++) {
        ours.push(await save("ours"));
        raw.push(await save("raw"));
      }
      const lines = await countLines(join(folder, "ours.csv"));
      if (lines !== count + 1)
        throw new Error(`the file has ${lines} lines, not a header and ${count} records`);
      const perSecond = (saved: readonly Saved[]) => saved.map(({ ms }) => (count / ms) * 1000);
      return {
        "usage-csv.rss": atMost(Math.max(...ours.map(({ grown }) => grown)), "MB", 64),
        "usage-csv.rate": atLeast(paired(perSecond(ours), perSecond(raw)), "rows/s", 0.5, "piping raw"),
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
