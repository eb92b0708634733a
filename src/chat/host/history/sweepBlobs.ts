import type { Stats } from "node:fs";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writePrivately } from "../../../platform/files/privateFiles.ts";
import { blobName } from "./transfer/exportConversation.ts";

const dayMs = 86_400_000;
/** Newer blobs are kept, because the message that refers to them may not be written yet. */
const graceMs = dayMs;
/** Interval of sweeps; each one reads all conversations. */
const everyMs = 7 * dayMs;
const swept = "swept";

/**
 * Deletes the contents of attachments that no conversation refers to, including conversations in the trash and damaged
 * lines. Returns the number of deleted files. A blob that is used again meanwhile gets a new modification time.
 */
export async function sweepBlobs(directory: string, nowMs: number): Promise<number> {
  const blobs = join(directory, "blobs");
  const lastTime = await stat(join(blobs, swept)).catch(() => undefined);
  if (lastTime && !isOlder(lastTime, nowMs, everyMs)) return 0;
  const unnamed = await oldBlobs(blobs, nowMs);
  if (unnamed.size === 0) return 0;
  for (const folder of [directory, join(directory, "trash")]) await forgetNamedBelow(folder, unnamed);
  let removed = 0;
  for (const name of unnamed) if (await removeOld(join(blobs, name), nowMs)) removed += 1;
  await writePrivately(join(blobs, swept), "");
  return removed;
}

function isOlder({ mtimeMs }: Pick<Stats, "mtimeMs">, nowMs: number, ageMs: number): boolean {
  return nowMs - mtimeMs > ageMs;
}

async function isOld(path: string, nowMs: number): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && isOlder(found, nowMs, graceMs);
}

async function oldBlobs(blobs: string, nowMs: number): Promise<Set<string>> {
  const names = new Set<string>();
  for (const name of await readdir(blobs).catch(() => []))
    if (name !== swept && (await isOld(join(blobs, name), nowMs))) names.add(name);
  return names;
}

/** False with nothing removed if it has been used again. */
async function removeOld(path: string, nowMs: number): Promise<boolean> {
  if (!(await isOld(path, nowMs))) return false;
  await rm(path, { force: true });
  return true;
}

async function forgetNamedBelow(folder: string, unnamed: Set<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (unnamed.size === 0) return;
    // Unreadable files may refer to any blob, so their text is searched for names.
    if (/\.(?:jsonl|json|bad|migrated)$/.test(name)) await forgetNamed(join(folder, name), unnamed);
  }
}

async function forgetNamed(path: string, unnamed: Set<string>): Promise<void> {
  for (const [name] of (await readFile(path, "latin1")).matchAll(blobName)) unnamed.delete(name);
}
