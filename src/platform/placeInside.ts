import { realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/**
 * Where a file really lies once links are followed: its path below one of these folders, with `/`; undefined where it
 * lies outside of all. Throws where there is no such file.
 */
export async function placeInside(folders: readonly string[], path: string): Promise<string | undefined> {
  const place = await realpath(path);
  const roots = await Promise.all(folders.map((folder) => realpath(folder)));
  const below = roots.map((root) => relative(root, place)).find(isBelow);
  return below?.replaceAll(sep, "/");
}

function isBelow(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
