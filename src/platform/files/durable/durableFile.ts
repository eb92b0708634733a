import { closeSync, fsyncSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { type FileHandle, link, lstat, open, readFile, realpath, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isMissing, makeFolder, makeFolderNow, openPrivate, openPrivateNow } from "../privateFiles.ts";
import { newTemporaryName } from "./temporaryName.ts";

/** Chooses the path of a temporary file in a folder of the user, so that it is found after a crash (temporaryFiles.ts). */
export interface TemporaryPlaces {
  /** The path of a new temporary file beside this one. */
  beside(path: string): string;
}

/** The text of a file, or undefined if it does not exist. Throws other errors. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Replaces a private file atomically: after a power failure it has either the old text or the new one. A failure leaves
 * nothing beside it. Stops before the rename if `isWanted` returns false because a newer text was written meanwhile. In a
 * folder of the user, `temporary` comes from `TemporaryPlaces`.
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | Iterable<string>,
  isWanted = () => true,
  temporary = temporaryPath(path),
): Promise<void> {
  const file = await openPrivate(temporary, "w").catch(async () => {
    await makeFolder(dirname(path));
    return openPrivate(temporary, "w");
  });
  try {
    await writeAndFlush(file, content);
    if (isWanted()) return await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
  await unlink(temporary);
}

async function writeAndFlush(
  file: FileHandle,
  content: string | Uint8Array | Iterable<string>,
): Promise<void> {
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/**
 * Replaces a file of the user atomically, in place of what a link points to. It keeps its mode; a new one gets `newMode`.
 */
export async function replaceDurably(
  path: string,
  text: string,
  newMode: number,
  temporaryFiles: TemporaryPlaces,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const found = await lstat(target).catch(() => undefined);
  const temporary = temporaryFiles.beside(target);
  try {
    await createWithMode(temporary, text, found?.mode ?? newMode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => {});
    throw error;
  }
}

/**
 * Creates a file of the user with this mode, or with the usual one, and waits until it is on the disk and `isReady` has
 * resolved.
 */
export async function createWithMode(
  path: string,
  content: string | Uint8Array,
  mode: number | undefined,
  isReady?: Promise<unknown>,
): Promise<void> {
  const file = await open(path, "wx", mode);
  try {
    await file.writeFile(content);
    // The mode of a new file lacks the bits of the umask.
    const chmod = mode === undefined ? undefined : file.chmod(mode & 0o7777);
    await Promise.all([file.sync(), chmod, isReady]);
  } finally {
    await file.close();
  }
}

/**
 * Creates a private file, and waits until it is on the disk. False with nothing changed if the name exists. After a crash
 * the file may be incomplete: for contents that are checked when they are read.
 */
export async function createFlushed(path: string, bytes: Uint8Array): Promise<boolean> {
  const file = await openNew(path);
  if (!file) return false;
  try {
    await writeAndFlush(file, bytes);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return true;
}

/** Undefined if the name exists. */
async function openNew(path: string, isRepeated = false): Promise<FileHandle | undefined> {
  try {
    return await openPrivate(path, "wx");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST") return undefined;
    if (code !== "ENOENT" || isRepeated) throw error;
    await makeFolder(dirname(path));
    return openNew(path, true);
  }
}

/** Appends to a private file, and waits until it is on the disk: for the shutdown of the process. */
export function appendDurablyNow(path: string, text: string): void {
  makeFolderNow(dirname(path));
  writeAndFlushNow(openPrivateNow(path, "a"), text);
}

/** The asynchronous form of `appendDurablyNow`, in a folder that exists. */
export async function appendFlushed(path: string, text: string): Promise<void> {
  await writeAndFlush(await openPrivate(path, "a"), text);
}

/** Moves a private file within one disk after its content is flushed. */
export async function moveDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to));
  await syncFile(from);
  await rename(from, to);
}

/**
 * Creates a file atomically from the temporary file that `write` fills. Rejects with EEXIST if the name exists, a
 * dangling link included, and leaves that unchanged. The file is in a folder of the user, so it gets the default mode.
 */
export async function createDurably(
  path: string,
  temporaryFiles: TemporaryPlaces,
  write: (path: string) => Promise<void>,
): Promise<void> {
  const temporary = temporaryFiles.beside(path);
  // Created exclusively, so that nothing is written through a link of that name.
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

/** For file systems without hard links. */
async function renameToNew(from: string, to: string, error: unknown): Promise<void> {
  const isTaken = await lstat(to).then(
    () => true,
    () => false,
  );
  if (isTaken) throw error;
  await rename(from, to);
}

/** The synchronous form of `writeDurably`, for the shutdown of the process. */
export function writeDurablyNow(path: string, text: string): void {
  makeFolderNow(dirname(path));
  const temporary = temporaryPath(path);
  try {
    writeAndFlushNow(openPrivateNow(temporary, "w"), text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function writeAndFlushNow(file: number, text: string): void {
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Renames an unreadable file to `<path>.<time>.bad` and returns that path. */
export async function setAside(path: string, nowMs = Date.now()): Promise<string> {
  const aside = `${path}.${nowMs}.bad`;
  await rename(path, aside);
  return aside;
}

/**
 * In the same folder, so that the rename is atomic. The name is unique because two writes may overlap, and short
 * because the file's name may have the maximum length.
 */
function temporaryPath(path: string): string {
  return join(dirname(path), newTemporaryName());
}
