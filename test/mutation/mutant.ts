import { readFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";

/** A changed rule of the sandbox or the client. */
export interface Mutant {
  /** The behaviour of the changed program. */
  readonly does: string;
  /** From the root of the project. */
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** Test files that run in one process; with `only`, the tests whose own or suite's name matches. */
export interface Selection {
  /** A glob pattern of paths. */
  readonly files: string;
  readonly only?: string;
}

/** Mutants that the same tests must catch. */
export interface Area {
  /** In this order; the first failure catches the mutant. */
  readonly tests: readonly Selection[];
  readonly mutants: readonly Mutant[];
}

/** The file's text with the mutation. Throws if the rule does not occur exactly once, or the result is no program. */
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
