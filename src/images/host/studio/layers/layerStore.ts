import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfThere, writeDurably } from "../../../../platform/files/durable/durableFile.ts";
import { makeFolder } from "../../../../platform/files/privateFiles.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { parseJson } from "../../../../shared/text/json/parseJson.ts";
import type { LayerFile } from "../requests/imageRequest.ts";

/** A stored picture to edit. */
export type StoredLayer = Pick<LayerFile, "id" | "name" | "isMask" | "data"> &
  Partial<Pick<LayerFile, "url">>;

/** Stores the pictures to edit, so a reload of the window loses neither them nor a painted mask. */
export interface LayerStore {
  /** The stored pictures; missing and damaged files are omitted. */
  read(): Promise<readonly StoredLayer[]>;
  /** Writes new pictures and removes others; resolves when the folder is up to date. */
  save(layers: readonly StoredLayer[]): Promise<void>;
  /** Stores a small JSON value beside them; undefined removes it. */
  saveNote(name: NoteName, value: unknown): Promise<void>;
  /** Undefined if it does not exist or can't be read. */
  readNote(name: NoteName): Promise<unknown>;
}

type NoteName = "strokes" | "request";

/** The format of `crypto.randomUUID`, so an id can't contain a path. */
const plainId = /^[0-9a-f-]{36}$/;
const listName = "layers.json";

/** Without a folder nothing is stored: windows would remove each other's pictures from a common one. */
const noLayerStore: LayerStore = {
  read: async () => [],
  save: async () => {},
  saveNote: async () => {},
  readNote: async () => undefined,
};

export function createLayerStore(folder: string | undefined): LayerStore {
  return folder === undefined ? noLayerStore : saveIn(folder);
}

function saveIn(folder: string): LayerStore {
  const pathOf = (id: string) => join(folder, `${id}.layer`);
  /** Calls run one after the other, so each leaves a consistent folder. */
  const queue = new SerialQueue();
  const read = async (): Promise<StoredLayer[]> => {
    const listed = toList((await readTextIfThere(join(folder, listName))) ?? "[]");
    const found = await Promise.all(
      listed.map(async (one) => ({ ...one, data: await readFile(pathOf(one.id)).catch(() => undefined) })),
    );
    return found.flatMap(({ data, ...one }) => (data ? { ...one, data } : []));
  };
  const save = async (layers: readonly StoredLayer[]): Promise<void> => {
    await makeFolder(folder);
    const existing = new Set(await readdir(folder));
    const expected = new Set([
      listName,
      noteName("strokes"),
      noteName("request"),
      ...layers.map(({ id }) => `${id}.layer`),
    ]);
    // The content of an id never changes.
    for (const { id, data } of layers) if (!existing.has(`${id}.layer`)) await writeDurably(pathOf(id), data);
    const list = layers.map(({ id, name, isMask, url }) => ({ id, name, isMask, url }));
    await writeDurably(join(folder, listName), JSON.stringify(list));
    for (const name of existing) if (!expected.has(name)) await rm(join(folder, name), { force: true });
  };
  const saveNote = async (name: NoteName, value: unknown): Promise<void> => {
    await makeFolder(folder);
    if (value === undefined) await rm(join(folder, noteName(name)), { force: true });
    else await writeDurably(join(folder, noteName(name)), JSON.stringify(value));
  };
  const readNote = async (name: NoteName): Promise<unknown> => {
    try {
      return JSON.parse((await readTextIfThere(join(folder, noteName(name)))) ?? "null") ?? undefined;
    } catch {
      return undefined;
    }
  };
  return {
    read: () => queue.run(read),
    save: (layers) => queue.run(() => save(layers)),
    saveNote: (name, value) => queue.run(() => saveNote(name, value)),
    readNote: (name) => queue.run(() => readNote(name)),
  };
}

function noteName(name: NoteName): string {
  return `${name}.json`;
}

function toList(json: string): readonly Omit<StoredLayer, "data">[] {
  const value = parseJson(json);
  return Array.isArray(value)
    ? value.flatMap((one) => (isListed(one) ? { ...one, url: one.url ?? "" } : []))
    : [];
}

function isListed(value: unknown): value is Omit<StoredLayer, "data"> {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, isMask, url = "" } = value as Partial<StoredLayer>;
  return (
    /^(?:$|https?:\/\/)/.test(String(url)) &&
    typeof id === "string" &&
    plainId.test(id) &&
    typeof name === "string" &&
    typeof isMask === "boolean"
  );
}
