// Another process, which puts files, links and folders at a place of the workspace and takes away what is there, until it is killed.
// It replaces nothing. Its list tells what it has made, and what it has taken and removed.
import {
  appendFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { nameAt } from "./flippedNames.ts";

const [root = "", list = ""] = process.argv.slice(2);
const folder = join(root, "folder");
const place = join(folder, "place");
const taken = join(root, "taken");
let count = 0;

const note = (what: "made" | "gone", name: string) => appendFileSync(list, `${what} ${name}\n`);

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Puts something of its own at the place if nothing is there; else it is removed again. */
function put(): void {
  const name = `own-${count}`;
  const own = join(root, name);
  const kind = count++ % 3;
  if (kind === 0) {
    writeFileSync(own, name);
    if (attempt(() => linkSync(own, place))) note("made", name);
    rmSync(own);
  } else if (kind === 1) {
    if (attempt(() => symlinkSync(join("..", "..", "outside", name), place))) note("made", name);
  } else {
    mkdirSync(own);
    writeFileSync(join(own, name), "");
    // A folder with a file in it takes the place of nothing but an empty folder.
    if (attempt(() => renameSync(own, place))) note("made", name);
    else rmSync(own, { recursive: true });
  }
}

function take(): void {
  if (!attempt(() => renameSync(place, taken))) return;
  const name = nameAt(taken);
  if (name !== undefined) note("gone", name);
  rmSync(taken, { recursive: true });
}

/** The folder is a link out of the workspace for a while. */
function flipFolder(): void {
  const aside = join(root, "folder.aside");
  if (attempt(() => lstatSync(aside))) merge(aside);
  if (!attempt(() => renameSync(folder, aside))) return;
  attempt(() => symlinkSync(join("..", "outside"), folder));
  // The other process may have made a folder there.
  attempt(() => rmSync(folder));
  attempt(() => renameSync(aside, folder));
  if (attempt(() => lstatSync(aside))) merge(aside);
}

/** Brings what is left aside into the folder that has its place, under other names. */
function merge(aside: string): void {
  for (const name of readdirSync(aside))
    attempt(() => renameSync(join(aside, name), join(folder, `${name}.${count++}`)));
  attempt(() => rmdirSync(aside));
}

process.stdout.write("flipping\n");
for (;;) {
  put();
  take();
  put();
  if (count % 5 === 0) flipFolder();
}
