import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** A searchable file. */
export interface IndexedFile {
  readonly path: string;
  /** Unix time in milliseconds. */
  readonly changedMs: number;
  /** Bytes. */
  readonly size: number;
}

const readable = /\.(md|markdown|txt|html?)$/i;
const skipped = /^(\.|node_modules$)/;
const mostFiles = 2000;
const mostBytes = 1024 * 1024;
const mostTotalBytes = 64 * 1024 * 1024;
const mostDepth = 12;

/** The text files of a folder and its subfolders. Empty if it can't be read. */
export async function filesIn(folder: string): Promise<IndexedFile[]> {
  const found: IndexedFile[] = [];
  await walk(folder, 0, found);
  let room = mostTotalBytes;
  return found.filter(({ size }) => {
    room -= size;
    return room >= 0;
  });
}

async function walk(folder: string, depth: number, found: IndexedFile[]): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (skipped.test(entry.name) || found.length >= mostFiles) continue;
    const path = join(folder, entry.name);
    // Symbolic links are not followed, because they may form cycles.
    if (entry.isDirectory() && depth < mostDepth) await walk(path, depth + 1, found);
    else if (entry.isFile() && readable.test(entry.name)) await add(path, found);
  }
}

async function add(path: string, found: IndexedFile[]): Promise<void> {
  // The file may have been deleted.
  const facts = await stat(path).catch(() => undefined);
  if (facts && facts.size <= mostBytes) found.push({ path, changedMs: facts.mtimeMs, size: facts.size });
}
