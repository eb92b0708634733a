import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../../../platform/files/durable/durableFile.ts";
import { sha256 } from "../../../platform/sha256.ts";

const mostStored = 10_000;

/** A local cache of thumbnails. */
export class Thumbs {
  readonly #folder: string;
  #pruning: Promise<void> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Undefined if no thumbnail has this stamp. */
  async read(picture: string, stamp: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(this.#pathOf(picture, stamp));
    } catch {
      // An unreadable thumbnail is made again.
      return undefined;
    }
  }

  async write(picture: string, stamp: string, data: Uint8Array): Promise<void> {
    await writeDurably(this.#pathOf(picture, stamp), data);
    this.#pruning ??= prune(this.#folder);
    await this.#pruning;
  }

  #pathOf(picture: string, stamp: string): string {
    const digest = sha256(`${picture}\n${stamp}`);
    return join(this.#folder, `${digest.slice(0, 40)}.webp`);
  }
}

/** Once per session: removes the oldest ones beyond the limit. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= mostStored) return;
  const aged = await Promise.all(
    names.map(async (name) => ({ name, ms: (await stat(join(folder, name))).mtimeMs })),
  );
  const old = aged.sort((a, b) => a.ms - b.ms).slice(0, names.length - mostStored / 2);
  await Promise.all(old.map(({ name }) => unlink(join(folder, name))));
}
