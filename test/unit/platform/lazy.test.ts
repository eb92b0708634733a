// What is loaded on first use: once, again after a failure, and disposed whenever it arrives.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Lazy } from "../../../src/platform/lazy.ts";

/** Loads that the test ends, in order. */
function loads() {
  const begun: PromiseWithResolvers<{ dispose(): void }>[] = [];
  const lazy = new Lazy(() => {
    const load = Promise.withResolvers<{ dispose(): void }>();
    begun.push(load);
    return load.promise;
  });
  return { lazy, begun };
}

/** A value that counts how often it was disposed. */
function disposable() {
  return {
    disposed: 0,
    dispose() {
      this.disposed += 1;
    },
  };
}

test("nothing is loaded before the first use", () => {
  const { lazy, begun } = loads();
  assert.equal(lazy.started, undefined);
  assert.equal(begun.length, 0);
});

test("a second caller during the load shares it, and later ones get the same value", async () => {
  const { lazy, begun } = loads();
  const first = lazy.get();
  const second = lazy.get();
  const value = disposable();
  begun[0]?.resolve(value);
  assert.equal(await first, value);
  assert.equal(await second, value);
  assert.equal(await lazy.get(), value);
  assert.equal(await lazy.started, value);
  assert.equal(begun.length, 1);
});

test("a load that failed is tried again by the next caller", async () => {
  const { lazy, begun } = loads();
  const first = lazy.get();
  const second = lazy.get();
  begun[0]?.reject(new Error("the disk is full"));
  await assert.rejects(first, /the disk is full/);
  await assert.rejects(second, /the disk is full/);
  assert.equal(lazy.started, undefined);
  const again = lazy.get();
  const value = disposable();
  begun[1]?.resolve(value);
  assert.equal(await again, value);
  assert.equal(begun.length, 2);
});

test("a load that throws at once is tried again, too", async () => {
  let tries = 0;
  const lazy = new Lazy(() => {
    tries += 1;
    if (tries === 1) throw new Error("not a module");
    return Promise.resolve({ tries });
  });
  await assert.rejects(lazy.get(), /not a module/);
  assert.deepEqual(await lazy.get(), { tries: 2 });
});

test("a loaded value is disposed at once, and once", async () => {
  const { lazy, begun } = loads();
  const value = disposable();
  const loading = lazy.get();
  begun[0]?.resolve(value);
  await loading;
  lazy.dispose();
  assert.equal(value.disposed, 1);
  lazy.dispose();
  assert.equal(value.disposed, 1);
});

test("a value that arrives after the disposal is disposed", async () => {
  const { lazy, begun } = loads();
  const value = disposable();
  const loading = lazy.get();
  lazy.dispose();
  assert.equal(value.disposed, 0);
  begun[0]?.resolve(value);
  await loading;
  assert.equal(value.disposed, 1);
});

test("a value without a disposal can be loaded, too", async () => {
  const lazy = new Lazy(async () => ({ answer: 42 }));
  assert.deepEqual(await lazy.get(), { answer: 42 });
  lazy.dispose();
});
