import { lstatSync, readlinkSync } from "node:fs";

/**
 * The target of the symbolic link at a path, byte for byte: one character for each byte. Undefined if no link is there. It is read
 * as a text, and nothing looks where it leads.
 */
export function linkAtPath(path: string): string | undefined {
  try {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    return readlinkSync(path, "buffer").toString("latin1");
  } catch {
    return undefined; // a part of the path is a file, or the link has just been replaced
  }
}

/** A target as the user reads it. */
export function targetText(target: string): string {
  return Buffer.from(target, "latin1").toString();
}
