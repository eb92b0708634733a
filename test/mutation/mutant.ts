import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

/** One rule turned into another, in the sandbox or in the client. */
export interface Mutant {
  /** What the changed program does. */
  readonly does: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Test files that run in one process, or those of their tests whose names, or whose suites' names, match. */
export interface Selection {
  /** A pattern of their paths. */
  readonly files: string;
  readonly only?: string;
}

/** Mutants that the same tests must catch. */
export interface Area {
  /** In this order; the first that fails has caught the mutant. */
  readonly tests: readonly Selection[];
  readonly mutants: readonly Mutant[];
}

/** The file's text with the rule turned. Throws for a rule that is not there, or once too often, and for what is no program. */
export function mutated(root: string, { file, find, replace, does }: Mutant): string {
  const text = readFileSync(join(root, file), "utf8");
  const count = text.split(find).length - 1;
  if (count !== 1) throw new Error(`${does}: its rule stands ${count} times in ${file}`);
  const changed = text.replace(find, () => replace);
  try {
    transformSync(changed, { loader: "ts" });
  } catch (error) {
    throw new Error(`${does}: ${file} is no program any more: ${error}`);
  }
  return changed;
}
