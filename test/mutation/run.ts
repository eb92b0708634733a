// `npm run mutants`: changes one rule of the sandbox or the client at a time and checks that a test fails.
// `-- --only billing` runs one area, or the mutants whose description contains the text; `-- --list` lists them.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { root } from "../tools/paths.ts";
import { failWith, KnownFailure, seconds } from "../tools/progress.ts";
import { areas } from "./areas.ts";
import { type Memory, openMemory } from "./memory.ts";
import { type Mutant, mutated, type Selection } from "./mutant.ts";
import { createWorkspace, type Failure, filesOf, type Workspace } from "./workspace.ts";

/** Minimum share of mutants that must be caught. */
const wanted = 0.95;

interface Job {
  readonly area: string;
  readonly mutant: Mutant;
  readonly tests: readonly Selection[];
}

interface Verdict {
  readonly job: Job;
  readonly by?: Failure;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { only: { type: "string" }, list: { type: "boolean", default: false } },
  });
  const all = Object.entries(areas).flatMap(([area, { mutants, tests }]) =>
    mutants.map((mutant) => ({ area, mutant, tests })),
  );
  const jobs = chosen(all, values.only);
  for (const { mutant } of jobs) mutated(root, mutant);
  if (values.list) for (const job of jobs) console.log(`${nameOf(job)} (${job.mutant.file})`);
  else await runMutants(jobs, openMemory(new Set(all.map(nameOf))));
}

function chosen(all: readonly Job[], only: string | undefined): Job[] {
  const isLike = ({ area, mutant }: Job) =>
    only === undefined || (only in areas ? area === only : mutant.does.includes(only));
  const jobs = all.filter(isLike);
  if (jobs.length === 0)
    throw new KnownFailure(`No mutant is like "${only}". Areas: ${Object.keys(areas).join(", ")}.`);
  return jobs;
}

const nameOf = ({ area, mutant }: Job) => `${area}: ${mutant.does}`;

async function runMutants(jobs: readonly Job[], memory: Memory): Promise<void> {
  const start = performance.now();
  const workspaces = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, createWorkspace);
  try {
    await checkOriginal(jobs, workspaces);
    console.log(`The original passes (${seconds(start)}); ${jobs.length} mutants follow.`);
    const verdicts: Verdict[] = [];
    await runAll(workspaces, jobs, async (workspace, job) => {
      const began = performance.now();
      const by = await caughtBy(workspace, job, memory);
      verdicts.push(by ? { job, by } : { job });
      const how = by ? `${by.file}: ${by.test}` : "survived";
      console.log(`${by ? "✔" : "✖"} ${nameOf(job)}: ${how} (${seconds(began)})`);
    });
    summarize(verdicts, start);
  } finally {
    for (const workspace of workspaces) workspace.remove();
  }
}

/** The test that catches the mutant: the one of last time, or the first that fails. */
async function caughtBy(workspace: Workspace, job: Job, memory: Memory): Promise<Failure | undefined> {
  const last = memory.of(nameOf(job));
  const by = await workspace.withMutant(job.mutant, async () =>
    last && (await workspace.fails(last)) ? last : workspace.failing(job.tests),
  );
  // A test that passes alone without the mutant may run first next time.
  if (by && by !== last && (await workspace.fails(by)) === false) memory.save(nameOf(job), by);
  return by;
}

/** Tests that fail on the original would catch every mutant. */
async function checkOriginal(jobs: readonly Job[], workspaces: readonly Workspace[]): Promise<void> {
  const selections = new Map(
    jobs.flatMap(({ tests }) => tests).map((one) => [`${one.files} ${one.only}`, one]),
  );
  for (const { files } of selections.values()) filesOf(root, files);
  await runAll(workspaces, [...selections.values()], async (workspace, selection) => {
    const failed = await workspace.failing([selection]);
    if (failed) throw new KnownFailure(`${failed.file} fails without any mutant: ${failed.test}`);
  });
}

/** Distributes the items over the workspaces, each of which takes the next one when it is free. */
async function runAll<Item>(
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

function summarize(verdicts: readonly Verdict[], start: number): void {
  const survivors = verdicts.filter(({ by }) => by === undefined).map(({ job }) => job);
  console.log("");
  for (const [area, of = []] of Object.entries(Object.groupBy(verdicts, ({ job }) => job.area)))
    console.log(`${area}: ${of.filter(({ by }) => by).length} of ${of.length} caught`);
  const caught = verdicts.length - survivors.length;
  const share = caught / verdicts.length;
  console.log(
    `${caught} of ${verdicts.length} mutants were caught, ${(100 * share).toFixed(1)} % (${seconds(start)})`,
  );
  for (const survivor of survivors) console.log(`  survived: ${nameOf(survivor)} (${survivor.mutant.file})`);
  process.exitCode = share < wanted ? 1 : 0;
}

await main().catch(failWith);
