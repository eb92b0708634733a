// 1,000,000 usage records from the sandbox into a CSV and a JSON file, as the export command writes them.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, type Benchmark, compared, paired } from "../figure.ts";
import { countLines } from "./countLines.ts";

const count = 1_000_000;
const rounds = 3;

interface Saved {
  readonly ms: number;
  readonly records: number;
  /** Megabytes that the saving process grew by at its peak. */
  readonly grown: number;
}

export const benchmark: Benchmark = {
  name: "export",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "export-"));
    const server = fork(join(import.meta.dirname, "../sandboxServer.ts"), [
      JSON.stringify({ history: { count } }),
    ]);
    try {
      const [{ baseUrl, apiKey }] = await once(server, "message");
      const save = (format: string) => run([format, baseUrl, apiKey, join(folder, `usage.${format}`)]);
      // The sandbox generates the records when they are first read.
      await save("json");
      const csv: Saved[] = [];
      const json: Saved[] = [];
      for (let round = 0; round < rounds; round++) {
        csv.push(await save("csv"));
        json.push(await save("json"));
      }
      const saved = [...csv, ...json];
      for (const { records } of saved) {
        if (records !== count) throw new Error(`${records} records came, not ${count}`);
      }
      const lines = await countLines(join(folder, "usage.csv"));
      if (lines !== count + 1)
        throw new Error(`the file has ${lines} lines, not a header and ${count} records`);
      const perSecond = (runs: readonly Saved[]) => runs.map(({ ms }) => (count / ms) * 1000);
      return {
        "export.rss": atMost(Math.max(...saved.map(({ grown }) => grown)), "MB", 64),
        "export.rate": compared(paired(perSecond(csv), perSecond(json)), "rows/s", "JSON"),
      };
    } finally {
      server.kill();
      rmSync(folder, { recursive: true });
    }
  },
};

async function run(rest: readonly string[]): Promise<Saved> {
  const saver = fork(join(import.meta.dirname, "exportSaver.ts"), rest, { execArgv: ["--expose-gc"] });
  const failed = once(saver, "exit").then(([code]) => {
    throw new Error(`the saver ended with ${code}`);
  });
  const [saved] = await Promise.race([once(saver, "message"), failed]);
  return saved as Saved;
}
