import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChangedFile } from "../../../../src/changes/engine/changedFile.ts";
import { createLazyChanges } from "../../../../src/changes/engine/lazyChanges.ts";
import type { PendingChanges } from "../../../../src/changes/engine/pendingChanges.ts";

function memento(values = new Map<string, unknown>()) {
  return {
    values,
    get: <T>(key: string, fallback?: T) => (values.has(key) ? values.get(key) : fallback) as T,
    update: async (key: string, value: unknown) => void values.set(key, value),
  };
}

function fakeChanges() {
  const files: ChangedFile[] = [];
  let fire = () => {};
  let isDisposed = false;
  const changes = {
    files,
    get isPending() {
      return files.length > 0;
    },
    onDidChange(listener: () => void) {
      fire = listener;
      return { dispose() {} };
    },
    dispose() {
      isDisposed = true;
    },
  };
  return {
    changes: changes as unknown as PendingChanges,
    setFiles(count: number) {
      files.splice(0, files.length, ...Array.from({ length: count }, () => ({}) as ChangedFile));
      fire();
    },
    isDisposed: () => isDisposed,
  };
}

test("pending changes are created once, by the first use, and all listeners get them", async () => {
  const fake = fakeChanges();
  let created = 0;
  const lazy = createLazyChanges(memento(), async () => {
    created += 1;
    return fake.changes;
  });
  const seen: PendingChanges[] = [];
  lazy.onDidLoad((changes) => seen.push(changes));
  assert.equal(created, 0);
  const [first, second] = await Promise.all([lazy.load(), lazy.load()]);
  lazy.onDidLoad((changes) => seen.push(changes));
  assert.equal(created, 1);
  assert.deepEqual([first, second, ...seen], Array(4).fill(fake.changes));
  lazy.dispose();
  assert.ok(fake.isDisposed());
});

test("the workspace notes whether hunks are pending", async () => {
  const fake = fakeChanges();
  const state = memento();
  const open = () => createLazyChanges(state, async () => fake.changes);
  assert.equal(open().wasPending, false);
  await open().load();
  assert.equal(state.values.size, 0);
  fake.setFiles(2);
  assert.equal(open().wasPending, true);
  fake.setFiles(0);
  assert.equal(open().wasPending, false);
});

test("a failed creation is tried again", async () => {
  const fake = fakeChanges();
  let tries = 0;
  const lazy = createLazyChanges(memento(), async () => {
    tries += 1;
    if (tries === 1) throw new Error("unreadable");
    return fake.changes;
  });
  await assert.rejects(lazy.load(), /unreadable/);
  assert.equal(await lazy.load(), fake.changes);
});

test("a window that closes during the creation disposes the changes", async () => {
  const fake = fakeChanges();
  let finish = (_: PendingChanges) => {};
  const lazy = createLazyChanges(memento(), () => new Promise((resolve) => (finish = resolve)));
  const loading = lazy.load();
  lazy.dispose();
  finish(fake.changes);
  await loading;
  assert.ok(fake.isDisposed());
});
