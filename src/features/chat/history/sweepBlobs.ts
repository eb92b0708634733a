import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { writePrivately } from "../../../platform/privateFiles.ts";
import { blobName } from "./exportConversation.ts";

const dayMs = 86_400_000;
/** What was attached so lately may not be named in any file yet. */
const graceMs = dayMs;
/** Looking through all conversations is work: it is done once in so many days. */
const everyMs = 7 * dayMs;
const swept = "swept";

/**
 * Removes the contents of attachments that no conversation names any more: not those that are there, nor those in the
 * trash, nor their damaged lines. Returns how many it removed. Whoever wants one again meanwhile touches it.
 */
export async function sweepBlobs(directory: string, nowMs: number): Promise<number> {
  const blobs = join(directory, "blobs");
  const isOld = async (path: string, ageMs: number) => {
    const found = await stat(path).catch(() => undefined);
    return found !== undefined && nowMs - found.mtimeMs > ageMs;
  };
  const lastTime = await stat(join(blobs, swept)).catch(() => undefined);
  if (lastTime && !(await isOld(join(blobs, swept), everyMs))) return 0;
  const unnamed = new Set<string>();
  for (const name of await readdir(blobs).catch(() => [])) {
    if (name !== swept && (await isOld(join(blobs, name), graceMs))) unnamed.add(name);
  }
  if (unnamed.size === 0) return 0;
  for (const folder of [directory, join(directory, "trash")]) {
    for (const name of await readdir(folder).catch(() => [])) {
      if (unnamed.size === 0) break;
      // What can't be read may name any of them.
      if (/\.(?:jsonl|json|bad|migrated)$/.test(name)) await forgetNamed(join(folder, name), unnamed);
    }
  }
  let removed = 0;
  for (const name of unnamed) {
    const path = join(blobs, name);
    if (!(await isOld(path, graceMs))) continue;
    await rm(path, { force: true });
    removed += 1;
  }
  await writePrivately(join(blobs, swept), "");
  return removed;
}

async function forgetNamed(path: string, unnamed: Set<string>): Promise<void> {
  for (const [name] of (await readFile(path, "latin1")).matchAll(blobName)) unnamed.delete(name);
}
