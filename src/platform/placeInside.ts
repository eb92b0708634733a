import { lstat, realpath } from "node:fs/promises";
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

/**
 * Whether a path that is written as one below these folders leads elsewhere, by a link somewhere in it. A link to
 * nothing does: what is written through it is made where it points to.
 */
export async function leadsOutside(folders: readonly string[], path: string): Promise<boolean> {
  if (!folders.some((folder) => isBelow(relative(folder, path)))) return false;
  const isThere = () =>
    lstat(path).then(
      () => true,
      () => false,
    );
  return placeInside(folders, path).then((place) => place === undefined, isThere);
}

function isBelow(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
