import { lstatSync } from "node:fs";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { linkAtPath } from "../files/linkTarget.ts";

/** The facts of a regular file or a symbolic link by which a change is noticed without reading it. */
export interface FileStamp {
  /** Size, times, inode and mode. No program can set the time of the last change of these. */
  readonly text: string;
  /** Bytes. */
  readonly size: number;
  readonly mode: number;
  /** When its content, its mode or its name was last changed. */
  readonly changedMs: number;
  /** When it was made; undefined if the file system does not tell. */
  readonly bornMs: number | undefined;
  /** It has several names, which are hard links: a change by one of them is told of that one only. */
  readonly isShared?: true;
  /** Of a link, see `linkAtPath`. Nothing looks where it leads. */
  readonly target?: string;
}

/** The inode: the same for each name of a file. */
export function inodeOf({ text }: FileStamp): string {
  return text.split(" ")[3] ?? "";
}

/** Size and time: each write of the content changes them, unless the writing program sets the time. */
export function writtenOf({ text }: FileStamp): string {
  return text.split(" ").slice(0, 2).join(" ");
}

/** Another kind of entry, such as a file that can't be reached; `none` if nothing is there. */
export type OtherEntry = "folder" | "other" | "none";

/** The event loop is not blocked longer in milliseconds. */
const longestSliceMs = 8;
/** File systems note times in steps of up to 2 s. */
export const timeStepMs = 2_000;
const clockStepMs = 50;

/** True if a file that had this stamp at the time may have changed since, with the same stamp. */
export function isRecent({ changedMs }: FileStamp, nowMs: number): boolean {
  // Most file systems note the time of the clock, which goes in steps of some milliseconds.
  const stepMs = changedMs % 1000 === 0 ? timeStepMs : clockStepMs;
  return changedMs > nowMs - stepMs;
}

/** The stamp of a regular file or a link, which is not followed. */
export function stampOf(path: string): FileStamp | OtherEntry {
  try {
    const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    if (!found) return "none";
    const target = found.isSymbolicLink() ? linkAtPath(path) : undefined;
    if (!found.isFile() && target === undefined) return found.isDirectory() ? "folder" : "other";
    const { size, mtimeNs, ctimeNs, birthtimeNs, ino, mode, nlink } = found;
    return {
      text: [size, mtimeNs, ctimeNs, ino, mode].join(" "),
      size: Number(size),
      mode: Number(mode) & 0o777,
      changedMs: Number(ctimeNs / 1_000_000n),
      bornMs: birthtimeNs > 0n ? Number(birthtimeNs / 1_000_000n) : undefined,
      ...(target === undefined && nlink > 1n ? { isShared: true } : {}),
      ...(target === undefined ? {} : { target }),
    };
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ENOTDIR";
    return isGone ? "none" : "other";
  }
}

/**
 * The stamps of those paths that are regular files or links. The calls are synchronous, which takes a third of the time of others, and
 * make way for other work after some milliseconds. Rejects with the signal's reason.
 */
export async function stampsOf(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, FileStamp>> {
  const stamps = new Map<string, FileStamp>();
  let sinceMs = performance.now();
  for (const path of paths) {
    const stamp = stampOf(path);
    if (typeof stamp === "object") stamps.set(path, stamp);
    if (performance.now() - sinceMs < longestSliceMs) continue;
    await setImmediate();
    signal.throwIfAborted();
    sinceMs = performance.now();
  }
  return stamps;
}

/** False for what is reached through a link only, so that nothing is there: a program has put the link in the place of a folder. */
export function plainPlaces(roots: readonly string[]): (path: string) => boolean {
  const plain = new Map(roots.map((root) => [root, true]));
  const isPlain = (folder: string): boolean => {
    const known = plain.get(folder);
    if (known !== undefined) return known;
    const above = dirname(folder);
    const isFolder = above === folder || (isPlain(above) && linkAtPath(folder) === undefined);
    plain.set(folder, isFolder);
    return isFolder;
  };
  return (path) => isPlain(dirname(path));
}
