import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools/paths.ts";
import type { Failure } from "./workspace.ts";

/** The test that caught each mutant last time. It runs first, which saves the run of all others. */
export interface Memory {
  of(mutant: string): Failure | undefined;
  /** Written to the project, to be committed. */
  save(mutant: string, by: Failure): void;
}

const path = join(root, "test/mutation/caughtBy.json");

export function openMemory(mutants: ReadonlySet<string>): Memory {
  return {
    of: (mutant) => read()[mutant],
    save(mutant, by) {
      const known = Object.entries({ ...read(), [mutant]: by }).filter(([name]) => mutants.has(name));
      known.sort(([a], [b]) => (a < b ? -1 : 1));
      writeFileSync(path, `${JSON.stringify(Object.fromEntries(known), null, 2)}\n`);
    },
  };
}

/** Reads the file each time: areas may run in parallel. */
function read(): Readonly<Record<string, Failure>> {
  return JSON.parse(readFileSync(path, "utf8"));
}
