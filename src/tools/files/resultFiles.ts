import { randomBytes } from "node:crypto";
import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../platform/files/durable/durableFile.ts";

/** Pictures and sounds that tools made. They were paid for, so they are files and not only parts of a result. */
export interface ResultFiles {
  /** Resolves to the absolute path of the new file. */
  save(kind: "picture" | "sound", extension: string, bytes: Uint8Array): Promise<string>;
}

export interface ResultFilesDeps {
  /** Absolute. */
  readonly folder: string;
  /** Size limit in bytes; the oldest files are deleted first. */
  readonly maxBytes?: number;
}

const ownName = /^(picture|sound)-\d{8}-\d{6}-[0-9a-f]{6}\.\w+$/;

export function createResultFiles({ folder, maxBytes = 500_000_000 }: ResultFilesDeps): ResultFiles {
  return {
    async save(kind, extension, bytes) {
      const path = join(
        folder,
        `${kind}-${stampOf(new Date())}-${randomBytes(3).toString("hex")}.${extension}`,
      );
      await writeDurably(path, bytes);
      await prune(folder, maxBytes, path);
      return path;
    },
  };
}

/** `20260131-145900`, in UTC. */
function stampOf(now: Date): string {
  return now.toISOString().slice(0, 19).replace(/[-:]/g, "").replace("T", "-");
}

async function prune(folder: string, maxBytes: number, kept: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => ownName.test(name));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another window may delete it at the same time.
      const found = await stat(path).catch(() => undefined);
      return { path, bytes: found?.size ?? 0, atMs: found?.mtimeMs ?? 0 };
    }),
  );
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of files.sort((a, b) => a.atMs - b.atMs)) {
    if (total <= maxBytes) return;
    if (path === kept) continue;
    await unlink(path).catch(() => {});
    total -= bytes;
  }
}
