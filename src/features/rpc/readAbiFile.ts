import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { placeInside } from "../../platform/placeInside.ts";
import { type AbiFile, readAbiJson } from "./language/abiJson.ts";

/** Artifacts of compilers, with all that is in them beside the ABI, are smaller. */
export const maxAbiBytes = 10_000_000;

export const outside: AbiFile = {
  problem: "This path leads out of the workspace: the file of an ABI has to lie in it",
};
export const notThere: AbiFile = {
  problem: "There is no such file beside this notebook or in the workspace",
};
export const notRegular: AbiFile = { problem: "This is no regular file" };
export const tooLarge: AbiFile = {
  problem: `This file is too large for an ABI: it has more than ${maxAbiBytes / 1_000_000} MB`,
};

/**
 * Reads the ABI at a path below the first of the folders that has it. What lies outside of `roots` once links are
 * followed is not read, nor is a device or a pipe, which may never end. Never throws.
 */
export async function readAbiFile(
  path: string,
  folders: readonly string[],
  roots: readonly string[],
  onFound: (file: string) => void = () => {},
): Promise<AbiFile> {
  for (const folder of folders) {
    const file = join(folder, path);
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) continue;
    const place = await placeInside(roots, file).catch(() => undefined);
    if (place === undefined) return outside;
    onFound(file);
    return readRegular(real).catch((error: unknown) => ({
      problem: `This file can't be read: ${String(error)}`,
    }));
  }
  return notThere;
}

async function readRegular(file: string): Promise<AbiFile> {
  // A pipe is opened without waiting for somebody to write to it; a link that took the file's place is not followed.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isFile()) return notRegular;
    const bytes = await readUpTo(handle, maxAbiBytes + 1);
    return bytes.length > maxAbiBytes ? tooLarge : readAbiJson(bytes.toString("utf8"));
  } finally {
    await handle.close();
  }
}

/** A file may grow while it is read: no more than this is taken. */
async function readUpTo(handle: FileHandle, most: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  while (length < most) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(Math.min(65_536, most - length)));
    if (bytesRead === 0) break;
    pieces.push(buffer.subarray(0, bytesRead));
    length += bytesRead;
  }
  return Buffer.concat(pieces);
}
