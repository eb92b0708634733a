// The agent's search and list in 10,000 and 100,000 files beside ripgrep itself, and what `@` in the prompt does for each
// letter.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { atMost, atMostTimes, type Benchmark, compared, type Figure, paired, pairOf } from "../figure.ts";
import { type Contestants, msOf, type Sample, startContestants } from "../interleave.ts";

const filesPerFolder = 100;
const rounds = 7;
const names = ["search", "rg", "list", "rgFiles", "mentions"] as const;
type Name = (typeof names)[number];

export const benchmark: Benchmark = {
  name: "search",
  async run() {
    return { ...(await measured(10_000)), ...(await measured(100_000)) };
  },
};

async function measured(files: number): Promise<Readonly<Record<string, Figure>>> {
  const root = mkdtempSync(join(tmpdir(), "search-"));
  try {
    writeFiles(root, files / filesPerFolder);
    const field = { module: "search/workspaceSearchContestants.ts", names, given: root };
    const contestants = await startContestants(field);
    try {
      return figuresOf(await inTurns(contestants), `${files / 1_000}k`);
    } finally {
      contestants.close();
    }
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Each after the other: once to fill the caches, then as often as there are rounds. */
async function inTurns(contestants: Contestants<Name>): Promise<Readonly<Record<Name, readonly Sample[]>>> {
  const samples: Record<Name, Sample[]> = { search: [], rg: [], list: [], rgFiles: [], mentions: [] };
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const sample = await contestants.run(name);
      if (round > 0) samples[name].push(sample);
    }
  return samples;
}

function figuresOf(
  samples: Readonly<Record<Name, readonly Sample[]>>,
  size: string,
): Readonly<Record<string, Figure>> {
  const beside = (name: Name, peer: Name) => {
    const [found, wanted] = [samples[name][0]?.result, samples[peer][0]?.result];
    if (found !== wanted) throw new Error(`${name}: ${String(found)} instead of ${String(wanted)}`);
    return paired(msOf(samples[name]), msOf(samples[peer]));
  };
  const [search, list] = [beside("search", "rg"), beside("list", "rgFiles")];
  const grown = samples.mentions.map(({ result }) => result as readonly number[]);
  const [n = 0, twice = 0, four = 0] = [0, 1, 2].map((part) => Math.min(...grown.map((ms) => ms[part] ?? 0)));
  return {
    [`search.${size}`]: atMostTimes(search, "ms", 1.5, "ripgrep itself"),
    [`search.${size}.list`]: atMostTimes(list, "ms", 1.5, "ripgrep itself"),
    // Other work on the machine changes a time, so what is to be less than a second is only told.
    [`search.${size}.second`]: compared(pairOf(Math.max(search.value, list.value), 1_000), "ms", "a second"),
    [`search.${size}.mention`]: atMost(four, "ms", 100),
    [`search.${size}.mention-growth`]: atMost(Math.max(twice / n, four / twice), "times", 2.6),
  };
}

/** Files of a hundred a folder, of which a tenth are ignored; in each folder, one has the text. */
function writeFiles(root: string, folders: number): void {
  writeFileSync(join(root, ".gitignore"), "/ignored/\n");
  const text = "export const value = 1;\n// a line of a small file\n".repeat(8);
  for (let folder = 0; folder < folders; folder++) {
    const path = join(root, folder % 11 === 10 ? "ignored" : "src", `part${folder % 40}`, `folder${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < filesPerFolder; file++)
      writeFileSync(
        join(path, `file${file}.ts`),
        file === folder % filesPerFolder ? `${text}  // Needle\n` : text,
      );
  }
}
