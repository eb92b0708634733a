import { existsSync, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { isBelow } from "../../../../../platform/files/bounded/placeInside.ts";
import { makeEmpty } from "./guardedPlaces.ts";

/** A folder from elsewhere that a command reads at another place. Absolute paths. */
export interface ShownFolder {
  readonly from: string;
  /** An empty folder, without links on the way to it. */
  readonly at: string;
}

export interface PlannedFolder extends ShownFolder {
  /** Device and number of the folder: a program may put another one in its place before the sandbox is made. */
  readonly id: string;
  /** Names of folders in it that commands write: what they write is lost with the command. */
  readonly caches: readonly string[];
}

/** Tools write them in the middle of the dependencies, and fail if they can't. */
const cacheNames = [".cache", ".tmp", ".vite", ".vite-temp", ".vitest"];
/** Packages that make theirs in the first run, and fail if they can't. */
const makers: Readonly<Record<string, readonly string[]>> = {
  vite: [".vite", ".vite-temp"],
  // Where the templates of Vite put the state of builds.
  typescript: [".tmp"],
};

/**
 * Those folders that can be shown, by their real places. Left out are missing ones, links to folders of other names, and what
 * has to do with folders that are hidden. Adds to `made` the empty folders that were made in them for caches, since nothing
 * can be put where nothing is.
 */
export function plannedFolders(
  folders: readonly ShownFolder[],
  hidden: readonly string[],
  made: string[],
): readonly PlannedFolder[] {
  return folders.flatMap(({ from, at }) => {
    try {
      const real = realpathSync(from);
      const touches = (place: string) => isBelow(relative(place, real)) || isBelow(relative(real, place));
      const { dev, ino } = statSync(real, { bigint: true });
      if (basename(real) !== basename(from) || hidden.some(touches) || !isFolder(real)) return [];
      made.push(...missingCaches(real).filter(makeEmpty));
      const caches = cacheNames.filter((name) => isFolder(join(real, name)));
      return [{ from: real, at, id: `${dev}:${ino}`, caches }];
    } catch {
      return []; // It is missing.
    }
  });
}

function missingCaches(folder: string): readonly string[] {
  return Object.entries(makers).flatMap(([name, caches]) =>
    existsSync(join(folder, name)) ? caches.map((cache) => join(folder, cache)) : [],
  );
}

/** False for a link to one. */
export function isFolder(place: string): boolean {
  return lstatSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
}
