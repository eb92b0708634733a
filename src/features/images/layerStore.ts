import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { readTextIfThere, writeDurably } from "../../platform/durableFile.ts";
import { makeFolder } from "../../platform/privateFiles.ts";
import type { LayerFile } from "./imageRequest.ts";

/** A picture that is to be edited, as it was put down. */
export type StoredLayer = Pick<LayerFile, "id" | "name" | "isMask" | "data">;

/** The pictures that are to be edited, in a folder: a reload of the window loses none of them, nor a painted mask. */
export interface LayerStore {
  /** What is there; a file that is gone or damaged is left out. */
  read(): Promise<readonly StoredLayer[]>;
  /** Writes what is not there yet, and removes what is no longer wanted; resolves once the folder is so. */
  keep(layers: readonly StoredLayer[]): Promise<void>;
  /** Something small beside them, as JSON; undefined removes it. */
  saveNote(name: NoteName, value: unknown): Promise<void>;
  /** Undefined where there is none, or none that can be read. */
  readNote(name: NoteName): Promise<unknown>;
}

type NoteName = "strokes" | "request";

/** An id of `crypto.randomUUID`, and nothing that leads out of the folder. */
const plainId = /^[0-9a-f-]{36}$/;
const listName = "layers.json";

/** Without a folder nothing is kept: each window would remove from a common one what is another's. */
const noLayerStore: LayerStore = {
  read: async () => [],
  keep: async () => {},
  saveNote: async () => {},
  readNote: async () => undefined,
};

export function createLayerStore(folder: string | undefined): LayerStore {
  return folder === undefined ? noLayerStore : saveIn(folder);
}

function saveIn(folder: string): LayerStore {
  const pathOf = (id: string) => join(folder, `${id}.layer`);
  /** One after the other: each leaves the folder as its caller wants it. */
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(run: () => Promise<Value>): Promise<Value> => {
    const turn = last.then(run, run);
    last = turn.catch(() => undefined);
    return turn;
  };
  const read = async (): Promise<StoredLayer[]> => {
    const listed = toList((await readTextIfThere(join(folder, listName))) ?? "[]");
    const found = await Promise.all(
      listed.map(async (one) => ({ ...one, data: await readFile(pathOf(one.id)).catch(() => undefined) })),
    );
    return found.flatMap(({ data, ...one }) => (data ? { ...one, data } : []));
  };
  const keep = async (layers: readonly StoredLayer[]): Promise<void> => {
    await makeFolder(folder);
    const there = new Set(await readdir(folder));
    const wanted = new Set([
      listName,
      noteName("strokes"),
      noteName("request"),
      ...layers.map(({ id }) => `${id}.layer`),
    ]);
    // An id stands for these bytes and no others.
    for (const { id, data } of layers) if (!there.has(`${id}.layer`)) await writeDurably(pathOf(id), data);
    const list = layers.map(({ id, name, isMask }) => ({ id, name, isMask }));
    await writeDurably(join(folder, listName), JSON.stringify(list));
    for (const name of there) if (!wanted.has(name)) await rm(join(folder, name), { force: true });
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
    read: () => inTurn(read),
    keep: (layers) => inTurn(() => keep(layers)),
    saveNote: (name, value) => inTurn(() => saveNote(name, value)),
    readNote: (name) => inTurn(() => readNote(name)),
  };
}

function noteName(name: NoteName): string {
  return `${name}.json`;
}

function toList(json: string): readonly Omit<StoredLayer, "data">[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.flatMap((one) => (isListed(one) ? one : [])) : [];
  } catch {
    return [];
  }
}

function isListed(value: unknown): value is Omit<StoredLayer, "data"> {
  if (typeof value !== "object" || value === null) return false;
  const { id, name, isMask } = value as Partial<StoredLayer>;
  return (
    typeof id === "string" && plainId.test(id) && typeof name === "string" && typeof isMask === "boolean"
  );
}
