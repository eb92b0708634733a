import { lstat, readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { placeInside } from "../../../../../platform/files/bounded/placeInside.ts";
import { makeFolder } from "../../../../../platform/files/privateFiles.ts";
import type { ShownFolder } from "../../../tools/commands/sandbox/shownFolders.ts";

/**
 * Folders in which package managers put the code of others. Not those of build results, which commands write, nor those whose
 * names are also given to configurations, which may have passwords.
 */
const dependencyNames = new Set([
  "node_modules",
  "bower_components",
  "jspm_packages",
  "vendor",
  ".venv",
  "venv",
]);
/** A workspace of many packages has one in each. */
const mostFolders = 100;

/** Those of ignored folders that have dependencies. Paths below the workspace folder. */
export function dependencyFolders(ignored: readonly string[]): readonly string[] {
  return ignored.filter((path) => dependencyNames.has(basename(path))).slice(0, mostFolders);
}

/** Makes a place for a folder in a copy; undefined if a command has put something else there, or its parent is gone. */
export async function placeFor(root: string, path: string): Promise<ShownFolder["at"] | undefined> {
  const folder = dirname(path);
  const at = join(root, path);
  try {
    if ((await placeInside([root], join(root, folder))) !== (folder === "." ? "" : folder)) return undefined;
    const found = await lstat(at).catch(() => undefined);
    if (!found) await makeFolder(at);
    else if (!found.isDirectory() || (await readdir(at)).length > 0) return undefined;
    return at;
  } catch {
    return undefined;
  }
}
