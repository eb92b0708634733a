import { readdir, unlink } from "node:fs/promises";
import { join } from "node:path";
import { moveDurably, readTextIfThere, writeDurably } from "../platform/files/durableFile.ts";
import { isMissing, makeFolder } from "../platform/files/privateFiles.ts";
import { type NewResult, type StoredResult, toStoredResult } from "./storedResult.ts";

/** The latest paid results on disk: one file for each, and one for its text. */
export interface ResultStore {
  /** Newest first. Skips files that can't be read, without deleting them. */
  list(): Promise<readonly StoredResult[]>;
  /** Stores a result with the text of its page or document. A text that is in a file is moved. */
  add<Result extends NewResult>(
    result: Result,
    text?: string | { readonly path: string },
  ): Promise<Extract<StoredResult, { kind: Result["kind"] }>>;
  /** Undefined if the text was deleted. */
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
  /** Never stale, because files are written only once. */
  const cached = new Map<string, StoredResult | undefined>();
  const pathOf = (id: string) => join(folder, `${id}.json`);
  const textPathOf = (id: string) => join(folder, `${id}.text`);
  const read = async (id: string) => {
    if (!cached.has(id)) cached.set(id, toStoredResult((await readTextIfThere(pathOf(id))) ?? ""));
    return cached.get(id);
  };
  const list = async () => {
    await makeFolder(folder);
    const names = (await readdir(folder)).sort().reverse();
    const ids = names.flatMap((name) => fileName.exec(name)?.[1] ?? []);
    const results = await Promise.all(ids.map(read));
    return results.flatMap((result) => result ?? []);
  };
  const remove = async (id: string) => {
    cached.delete(id);
    // The result first: a text without a result only wastes space.
    await unlinkIfThere(pathOf(id));
    await unlinkIfThere(textPathOf(id));
  };
  return {
    list,
    async add<Result extends NewResult>(result: Result, text?: string | { readonly path: string }) {
      const atMs = now();
      const id = `${String(atMs).padStart(15, "0")}-${crypto.randomUUID().slice(0, 8)}`;
      const stored = { ...result, id, atMs } as unknown as Extract<StoredResult, { kind: Result["kind"] }>;
      if (typeof text === "string") await writeDurably(textPathOf(id), text);
      else if (text) await moveDurably(text.path, textPathOf(id));
      await writeDurably(pathOf(id), JSON.stringify(stored));
      cached.set(id, stored);
      onAdd?.();
      const old = (await list()).slice(mostStored);
      await Promise.all(old.map(({ id: oldId }) => remove(oldId)));
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
    if (!isMissing(error)) throw error;
  }
}
