// The agent's search in 100,000 files beside ripgrep itself, and what `@` in the prompt does for each letter.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, atMostTimes, type Benchmark, paired } from "../figure.ts";
import { msOf, startContestants } from "../interleave.ts";

const [folders, filesPerFolder] = [1_000, 100];
const rounds = 5;
const names = ["ours", "rg", "list", "rgFiles", "mentions"] as const;

export const benchmark: Benchmark = {
  name: "search",
  async run() {
    const root = mkdtempSync(join(tmpdir(), "search-"));
    try {
      writeFiles(root);
      const contestants = await startContestants({
        module: "search/workspaceSearchContestants.ts",
        names,
        given: root,
      });
      try {
        return await measure(contestants);
      } finally {
        contestants.close();
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  },
};

async function measure(contestants: Awaited<ReturnType<typeof startContestants<(typeof names)[number]>>>) {
  const samples = { ours: [], rg: [], list: [], rgFiles: [], mentions: [] } as Record<
    (typeof names)[number],
    Awaited<ReturnType<typeof contestants.run>>[]
  >;
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const sample = await contestants.run(name);
      if (round > 0) samples[name].push(sample);
    }
  const [found, wanted] = [samples.ours[0]?.result, samples.rg[0]?.result];
  if (found !== wanted) throw new Error(`${String(found)} lines instead of ${String(wanted)}`);
  const search = paired(msOf(samples.ours), msOf(samples.rg));
  const listed = paired(msOf(samples.list), msOf(samples.rgFiles));
  const grown = samples.mentions.map(({ result }) => result as readonly number[]);
  const [n = 0, twice = 0, four = 0] = [0, 1, 2].map((at) => Math.min(...grown.map((ms) => ms[at] ?? 0)));
  return {
    search: atMostTimes(search, "ms", 1.5, "ripgrep itself"),
    "search.ms": atMost(search.value, "ms", 1_000),
    "search.list": atMost(listed.value, "ms", 1_000, listed.peer, listed.ratio),
    "search.mention": atMost(four, "ms", 100),
    "search.mention-growth": atMost(Math.max(twice / n, four / twice), "times", 2.6),
  };
}

/** 100,000 files in 1,000 folders, a tenth of which are ignored; one in a thousand has the text. */
function writeFiles(root: string): void {
  writeFileSync(join(root, ".gitignore"), "/ignored/\n");
  const text = "export const value = 1;\n// a line of a small file\n".repeat(8);
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, folder % 11 === 10 ? "ignored" : "src", `part${folder % 40}`, `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesPerFolder; file++)
      writeFileSync(join(path, `file${file}.ts`), file === folder % 1000 ? `${text}  // Needle\n` : text);
  }
}
