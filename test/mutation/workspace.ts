import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../vscode/paths.ts";
import { startGroup } from "../vscode/processGroup.ts";
import { type Mutant, mutated, type Selection } from "./mutant.ts";

/** A private copy of the project, in which one mutant at a time lives. */
export interface Workspace {
  /** Why the tests failed: the first selection that did, or undefined where all passed. */
  failing(tests: readonly Selection[]): Promise<string | undefined>;
  /** Runs with the mutant in place of its original. */
  withMutant<Result>(mutant: Mutant, run: () => Promise<Result>): Promise<Result>;
  remove(): void;
}

/** A mutant that keeps a test file busy for so long is caught. */
const timeoutMs = 150_000;

export function createWorkspace(): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "mutants-"));
  for (const part of ["src", "test", "package.json"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  return {
    async failing(tests) {
      for (const selection of tests) {
        for (const file of filesOf(folder, selection)) {
          if (!(await passes(folder, file, selection.only))) return file;
        }
      }
      return undefined;
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

/** Throws where a selection has no file: tests that are not there catch nothing. */
export function filesOf(folder: string, { file }: Selection): string[] {
  const files = globSync(file, { cwd: folder }).sort();
  if (files.length === 0) throw new Error(`no file is like ${file}`);
  return files;
}

async function passes(folder: string, file: string, only: string | undefined): Promise<boolean> {
  const pattern = only === undefined ? [] : [`--test-name-pattern=${only}`];
  const group = startGroup(process.execPath, ["--test-force-exit", ...pattern, file], { cwd: folder });
  const timer = setTimeout(() => void group.end(), timeoutMs);
  const code = await group.exited;
  clearTimeout(timer);
  await group.end();
  // A pattern that matches nothing would pass for any mutant.
  return code === 0 && !/^ℹ tests 0$/m.test(group.output());
}
