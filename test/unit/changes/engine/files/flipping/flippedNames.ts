import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";

/** What a file, a link or a folder is known by, whatever its place: its text, its target, or the file in it. */
export function nameAt(path: string): string | undefined {
  const found = lstatSync(path);
  if (found.isSymbolicLink()) return basename(readlinkSync(path));
  return found.isFile() ? readFileSync(path, "utf8") : readdirSync(path)[0];
}

/** All that are in a folder and below, without a look behind links. */
export function namesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    const own = nameAt(path) ?? [];
    return entry.isDirectory() ? namesBelow(path).concat(own) : own;
  });
}
