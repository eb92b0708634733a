import type { SearchScope } from "../searchEngine.ts";
import { type Include, readExcludes } from "./excludes.ts";
import { createPathRules, type FolderRules } from "./folderRules.ts";

/** What a caller asks for in a workspace folder. */
export interface ScopeRequest {
  /** Absolute path of the workspace folder; empty if it is not on this machine. */
  readonly root: string;
  readonly rules: FolderRules;
  /** The searched folder or file below the root; an empty path for all. */
  readonly named: { readonly path: string; readonly isFolder: boolean };
  readonly include?: Include | undefined;
  readonly encoding?: string | undefined;
}

/** The files of a search. What is left out is searched if it is the folder or the file that the caller names. */
export async function toScope({ root, rules, named, include, encoding }: ScopeRequest): Promise<SearchScope> {
  const { path, isFolder } = named;
  const isLeftOut = path !== "" && (await createPathRules(rules)(path, isFolder));
  const slash = path.lastIndexOf("/");
  const name = path.slice(slash + 1);
  const isNamed = (one: string) => path === "" || one === path || (isFolder && one.startsWith(`${path}/`));
  return {
    root,
    rules: isLeftOut ? { ...rules, excludes: readExcludes([]), usesIgnoreFiles: false } : rules,
    folder: isFolder ? path : path.slice(0, Math.max(0, slash)),
    wants: (one) => isNamed(one) && (include?.wants(one) ?? true),
    names: isFolder ? include?.names : /^[\w.-]+$/.test(name) ? name : undefined,
    encoding,
  };
}
