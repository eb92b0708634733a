import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type FolderEntry,
  type Walk,
  walkFolders,
} from "../../../../../src/platform/files/bounded/walkFolders.ts";

type Tree = { readonly [name: string]: Tree | undefined };

/** Walks a tree in which an undefined entry is a file, and a folder named `locked` can't be read. */
function walk(tree: Tree, options: Partial<Walk<readonly string[]>> = {}) {
  const read: string[] = [];
  const list = async (folder: readonly string[]): Promise<Iterable<FolderEntry<readonly string[]>>> => {
    read.push(folder.join("/"));
    if (folder.at(-1) === "locked") throw new Error("no permission");
    const here = folder.reduce<Tree>((at, name) => at[name] ?? {}, tree);
    return Object.entries(here).map(([name, below]) => ({
      kind: below ? "folder" : "file",
      place: [...folder, name],
    }));
  };
  const { signal } = new AbortController();
  const all = { list, mostFiles: 100, mostFolders: 100, signal, ...options };
  const found = walkFolders([], all).then((files) => files.map((place) => place.join("/")));
  return { found, read };
}

test("finds files at any depth, near ones first", async () => {
  const tree = { deep: { deeper: { c: undefined }, b: undefined }, empty: {}, a: undefined };
  assert.deepEqual(await walk(tree).found, ["a", "deep/b", "deep/deeper/c"]);
});

test("an unreadable folder is skipped, unless it is the start folder", async () => {
  assert.deepEqual(await walk({ locked: { a: undefined }, open: { b: undefined } }).found, ["open/b"]);
  await assert.rejects(walk({}, { list: () => Promise.reject(new Error("gone")) }).found, /gone/);
});

test("limits the number of files, of folders and of entries in one folder", async () => {
  const wide = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`f${at}`, { a: undefined }]));
  const few = walk(wide, { mostFiles: 2 });
  assert.deepEqual(await few.found, ["f0/a", "f1/a"]);
  assert.equal(few.read.length, 3);
  const narrow = walk(wide, { mostFolders: 4 });
  assert.deepEqual(await narrow.found, ["f0/a", "f1/a", "f2/a"]);
  assert.equal(narrow.read.length, 4);
  const endless = function* (): Generator<FolderEntry<readonly string[]>> {
    for (let at = 0; ; at++) yield { kind: at % 2 ? "file" : "folder", place: [String(at)] };
  };
  assert.deepEqual(await walk({}, { mostFiles: 2, list: async () => endless() }).found, ["1", "3"]);
});

test("cancelling ends a walk, even in a folder that never answers", async () => {
  const stop = new AbortController();
  const asked = Promise.withResolvers<void>();
  const list = () => {
    asked.resolve();
    return new Promise<never>(() => {});
  };
  const { found } = walk({}, { list, signal: stop.signal });
  await asked.promise;
  stop.abort();
  await assert.rejects(found, { name: "AbortError" });
  const stopped = walk({ a: {} }, { signal: stop.signal });
  await assert.rejects(stopped.found, { name: "AbortError" });
  assert.ok(stopped.read.length <= 1);
});
