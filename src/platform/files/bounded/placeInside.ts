import { lstat, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";

/**
 * The real path of a file relative to one of these folders, with `/`, after links are resolved; undefined if it is
 * outside of all. Throws if the file does not exist.
 */
export async function placeInside(folders: readonly string[], path: string): Promise<string | undefined> {
  return (await realPlace(folders, path))?.place;
}

/** The same with the index of the folder. */
export async function realPlace(
  folders: readonly string[],
  path: string,
): Promise<{ readonly folder: number; readonly place: string } | undefined> {
  const [real = "", ...roots] = await Promise.all([path, ...folders].map((one) => realpath(one)));
  const folder = roots.findIndex((root) => isBelow(relative(root, real)));
  const root = roots[folder];
  return root === undefined ? undefined : { folder, place: relative(root, real).replaceAll(sep, "/") };
}

/**
 * True if a path below these folders leads outside through a link. A dangling link counts, because a write would create
 * its target.
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

/** True for a relative path that does not lead out of its folder. */
export function isBelow(path: string): boolean {
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}
