import { statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname } from "node:path";

/**
 * Where a user's program runs that belongs to no workspace: the home folder. Without one, as for some users of services and
 * containers, the folder of the editor: a program that starts in a missing folder fails as if it was missing itself.
 */
export function homeFolder(home = homedir()): string {
  const isThere = statSync(home, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isThere ? home : dirname(process.execPath);
}
