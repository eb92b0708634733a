// Another process, which puts links in the places of a folder and of a file, and takes them away again, until it is killed.
import { renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const [root = "", outside = ""] = process.argv.slice(2);

/** Moves `name` aside, puts a link there, and takes both back. The other process may have written there meanwhile. */
function swap(name: string, target: string): void {
  const [place, aside] = [join(root, name), join(root, `${name}.aside`)];
  try {
    renameSync(place, aside);
    symlinkSync(target, place);
  } catch {
    // It is not there yet.
  }
  try {
    rmSync(place);
  } catch {
    // It is a folder that was made meanwhile.
  }
  try {
    renameSync(aside, place);
  } catch {
    // Another one has its place.
  }
}

process.stdout.write("swapping\n");
for (;;) {
  swap("folder", outside);
  swap("file.txt", join(outside, "kept.txt"));
}
