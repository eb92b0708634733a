import { closeSync, fsyncSync, renameSync, writeFileSync } from "node:fs";
import { link, lstat, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder, makeFolderNow, openPrivate, openPrivateNow } from "./privateFiles.ts";

/** The text of a file, or undefined where there is none. Throws what else keeps it from being read. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Replaces a private file as one step: whoever reads it, whenever the power fails, finds the old text or the new one. Gives up
 * before that step where `isWanted` says that a newer text has been written meanwhile.
 */
export async function writeDurably(
  path: string,
  text: string | Uint8Array,
  isWanted = () => true,
): Promise<void> {
  await makeFolder(dirname(path));
  const temporary = temporaryPath(path);
  const file = await openPrivate(temporary, "w");
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  if (isWanted()) await rename(temporary, path);
  else await unlink(temporary);
}

/** Moves a private file within one disk, once all of it is there. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await syncFile(from);
  await rename(from, to);
}

/**
 * Makes a file as one step, of what `write` puts into the file whose path it is given. Rejects with EEXIST where
 * something has that name, a link to nowhere included, and leaves it as it is. The file is the user's own, in a folder
 * of theirs: who else may read it is for the system's usual mode to say.
 */
export async function createDurably(path: string, write: (path: string) => Promise<void>): Promise<void> {
  const temporary = temporaryPath(path);
  // Claimed: nothing is written where a link of that name leads.
  await (await open(temporary, "wx")).close();
  try {
    await write(temporary);
    await syncFile(temporary);
    await link(temporary, path).catch((error: unknown) => renameToNew(temporary, path, error));
  } finally {
    await rm(temporary, { force: true });
  }
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, "r+");
  await file.sync().finally(() => file.close());
}

/** For disks that have no second names for a file. */
async function renameToNew(from: string, to: string, error: unknown): Promise<void> {
  const isTaken = await lstat(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw error;
  await rename(from, to);
}

/** The same as `writeDurably`, done when it returns: for the moment in which the process is about to end. */
export function writeDurablyNow(path: string, text: string): void {
  makeFolderNow(dirname(path));
  const temporary = temporaryPath(path);
  const file = openPrivateNow(temporary, "w");
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/** Moves a file that could not be understood out of the way, to `<path>.<time>.bad`, and returns that path. */
export async function setAside(path: string, nowMs = Date.now()): Promise<string> {
  const aside = `${path}.${nowMs}.bad`;
  await rename(path, aside);
  return aside;
}

/**
 * In the same folder, where a rename is one step; a name of its own, for two writes may overlap. Nothing of the file's
 * name is in it: that may be as long as a name can be.
 */
function temporaryPath(path: string): string {
  return join(dirname(path), `.${crypto.randomUUID()}.tmp`);
}
