import { constants, type FileHandle, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { placeInside } from "./placeInside.ts";

/** The text of a file, or why it is not read. */
export type InsideText =
  | { readonly text: string; readonly file: string }
  | {
      readonly failure: "outside" | "missing" | "irregular" | "too-large" | "unreadable";
      readonly why?: string;
    };

/**
 * Reads a file from the first of the folders that contains the path. Refuses targets outside of `roots` after links are
 * resolved, and devices and pipes, which may never end. Never throws.
 */
export async function readInside(
  path: string,
  folders: readonly string[],
  roots: readonly string[],
  maxBytes: number,
  onFound: (file: string) => void = () => {},
): Promise<InsideText> {
  for (const folder of folders) {
    const file = join(folder, path);
    const real = await realpath(file).catch(() => undefined);
    if (real === undefined) continue;
    const place = await placeInside(roots, file).catch(() => undefined);
    if (place === undefined) return { failure: "outside" };
    onFound(file);
    try {
      const text = await readRegular(real, maxBytes);
      return typeof text === "string" ? { text, file } : text;
    } catch (error) {
      return { failure: "unreadable", why: String(error) };
    }
  }
  return { failure: "missing" };
}

/** Reads a file that is no link, device or pipe, and has at most `maxBytes`. Rejects if it can't be opened. */
export async function readRegular(
  file: string,
  maxBytes: number,
): Promise<string | { readonly failure: "irregular" | "too-large" }> {
  // O_NONBLOCK: opening a pipe must not wait for a writer. O_NOFOLLOW: the file may have been replaced with a link.
  const { O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0 } = constants;
  const handle = await open(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (!(await handle.stat()).isFile()) return { failure: "irregular" };
    const bytes = await readUpTo(handle, maxBytes + 1);
    return bytes.length > maxBytes ? { failure: "too-large" } : bytes.toString("utf8");
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
