import { readdir, readFile, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder, writePrivately } from "../../../platform/files/privateFiles.ts";
import { sha256 } from "../../../platform/sha256.ts";

/** A local cache of thumbnails. */
export interface Thumbs {
  /** Undefined if no thumbnail has this stamp. */
  read(picture: string, stamp: string): Promise<Uint8Array | undefined>;
  write(picture: string, stamp: string, data: Uint8Array): Promise<void>;
}

const mostStored = 10_000;

export function createThumbs(folder: string): Thumbs {
  const pathOf = (picture: string, stamp: string) => {
    const digest = sha256(`${picture}\n${stamp}`);
    return join(folder, `${digest.slice(0, 40)}.webp`);
  };
  let pruning: Promise<void> | undefined;
  return {
    async read(picture, stamp) {
      try {
        return await readFile(pathOf(picture, stamp));
      } catch {
        // An unreadable thumbnail is made again.
        return undefined;
      }
    },
    async write(picture, stamp, data) {
      await makeFolder(folder);
      await writePrivately(pathOf(picture, stamp), data);
      pruning ??= prune(folder);
      await pruning;
    },
  };
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
