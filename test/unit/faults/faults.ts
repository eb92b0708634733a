// Runs a workload in processes that are killed, or whose disk is full, at each of its writes.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { sweepTemporaryFiles } from "../../../src/platform/files/durable/temporaryFiles.ts";
import { SerialQueue } from "../../../src/shared/serialQueue.ts";
import { listedCases } from "../../runner/cases.ts";
import { temporaryFolder } from "../temporaryFolder.ts";
import {
  allFaultsVariable,
  callsVariable,
  type DiskCall,
  type FaultPlan,
  planVariable,
} from "./faultPlan.ts";
import type { Store } from "./stores.ts";
import type { Folders, Told, Workload } from "./workload.ts";

const child = join(import.meta.dirname, "child.ts");
const disk = pathToFileURL(join(import.meta.dirname, "faultyDisk.ts")).href;
/** Processes beside each other. Each mostly starts. */
const sideBySide = 3;

interface FaultRun {
  readonly folders: Folders;
  readonly told: Told;
}

function newFolders(): Folders {
  const root = temporaryFolder();
  const folders = { storage: join(root, "storage"), user: join(root, "user") };
  for (const folder of Object.values(folders)) mkdirSync(folder);
  return folders;
}

/** Runs a workload over a disk that fails by the plan. */
async function runChild(
  store: Store,
  { prepare }: Workload,
  plan: FaultPlan,
  calls?: string,
): Promise<FaultRun> {
  const folders = newFolders();
  const { storage, user } = folders;
  prepare?.(folders);
  const started = spawn(process.execPath, ["--no-warnings", "--import", disk, child, store, storage, user], {
    env: {
      ...process.env,
      [planVariable]: JSON.stringify(plan),
      ...(calls === undefined ? {} : { [callsVariable]: calls }),
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(started, "exit");
  const [lines, errors] = await Promise.all([text(started.stdout), text(started.stderr)]);
  const [code, signal] = (await ended) as [number | null, string | null];
  const facts = lines.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
  const of = (kind: string) =>
    facts.flatMap(([found, what]: readonly [string, string]) => (found === kind ? [what] : []));
  const hasEnded = of("end").length > 0;
  const asPlanned = plan.kind === "kill" ? hasEnded || signal === "SIGKILL" : hasEnded && code === 0;
  assert.ok(asPlanned, `${store} ${JSON.stringify(plan)} ended with ${code ?? signal}: ${errors}\n${lines}`);
  return {
    folders,
    told: {
      kept: of("kept"),
      begun: of("begun"),
      refused: of("refused"),
      said: of("said"),
      hasEnded,
      isFull: plan.kind === "full",
    },
  };
}

/** The calls of a run without a fault, which is checked as well. */
export async function callsOf(store: Store, workload: Workload): Promise<readonly DiskCall[]> {
  const list = join(temporaryFolder(), "calls.json");
  await checkRun(await runChild(store, workload, { kind: "none" }, list), workload.check);
  const calls = JSON.parse(readFileSync(list, "utf8")) as DiskCall[];
  const passed = new Set(calls.flatMap(({ sources }) => sources));
  assert.deepEqual(
    workload.writers.filter((file) => !passed.has(file)),
    [],
    "the workload makes writes of each of its files",
  );
  return calls;
}

export function killsOf(calls: readonly DiskCall[]): readonly FaultPlan[] {
  return calls.flatMap(({ hasData }, call) =>
    (["before", "half", "after"] as const)
      .filter((when) => hasData || when !== "half")
      .map((when) => ({ kind: "kill", call, when }) as const),
  );
}

export function fullDisksOf(calls: readonly DiskCall[]): readonly FaultPlan[] {
  return calls.flatMap(({ hasData, needsSpace }, call) =>
    (["data", "all"] as const)
      .filter((fails) => (fails === "data" ? hasData : needsSpace))
      .map((fails) => ({ kind: "full", call, fails }) as const),
  );
}

/** Runs a workload once for each plan, or some of them, and checks what it has left. */
export async function runPlans(store: Store, workload: Workload, plans: readonly FaultPlan[]): Promise<void> {
  const share = process.env[allFaultsVariable] === undefined ? 8 : 1;
  const left = [
    ...listedCases(
      plans.filter((_, index) => index % share === 0),
      3,
    ),
  ];
  const failures: Error[] = [];
  // One after the other: the editor of the tests is one.
  const checks = new SerialQueue();
  const work = async () => {
    for (let plan = left.shift(); plan; plan = left.shift()) {
      const run = await runChild(store, workload, plan);
      await checks
        .run(() => checkRun(run, workload.check))
        .catch((error: unknown) => {
          failures.push(new Error(`${store} ${JSON.stringify(plan)}: ${error}\n${JSON.stringify(run.told)}`));
        });
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, work));
  assert.deepEqual(failures.map(String), []);
}

async function checkRun({ folders, told }: FaultRun, check: Workload["check"]): Promise<void> {
  if (told.hasEnded)
    assert.deepEqual(temporaryIn(folders), [], "a process that ends leaves no temporary file");
  await sweepTemporaryFiles(folders.storage);
  assert.deepEqual(temporaryIn(folders), [], "the next start sweeps temporary files");
  await check(folders, told);
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true });
}

function temporaryIn(folders: Folders): readonly string[] {
  return Object.values(folders).flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .map(String)
      .filter((name) => /\.tmp$|\.inference-/.test(name)),
  );
}
