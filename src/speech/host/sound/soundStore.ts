import { readdir, readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../../platform/files/durableFile.ts";
import { makeFolder } from "../../../platform/files/privateFiles.ts";
import { Lazy } from "../../../platform/lazy.ts";
import { type SpeechFormat, speechFormats } from "../../../shared/sound/speechFormats.ts";

/** A sound that was paid for. */
export interface Sound {
  readonly format: SpeechFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Stores all sounds that were paid for, so that no text is billed twice. */
export interface SoundStore {
  get(key: string): Promise<Sound | undefined>;
  has(key: string): Promise<boolean>;
  put(key: string, sound: Sound): Promise<void>;
}

export interface SoundStoreDeps {
  /** Absolute. */
  readonly folder: string;
  /** Size limit; the least recently used sounds are deleted first. Default 300 MB. */
  readonly maxBytes?: number;
}

const fileName = /^([0-9a-f]{40})\.(\w+)$/;

export function createSoundStore({ folder, maxBytes = 300_000_000 }: SoundStoreDeps): SoundStore {
  const readLater = () => new Lazy(() => readNames(folder));
  let formats = readLater();
  let writtenBytes = Number.POSITIVE_INFINITY;
  const pathOf = (key: string, format: SpeechFormat) => join(folder, `${key}.${format}`);
  const prune = async () => {
    const files = await readdir(folder);
    const paths = files.filter((name) => fileName.test(name)).map((name) => join(folder, name));
    const sizes = await Promise.all(paths.map(async (path) => ({ path, ...pick(await stat(path)) })));
    let total = sizes.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of sizes.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= maxBytes) break;
      await unlink(path);
      total -= size;
    }
    formats = readLater();
    writtenBytes = total;
  };
  return {
    async get(key) {
      const format = (await formats.get()).get(key);
      if (!format) return undefined;
      const path = pathOf(key, format);
      try {
        const bytes = new Uint8Array(await readFile(path));
        const now = new Date();
        await utimes(path, now, now);
        return { format, bytes };
      } catch (error) {
        if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
        (await formats.get()).delete(key);
        return undefined;
      }
    },
    has: async (key) => (await formats.get()).has(key),
    async put(key, { format, bytes }) {
      await writeDurably(pathOf(key, format), bytes);
      (await formats.get()).set(key, format);
      writtenBytes += bytes.byteLength;
      if (writtenBytes > maxBytes) await prune();
    },
  };
}

function pick({ size, mtimeMs }: { readonly size: number; readonly mtimeMs: number }) {
  return { size, mtimeMs };
}

async function readNames(folder: string): Promise<Map<string, SpeechFormat>> {
  await makeFolder(folder);
  const found = new Map<string, SpeechFormat>();
  for (const name of await readdir(folder)) {
    const [, key, extension] = fileName.exec(name) ?? [];
    const format = speechFormats.find((one) => one === extension);
    if (key && format) found.set(key, format);
  }
  return found;
}
