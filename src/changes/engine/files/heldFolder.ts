import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { Refusal } from "../../../platform/errors/refusal.ts";

/**
 * A folder of the workspace that has been reached without a link. On Linux it is held open: what is written by its paths is
 * in this folder, even if another process puts a link in its place. Elsewhere, `check` finds such a link.
 */
export interface HeldFolder {
  /** The path of an entry. It is valid until `close`. */
  at(name: string): string;
  /** Throws a Refusal if the folder is no longer in its place. */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface HoldOptions {
  /** The folder of the workspace, which may be a link. */
  readonly root: string;
  /** The folder to hold: `root`, or one below it. */
  readonly folder: string;
  /** The path of the file, as the user knows it. */
  readonly path: string;
  /** Creates the missing folders; else the error of a missing one is ENOENT. */
  readonly creates?: boolean;
}

/** Rejects with a Refusal if a part of the path below the root is a link. */
export async function holdFolder(options: HoldOptions): Promise<HeldFolder> {
  return process.platform === "linux" ? holdOpen(options) : holdByName(options);
}

const folderFlags = constants.O_RDONLY | constants.O_DIRECTORY;

/** Opens each folder of the path in the one before it, as `openat` does. Node has no such function, but Linux has paths of handles. */
async function holdOpen({ root, folder, path, creates = false }: HoldOptions): Promise<HeldFolder> {
  let handle = await open(root, folderFlags);
  try {
    // A part of the path that is replaced meanwhile changes what the last handle is, so it is compared with this one.
    const place = join(await placeOf(handle), relative(root, folder));
    for (const name of namesBelow(root, folder)) {
      const next = await openEntry(handle, name, path, creates);
      await handle.close();
      handle = next;
    }
    const held = handle;
    const check = async () => {
      if ((await placeOf(held)) !== place) throw replaced(path);
    };
    await check();
    return { at: (name) => entryOf(held, name), check, close: () => held.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function openEntry(
  folder: FileHandle,
  name: string,
  path: string,
  creates: boolean,
): Promise<FileHandle> {
  const entry = entryOf(folder, name);
  if (creates) await makeIfMissing(entry);
  try {
    return await open(entry, folderFlags | constants.O_NOFOLLOW);
  } catch (error) {
    if ((await lstat(entry).catch(() => undefined))?.isSymbolicLink()) throw replaced(path);
    throw error;
  }
}

function entryOf({ fd }: FileHandle, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}

function placeOf({ fd }: FileHandle): Promise<string> {
  return readlink(`/proc/self/fd/${fd}`);
}

async function holdByName({ root, folder, path, creates = false }: HoldOptions): Promise<HeldFolder> {
  const place = join(await realpath(root), relative(root, folder));
  const names = namesBelow(root, folder);
  if (creates)
    for (let index = 0; index < names.length; index++) {
      const above = join(root, ...names.slice(0, index + 1));
      await makeIfMissing(above);
      if ((await lstat(above).catch(() => undefined))?.isSymbolicLink()) throw replaced(path);
    }
  const check = async () => {
    if ((await realpath(folder)).normalize() !== place.normalize()) throw replaced(path);
  };
  await check();
  return { at: (name) => join(folder, name), check, close: async () => {} };
}

async function makeIfMissing(folder: string): Promise<void> {
  await mkdir(folder).catch((error: unknown) => {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  });
}

function namesBelow(root: string, folder: string): readonly string[] {
  return relative(root, folder)
    .split(sep)
    .filter((name) => name !== "");
}

/** Refuses what is a link now, and was none when its place was checked. */
export function replaced(path: string): Refusal {
  return new Refusal(
    `${path} was not changed, because another program has put a link in its place, or in that of its folder. Look at what runs, and try again.`,
  );
}
