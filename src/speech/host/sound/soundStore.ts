import { readdir, readFile, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { isMissing, makeFolder } from "../../../platform/files/privateFiles.ts";
import { Lazy } from "../../../platform/lazy.ts";
import { type SpeechFormat, speechFormats } from "../../../shared/sound/speechFormats.ts";

/** A sound that was paid for. */
export interface Sound {
  readonly format: SpeechFormat;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

export interface SoundStoreDeps {
  /** Absolute. */
  readonly folder: string;
  /** Size limit; the least recently used sounds are deleted first. Default 300 MB. */
  readonly maxBytes?: number;
}

const fileName = /^([0-9a-f]{40})\.(\w+)$/;

/** Stores all sounds that were paid for, so that no text is billed twice. */
export class SoundStore {
  readonly #folder: string;
  readonly #maxBytes: number;
  #formats: Lazy<Map<string, SpeechFormat>>;
  #writtenBytes = Number.POSITIVE_INFINITY;

  constructor({ folder, maxBytes = 300_000_000 }: SoundStoreDeps) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
    this.#formats = this.#readLater();
  }

  async get(key: string): Promise<Sound | undefined> {
    const format = (await this.#formats.get()).get(key);
    if (!format) return undefined;
    const path = this.#pathOf(key, format);
    try {
      const bytes = new Uint8Array(await readFile(path));
      const now = new Date();
      await utimes(path, now, now);
      return { format, bytes };
    } catch (error) {
      if (!isMissing(error)) throw error;
      (await this.#formats.get()).delete(key);
      return undefined;
    }
  }

  async has(key: string): Promise<boolean> {
    return (await this.#formats.get()).has(key);
  }

  async put(key: string, { format, bytes }: Sound): Promise<void> {
    await writeDurably(this.#pathOf(key, format), bytes);
    (await this.#formats.get()).set(key, format);
    this.#writtenBytes += bytes.byteLength;
    if (this.#writtenBytes > this.#maxBytes) await this.#prune();
  }

  #readLater(): Lazy<Map<string, SpeechFormat>> {
    return new Lazy(() => readNames(this.#folder));
  }

  #pathOf(key: string, format: SpeechFormat): string {
    return join(this.#folder, `${key}.${format}`);
  }

  async #prune(): Promise<void> {
    const files = await readdir(this.#folder);
    const paths = files.filter((name) => fileName.test(name)).map((name) => join(this.#folder, name));
    const sizes = await Promise.all(paths.map(async (path) => ({ path, ...pick(await stat(path)) })));
    let total = sizes.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of sizes.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= this.#maxBytes) break;
      await unlink(path);
      total -= size;
    }
    this.#formats = this.#readLater();
    this.#writtenBytes = total;
  }
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
