import { type Dirent, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate } from "node:timers/promises";

/** True for what the list of files leaves out, by its absolute path. */
export type IsIgnored = (path: string, isFolder: boolean) => Promise<boolean>;

/** The files of a workspace that are not ignored, by absolute paths. */
export interface OpenFiles {
  /** Folders of the workspace. */
  readonly roots: readonly string[];
  readonly files: Iterable<string>;
  readonly isIgnored: IsIgnored;
}

/** The event loop is not blocked longer in milliseconds. */
const longestSliceMs = 8;

/**
 * Visits the folders of these files, and those without files that are not ignored. `visit` gets a folder and the number of those that
 * are known, and returns the entries. Links are not followed. Rejects with the signal's reason, and
 * with the error of the file system.
 */
export async function eachOpenFolder(
  { roots, files, isIgnored }: OpenFiles,
  visit: (folder: string, count: number) => readonly Dirent[],
  signal: AbortSignal,
): Promise<void> {
  const found = foldersOf(roots, files);
  let sinceMs = performance.now();
  // Those that it finds are added.
  for (const folder of found) {
    for (const entry of visit(folder, found.size)) {
      const path = join(folder, entry.name);
      const isEmpty = entry.isDirectory() && !found.has(path) && entry.name !== ".git";
      if (isEmpty && !(await isIgnored(path, true))) found.add(path);
    }
    if (performance.now() - sinceMs < longestSliceMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    sinceMs = performance.now();
  }
}

/** The symbolic links in these folders that are not ignored: the search that lists the files leaves them out. */
export async function linksIn(
  open: OpenFiles,
  most: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const links: string[] = [];
  const visit = (folder: string) => {
    const entries = entriesOf(folder);
    for (const entry of entries)
      if (entry.isSymbolicLink() && links.length < most) links.push(join(folder, entry.name));
    return entries;
  };
  await eachOpenFolder(open, visit, signal);
  const ignored = await Promise.all(links.map((path) => open.isIgnored(path, false)));
  return links.filter((_, index) => !ignored[index]);
}

/** Empty for a folder that is gone or can't be read: its files are not listed either. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function foldersOf(roots: readonly string[], files: Iterable<string>): Set<string> {
  const folders = new Set<string>(roots);
  for (const file of files) {
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) {
      folders.add(folder);
      if (folder === dirname(folder)) break;
    }
  }
  return folders;
}
