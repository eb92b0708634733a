import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../tools/paths.ts";
import { startGroup } from "../tools/processGroup.ts";
import { KnownFailure } from "../tools/progress.ts";
import { type Outcome, outcomeMark } from "./firstFailure.ts";
import { type Mutant, mutated, type Selection } from "./mutant.ts";

/** A failed test, by the names of its suites and itself. */
export interface Failure {
  /** Its file; or the pattern of the files that ran, if its declaring file is not a test file. */
  readonly file: string;
  readonly test: string;
}

/** A private copy of the project for one mutant at a time. */
export interface Workspace {
  /** The first failed test, or undefined if all pass. Throws if a selection has no tests. */
  failing(tests: readonly Selection[]): Promise<Failure | undefined>;
  /** Whether this test alone fails; undefined if it does not exist any more. */
  fails(test: Failure): Promise<boolean | undefined>;
  /** Runs with the mutant in place of its original. */
  withMutant<Result>(mutant: Mutant, run: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

/** A mutant that keeps a process busy this long without output is caught. */
const timeoutMs = 400_000;

/** All files in one process: starting a process takes most of the time. */
const how = [
  ...["--test", "--test-isolation=none", "--test-force-exit"],
  ...["--test-reporter=./test/mutation/firstFailure.ts", "--test-reporter-destination=stdout"],
];

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const part of ["src", "test", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    async failing(selections) {
      for (const { files, only } of selections) {
        const { tests, failed } = await outcomeOf(folder, files, only);
        if (tests === 0) throw new KnownFailure(`${files}: no test is like ${only}.`);
        if (failed) return { ...failed, file: isTest(failed.file) ? failed.file : files };
      }
      return undefined;
    },
    async fails({ file, test }) {
      if (globSync(file, { cwd: folder }).length === 0) return undefined;
      const { tests, failed } = await outcomeOf(folder, file, `^${literal(test)}$`);
      return tests === 0 ? undefined : failed !== undefined;
    },
    async withMutant(mutant, run) {
      const path = join(folder, mutant.file);
      const original = readFileSync(path, "utf8");
      writeFileSync(path, mutated(folder, mutant));
      try {
        return await run();
      } finally {
        writeFileSync(path, original);
      }
    },
    remove,
  };
}

/** Throws if a pattern matches no file: missing tests catch nothing. */
export function filesOf(folder: string, pattern: string): string[] {
  const files = globSync(pattern, { cwd: folder }).sort();
  if (files.length === 0) throw new Error(`no file is like ${pattern}`);
  return files;
}

/** Throws if the tests did not start, because that is no result for a mutant. */
async function outcomeOf(folder: string, files: string, only: string | undefined): Promise<Outcome> {
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const group = startGroup(process.execPath, [...how, ...pattern, ...filesOf(folder, files)], {
    cwd: folder,
  });
  let busy = false;
  const timer = setTimeout(() => {
    busy = true;
    void group.end();
  }, timeoutMs);
  await group.exited;
  clearTimeout(timer);
  await group.end();
  const json = group.output().split(outcomeMark)[1]?.split("\n")[0];
  if (json !== undefined) return JSON.parse(json) as Outcome;
  if (busy) return { tests: 1, failed: { file: "", test: `(within ${timeoutMs / 1000} s)` } };
  throw new KnownFailure(`${files} did not run:\n${group.output().slice(-2000)}`);
}

const isTest = (file: string) => file.endsWith(".test.ts");

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
