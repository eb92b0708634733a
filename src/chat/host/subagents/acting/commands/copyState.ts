import { type BigIntStats, constants } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { placeInside } from "../../../../../platform/files/bounded/placeInside.ts";

/** A path below a folder: a regular file, none, or something that says nothing of its content. */
export type Found =
  | { readonly kind: "file"; readonly file: FileStamp }
  | { readonly kind: "missing" | "other" };

export interface FileStamp {
  /** Changes with each change of the content: nobody can set the time in it. */
  readonly content: string;
  /** Stays when the file is moved. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  /** The user may run it. */
  readonly isProgram: boolean;
}

/** Paths that are looked at together. */
const mostBeside = 16;

/** Looks at paths below a folder. Links are not followed: what is behind one is missing. */
export async function stateOf(
  root: string,
  paths: Iterable<string>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Found>> {
  const found = new Map<string, Found>();
  const folders = new Map<string, Promise<FolderKind>>();
  const folderOf = (path: string) => {
    const folder = dirname(path);
    const looked = folders.get(folder) ?? lookAtFolder(root, folder);
    folders.set(folder, looked);
    return looked;
  };
  const all = [...paths];
  // In this order, whichever is found first.
  for (const path of all) found.set(path, { kind: "missing" });
  const waiting = all.values();
  const work = async () => {
    for (const path of waiting) {
      signal.throwIfAborted();
      const kind = await folderOf(path);
      found.set(path, kind === "folder" ? await lookAt(join(root, path)) : { kind });
    }
  };
  await Promise.all(Array.from({ length: mostBeside }, work));
  return found;
}

type FolderKind = "folder" | "missing" | "other";

async function lookAtFolder(root: string, folder: string): Promise<FolderKind> {
  try {
    const place = await placeInside([root], join(root, folder));
    return place === (folder === "." ? "" : folder) ? "folder" : "missing";
  } catch (error) {
    return isGone(error) ? "missing" : "other";
  }
}

async function lookAt(path: string): Promise<Found> {
  try {
    const stats = await lstat(path, { bigint: true });
    if (stats.isDirectory()) return { kind: "missing" };
    return stats.isFile() ? { kind: "file", file: stampOf(stats) } : { kind: "other" };
  } catch (error) {
    return { kind: isGone(error) ? "missing" : "other" };
  }
}

function stampOf({ ino, size, ctimeNs, birthtimeNs, mode }: BigIntStats): FileStamp {
  return {
    content: `${ino} ${size} ${ctimeNs}`,
    id: `${ino} ${birthtimeNs}`,
    size: Number(size),
    isProgram: (Number(mode) & constants.S_IXUSR) !== 0,
  };
}

/** True if there is no such path. Another failure, such as missing permissions, is not a deletion. */
function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
