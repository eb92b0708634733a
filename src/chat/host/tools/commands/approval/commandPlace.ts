import { accessSync, constants, existsSync, lstatSync, realpathSync } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { questionAbout, refusedName } from "../../../../../changes/engine/files/fileRisk.ts";
import { isBelow } from "../../../../../platform/files/bounded/placeInside.ts";
import { looksSecret } from "../../../../../shared/secretFiles.ts";
import { isThere } from "../sandbox/repositories.ts";
import type { ShownFolder } from "../sandbox/shownFolders.ts";
import { searchesNothingHidden } from "./searchedFiles.ts";

/** Where a command runs. */
export interface CommandPlace {
  /** Its working directory, an absolute path. */
  readonly folder: string;
  /** The folders of the workspace, as absolute paths. */
  readonly roots: readonly string[];
  /** Folders that the command sees at places where nothing is. */
  readonly shown?: readonly ShownFolder[];
  /** The folder above `folder` whose `.git` no command can change, where commands can write the folders between. */
  readonly repository?: string;
}

/**
 * False if Git may take something for its repository, with settings that run programs, that a command has put into a folder
 * below the true one.
 */
export function hasTrueRepository({ folder, repository }: CommandPlace): boolean {
  for (let at = folder; ; at = dirname(at)) {
    if (isThere(join(at, ".git"))) return repository === undefined || at === repository;
    // A folder that looks like a repository is taken for one without a work tree.
    if (isThere(join(at, "HEAD")) && isThere(join(at, "objects"))) return false;
    if (at === repository || dirname(at) === at) return false;
  }
}

/** The target of a redirection that leaves nothing. */
export const nowhere = "/dev/null";

/** The path below its folder of the workspace, with `/`; undefined for any other path. Links are not followed. */
function placeOf({ folder, roots }: CommandPlace, path: string): string | undefined {
  if (path === "" || path.includes("\0") || path.split("/").includes("..")) return undefined;
  const absolute = resolve(folder, path);
  const root = roots.find((one) => isBelow(relative(one, absolute)));
  return root === undefined ? undefined : relative(root, absolute).replaceAll(sep, "/");
}

/** The place after `cd path`; undefined unless that is a folder of the workspace with no link on its way. */
export function placeAfter(place: CommandPlace, path: string): CommandPlace | undefined {
  // `cd` looks for other names in these folders first.
  if (process.env.CDPATH && !/^\.?(\/|$)/.test(path)) return undefined;
  const inside = placeOf(place, path);
  if (inside === undefined || isHidden(inside)) return undefined;
  const folder = resolve(place.folder, path);
  const root = place.roots.find((one) => join(one, inside) === folder);
  try {
    if (root === undefined || realpathSync(folder) !== join(realpathSync(root), inside)) return undefined;
    accessSync(folder, constants.X_OK);
    return lstatSync(folder).isDirectory() ? { ...place, folder } : undefined;
  } catch {
    return undefined;
  }
}

/** True if a path is one of the workspace by its name, and no file of keys or passwords and none of Git's own. */
export function isReadableName(place: CommandPlace, path: string): boolean {
  const inside = placeOf(place, path);
  return inside !== undefined && !isHidden(inside);
}

function isHidden(path: string): boolean {
  return looksSecret(path) || path.split("/").some((name) => name.toLowerCase() === ".git");
}

/**
 * True if a command may write a file of the workspace as an edit of the agent may without a question: a regular file or none,
 * with no link on its way.
 */
export function isWritable(place: CommandPlace, path: string): boolean {
  const inside = placeOf(place, path);
  if (inside === undefined || inside === "" || path.endsWith("/") || isHidden(inside)) return false;
  if (refusedName(inside) !== undefined || questionAbout(inside) !== undefined) return false;
  const absolute = resolve(place.folder, path);
  const root = absolute.slice(0, -inside.length);
  try {
    const folder = realpathSync(dirname(absolute));
    if (join(folder, "x") !== join(realpathSync(root), dirname(inside), "x")) return false;
    const found = lstatSync(absolute, { throwIfNoEntry: false });
    return found === undefined || (found.isFile() && found.nlink === 1);
  } catch {
    return false;
  }
}

/**
 * What a program reads of a folder: names only, all files below it, those that `rg` searches, or something else, which is not
 * covered.
 */
export type FolderUse = "names" | "all" | "searched" | "other";

/** True if a path leads to a file or folder of the workspace after links, and to no secrets. */
export async function isReadable(place: CommandPlace, path: string, use: FolderUse): Promise<boolean> {
  if (path === nowhere) return true;
  if (!isReadableName(place, path)) return false;
  const roots = await Promise.all(place.roots.map((root) => realpath(root)));
  const absolute = resolve(place.folder, path);
  const shown = place.shown?.find(({ at }) => isBelow(relative(at, absolute)));
  if (shown) return isShownReadable(shown, relative(shown.at, absolute), use);
  const real = await realpath(absolute).catch(() => undefined);
  if (real === undefined) return isMissingInside(place, roots, absolute);
  const root = roots.find((one) => isBelow(relative(one, real)));
  if (root === undefined || !isInside(roots, real)) return false;
  if (use === "names" || !(await lstat(real)).isDirectory()) return true;
  if (use === "other") return false;
  const isFree =
    use === "searched"
      ? searchesNothingHidden({ folder: place.folder, path: absolute, root: resolve(root) }, isHidden)
      : hasNoSecrets(root, real, use);
  if (!(await isFree)) return false;
  for (const { at, from } of await realShown(place))
    if (isBelow(relative(real, at)) && !(await hasNoSecrets(from, from, use))) return false;
  return true;
}

/** A program says that it is missing. Where it may appear must be inside, and be what is there where the program runs. */
async function isMissingInside(
  place: CommandPlace,
  roots: readonly string[],
  absolute: string,
): Promise<boolean> {
  // A link may lead to something there.
  if (isThere(absolute)) return false;
  const folder = await realpath(dirname(absolute)).catch(() => undefined);
  if (folder === undefined || !isInside(roots, folder)) return false;
  const shown = await realShown(place);
  return !shown.some(({ at }) => isBelow(relative(at, folder)));
}

/** `path` is below the folder. A link that leads out of the folder leads anywhere. */
async function isShownReadable({ from }: ShownFolder, path: string, use: FolderUse): Promise<boolean> {
  try {
    const root = await realpath(from);
    const real = await realpath(join(root, path));
    if (!isInside([root], real)) return false;
    if (use === "names" || !(await lstat(real)).isDirectory()) return true;
    return use !== "other" && (await hasNoSecrets(root, real, use));
  } catch {
    return false;
  }
}

/** The shown folders that are there, with their places after links. */
async function realShown({ shown = [] }: CommandPlace): Promise<readonly ShownFolder[]> {
  const found: ShownFolder[] = [];
  for (const { at, from } of shown) {
    const [folder, real] = await Promise.all(
      [dirname(at), from].map((path) => realpath(path).catch(() => undefined)),
    );
    if (folder !== undefined && real !== undefined)
      found.push({ at: join(folder, basename(at)), from: real });
  }
  return found;
}

/** `roots` and `real` after links. */
function isInside(roots: readonly string[], real: string | undefined): boolean {
  const root = real === undefined ? undefined : roots.find((one) => isBelow(relative(one, real)));
  return root !== undefined && real !== undefined && !isHidden(relative(root, real).replaceAll(sep, "/"));
}

/** Entries below a folder that are looked at before a program reads all of them, and milliseconds. */
const mostEntries = 200_000;
const longestLookMs = 3_000;

/** True if no file below a folder is one of keys or passwords. False also if there are too many to look at. */
async function hasNoSecrets(root: string, folder: string, use: FolderUse): Promise<boolean> {
  let count = 0;
  const endMs = performance.now() + longestLookMs;
  for await (const path of pathsBelow(folder, use)) {
    count += 1;
    if (count > mostEntries || performance.now() > endMs) return false;
    if (isHidden(relative(root, path).replaceAll(sep, "/"))) return false;
  }
  return true;
}

async function* pathsBelow(folder: string, use: FolderUse): AsyncGenerator<string> {
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (use === "searched" && entry.name.startsWith(".")) continue;
      const path = join(next, entry.name);
      yield path;
      if (entry.isDirectory()) folders.push(path);
    }
  }
}

/** True if a program of this name may be one of the workspace: a folder of it is searched for programs. */
export function isProgramOfWorkspace({ roots, folder }: CommandPlace, program: string): boolean {
  const searched = (process.env.PATH ?? "").split(delimiter);
  return searched.some((path) => {
    const absolute = resolve(folder, path);
    const isOurs = !isAbsolute(path) || roots.some((root) => isBelow(relative(root, absolute)));
    return isOurs && existsSync(join(absolute, program));
  });
}
