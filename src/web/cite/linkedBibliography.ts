import { lstat, realpath } from "node:fs/promises";
import { dirname } from "node:path";
import { placeInside } from "../../platform/files/bounded/placeInside.ts";

/**
 * True if the file at a path, or the folder in which it would be created, is through links neither in one of these folders
 * nor a bibliography that exists. Then the one who made the links would choose the file that is written, such as the start
 * file of a shell. Paths are absolute.
 */
export async function leadsElsewhereThan(folders: readonly string[], path: string): Promise<boolean> {
  const found = await nearestOf(path);
  if ((await placeInside(folders, found).catch(() => undefined)) !== undefined) return false;
  const real = found === path ? await realpath(path).catch(() => "") : "";
  return !/\.bib$/i.test(real);
}

/** The path, or the nearest folder above it that exists. A link that leads nowhere exists. */
async function nearestOf(path: string): Promise<string> {
  const isThere = await lstat(path).then(
    () => true,
    () => false,
  );
  return isThere || path === dirname(path) ? path : nearestOf(dirname(path));
}
