import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/** Where Git keeps what belongs to a folder. Paths are absolute, without links. */
export interface RepositoryPlaces {
  /** The folders that Git writes: the repository, and that of a worktree. */
  readonly folders: readonly string[];
  /** Their parts that make Git run programs, or read another configuration. */
  readonly guarded: readonly string[];
}

const guardedParts = ["hooks", "config", "config.worktree", "modules"];
/** In the folder of a worktree. They lead to the repository. */
const leadingParts = ["config.worktree", "commondir", "gitdir"];
const mostPathBytes = 4_096;

/** The repository of a folder: its own, or that of the next folder above it. `folder` is a real path. */
export function repositoryOf(folder: string): RepositoryPlaces | undefined {
  for (let place = folder; ; place = dirname(place)) {
    const dot = join(place, ".git");
    const found = lstatSync(dot, { throwIfNoEntry: false });
    if (found?.isDirectory() && isRepository(dot)) return wholeRepository(dot);
    // A link leads anywhere, and a file does unless what it leads to knows of it.
    if (found?.isFile()) return worktreeOf(dot);
    if (dirname(place) === place) return undefined;
  }
}

function wholeRepository(place: string): RepositoryPlaces {
  return { folders: [place], guarded: [...partsOf(place, guardedParts), ...worktreesIn(place)] };
}

/** The repository of a worktree by its file `.git`; undefined if its folder is not one of that worktree. */
function worktreeOf(file: string): RepositoryPlaces | undefined {
  try {
    const own = realpathSync(resolve(dirname(file), firstLine(file).replace(/^gitdir: /, "")));
    const common = dirname(dirname(own));
    const isOwn = realpathSync(resolve(own, firstLine(join(own, "gitdir")))) === file;
    const isBelow = basename(dirname(own)) === "worktrees" && isRepository(common);
    const leadsBack = realpathSync(resolve(own, firstLine(join(own, "commondir")))) === common;
    if (!isOwn || !isBelow || !leadsBack) return undefined;
    const others = worktreesIn(common).filter((place) => place !== own);
    const guarded = [...partsOf(common, guardedParts), ...others, ...partsOf(own, leadingParts)];
    return { folders: [common, own], guarded };
  } catch {
    return undefined; // no worktree
  }
}

function isRepository(place: string): boolean {
  return ["HEAD", "objects", "refs"].every((name) => isThere(join(place, name)));
}

function worktreesIn(repository: string): readonly string[] {
  const place = join(repository, "worktrees");
  if (!lstatSync(place, { throwIfNoEntry: false })?.isDirectory()) return [];
  return readdirSync(place).map((name) => join(place, name));
}

function partsOf(place: string, names: readonly string[]): readonly string[] {
  return names.map((name) => join(place, name)).filter(isThere);
}

function firstLine(file: string): string {
  if (lstatSync(file).size > mostPathBytes) throw new Error(`${file} is too long.`);
  const [line = ""] = readFileSync(file, "utf8").split("\n");
  return line;
}

/** True also for a link to nothing. */
export function isThere(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false }) !== undefined;
}
