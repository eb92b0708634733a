import { constants, type FileHandle, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { IrregularFile, openRegular } from "./openRegular.ts";
import { placeInside } from "./placeInside.ts";

/** The text of a file, or why it is not read. */
export type InsideText =
  | { readonly text: string; readonly file: string }
  | {
      readonly failure: "outside" | "missing" | "irregular" | "too-large" | "unreadable";
      readonly why?: string;
    };

export interface InsideOptions {
  /** Told the path before the file is read. */
  readonly onFound?: (file: string) => void;
  /** The text of a file that is not saved yet, which counts in place of the file's; it may have none. */
  readonly unsaved?: (file: string) => string | undefined;
}

/**
 * Reads a file from the first of the folders that contains the path. Refuses targets outside of `roots` after links are
 * resolved, and devices and pipes, which may never end. Never throws.
 */
export async function readInside(
  path: string,
  folders: readonly string[],
  roots: readonly string[],
  maxBytes: number,
  { onFound, unsaved }: InsideOptions = {},
): Promise<InsideText> {
  for (const folder of folders) {
    const file = join(folder, path);
    const real = await realpath(file).catch(() => undefined);
    const typed = unsaved?.(file);
    if (real === undefined && typed === undefined) continue;
    const place = await placeInside(roots, real === undefined ? dirname(file) : file).catch(() => undefined);
    if (place === undefined) return { failure: "outside" };
    onFound?.(file);
    if (typed !== undefined) return atMost(typed, maxBytes, file);
    try {
      const text = await readRegular(real ?? file, maxBytes);
      return typeof text === "string" ? { text, file } : text;
    } catch (error) {
      return { failure: "unreadable", why: String(error) };
    }
  }
  return { failure: "missing" };
}

function atMost(text: string, maxBytes: number, file: string): InsideText {
  return Buffer.byteLength(text) > maxBytes ? { failure: "too-large" } : { text, file };
}

/** Reads a file that is no link, device or pipe, and has at most `maxBytes`. Rejects if it can't be opened. */
export async function readRegular(
  file: string,
  maxBytes: number,
): Promise<string | { readonly failure: "irregular" | "too-large" }> {
  // O_NOFOLLOW: the file may have been replaced with a link.
  const handle = await openRegular(file, constants.O_NOFOLLOW ?? 0).catch((error: unknown) => {
    if (error instanceof IrregularFile) return undefined;
    throw error;
  });
  if (!handle) return { failure: "irregular" };
  try {
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
