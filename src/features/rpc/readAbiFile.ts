import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { placeInside } from "../../platform/placeInside.ts";
import { type AbiFile, readAbiJson } from "./language/abiJson.ts";

/** Artifacts of compilers, which contain more than the ABI, are smaller. */
export const maxAbiBytes = 10_000_000;

export const outside: AbiFile = {
  problem: "This path is outside of the workspace. Move the ABI file into it",
};
export const notThere: AbiFile = {
  problem: "The file was not found in the folder of the notebook or in the workspace",
};
export const notRegular: AbiFile = { problem: "This is not a regular file" };
export const tooLarge: AbiFile = {
  problem: `This file is too large for an ABI (more than ${maxAbiBytes / 1_000_000} MB)`,
};

/**
 * Reads the ABI from the first of the folders that contains the path. Refuses targets outside of `roots` after links
 * are resolved, and devices and pipes, which may never end. Never throws.
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
  // O_NONBLOCK: opening a pipe must not wait for a writer. O_NOFOLLOW: the file may have been replaced with a link.
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

/** Limited, because a file may grow while it is read. */
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
