// `npm run mutants`: turns one rule of the sandbox or the client at a time and asks the tests whether they notice.
// `-- --only billing` runs one area, or the mutants whose description holds the text; `-- --list` shows them all.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { root } from "../vscode/paths.ts";
import { failWith, KnownFailure, seconds } from "../vscode/progress.ts";
import { areas } from "./areas.ts";
import { type Mutant, mutated, type Selection } from "./mutant.ts";
import { createWorkspace, filesOf, type Workspace } from "./workspace.ts";

/** Of all mutants, so many must be caught. */
const wanted = 0.95;

interface Job {
  readonly area: string;
  readonly mutant: Mutant;
  readonly tests: readonly Selection[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: "string" }, list: { type: "boolean", default: false } },
  });
  const jobs = chosen(values.only);
  for (const { mutant } of jobs) mutated(root, mutant);
  if (values.list)
    for (const { area, mutant } of jobs) console.log(`${area}: ${mutant.does} (${mutant.file})`);
  else await judge(jobs);
}

function chosen(only: string | undefined): Job[] {
  const all = Object.entries(areas).flatMap(([area, { mutants, tests }]) =>
    mutants.map((mutant) => ({ area, mutant, tests })),
  );
  const isLike = ({ area, mutant }: Job) =>
    only === undefined || (only in areas ? area === only : mutant.does.includes(only));
  const jobs = all.filter(isLike);
  if (jobs.length === 0)
    throw new KnownFailure(`No mutant is like "${only}". Areas: ${Object.keys(areas).join(", ")}.`);
  return jobs;
}

async function judge(jobs: readonly Job[]): Promise<void> {
  const start = performance.now();
  const workspaces = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, createWorkspace);
  try {
    await checkOriginal(jobs, workspaces);
    console.log(`The original passes (${seconds(start)}); ${jobs.length} mutants follow.`);
    const survivors: string[] = [];
    await shared(workspaces, jobs, async (workspace, { area, mutant, tests }) => {
      const began = performance.now();
      const by = await workspace.withMutant(mutant, () => workspace.failing(tests));
      if (by === undefined) survivors.push(`${area}: ${mutant.does} (${mutant.file})`);
      const how = by === undefined ? "survived" : `caught by ${by}`;
      console.log(`${by === undefined ? "✖" : "✔"} ${area}: ${mutant.does}: ${how} (${seconds(began)})`);
    });
    summarize(jobs.length, survivors, start);
  } finally {
    for (const workspace of workspaces) workspace.remove();
  }
}

/** Tests that fail on the original would catch every mutant. */
async function checkOriginal(jobs: readonly Job[], workspaces: readonly Workspace[]): Promise<void> {
  const selections = new Map(
    jobs.flatMap(({ tests }) => tests).map((one) => [`${one.file} ${one.only}`, one]),
  );
  for (const selection of selections.values()) filesOf(root, selection);
  await shared(workspaces, [...selections.values()], async (workspace, selection) => {
    const failed = await workspace.failing([selection]);
    if (failed !== undefined)
      throw new KnownFailure(`${failed} fails without any mutant (${selection.only ?? "all"}).`);
  });
}

/** Hands the items to the workspaces, each the next one as soon as it is free. */
async function shared<Item>(
  workspaces: readonly Workspace[],
  items: readonly Item[],
  work: (workspace: Workspace, item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const drain = async (workspace: Workspace) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(workspace, item);
  };
  await Promise.all(workspaces.map(drain));
}

function summarize(count: number, survivors: readonly string[], start: number): void {
  const caught = count - survivors.length;
  console.log(
    `\n${caught} of ${count} mutants were caught, ${((100 * caught) / count).toFixed(1)} % (${seconds(start)})`,
  );
  for (const survivor of survivors) console.log(`  survived: ${survivor}`);
  process.exitCode = caught / count < wanted ? 1 : 0;
}

await main().catch(failWith);
