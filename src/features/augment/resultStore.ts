import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { moveDurably, readTextIfThere, writeDurably } from "../../platform/durableFile.ts";
import { makeFolder } from "../../platform/privateFiles.ts";
import { type NewResult, type StoredResult, toStoredResult } from "./storedResult.ts";

/** Everything that was paid for lately, in files: one for each result, one more for its text. */
export interface ResultStore {
  /** Newest first. A file that can't be understood is left out, and left alone. */
  list(): Promise<readonly StoredResult[]>;
  /** The text of a page or a document is kept beside it: a file that it is in is moved there. */
  add(result: NewResult, text?: string | { readonly path: string }): Promise<StoredResult>;
  /** The text beside a result; undefined once it is gone. */
  text(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
}

export interface ResultStoreDeps {
  /** Absolute. */
  readonly folder: string;
  readonly now: () => number;
  readonly onAdd?: () => void;
}

const mostStored = 200;
const fileName = /^(\d{15}-[0-9a-f]{8})\.json$/;

export function createResultStore({ folder, now, onAdd }: ResultStoreDeps): ResultStore {
  /** Files are written once: what was read stays true. */
  const known = new Map<string, StoredResult | undefined>();
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const textPathOf = (id: string) => join(folder, `${id}.text`);
  const read = async (id: string) => {
    if (!known.has(id)) known.set(id, toStoredResult((await readTextIfThere(pathOf(id))) ?? ""));
    return known.get(id);
  };
  const list = async () => {
    await makeFolder(folder);
    const names = (await readdir(folder)).sort().reverse();
    const ids = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const results = await Promise.all(ids.map(read));
    return results.flatMap((result) => result ?? []);
  };
  const remove = async (id: string) => {
    known.delete(id);
    // The result first: a text that nothing names is only lost space.
    await unlinkIfThere(pathOf(id));
    await unlinkIfThere(textPathOf(id));
  };
  return {
    list,
    async add(result, text) {
      const atMs = now();
      const id = `${String(atMs).padStart(15, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      const stored = { ...result, id, atMs } as StoredResult;
      if (typeof text === "string") await writeDurably(textPathOf(id), text);
      else if (text) await moveDurably(text.path, textPathOf(id));
      await writeDurably(pathOf(id), JSON.stringify(stored));
      known.set(id, stored);
      onAdd?.();
      const old = (await list()).slice(mostStored);
      await Promise.all(old.map(({ id: each }) => remove(each)));
      return stored;
    },
    text: (id) => readTextIfThere(textPathOf(id)),
    remove,
  };
}

async function unlinkIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
  }
}
