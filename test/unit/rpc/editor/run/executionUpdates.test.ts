// The editor is told of the cells of a run in groups, in the order of its API, and never of more than it has taken.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { NotebookCellOutput } from "vscode";
import { ExecutionUpdates } from "../../../../../src/rpc/editor/run/executionUpdates.ts";

const outputOf = (text: string) => ({ text }) as unknown as NotebookCellOutput;

/** An editor that writes down its calls, and takes outputs when the test lets it. */
function createEditor() {
  const calls: string[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const takes = { now: true };
  const errors: unknown[] = [];
  const updates = new ExecutionUpdates((error) => void errors.push(error));
  const shown = (call: string): Promise<void> => {
    calls.push(call);
    const taken = Promise.withResolvers<void>();
    if (takes.now) taken.resolve();
    else waiting.push(taken);
    return taken.promise;
  };
  const execution = (name: string) => ({
    set executionOrder(order: number | undefined) {
      calls.push(`${name} order ${order}`);
    },
    start: (atMs?: number) => void calls.push(`${name} start ${atMs}`),
    end: (success: boolean | undefined, atMs?: number) => void calls.push(`${name} end ${success} ${atMs}`),
    replaceOutput: (output: unknown) => shown(`${name} shows ${(output as { text: string }).text}`),
    clearOutput: () => shown(`${name} cleared`),
  });
  return { calls, errors, waiting, takes, updates, execution };
}

test("a cell that ends before the editor was told is started, shown and ended at once, with its own times", async () => {
  const { calls, updates, execution } = createEditor();
  const first = updates.begin(execution("a"), { order: 1, atMs: 10 });
  first.progress(() => assert.fail("the output in between is not made"));
  first.end(true, outputOf("result"), 20);
  updates.begin(execution("b"), {}).end(false, undefined);
  assert.deepEqual(calls, []);
  await updates.settled();
  assert.deepEqual(calls, [
    ...["a order 1", "a start 10", "a shows result", "a end true 20"],
    ...["b start undefined", "b cleared", "b end false undefined"],
  ]);
});

test("a cell that takes longer is shown as running, then with its newest output", async () => {
  const { calls, updates, execution } = createEditor();
  const cell = updates.begin(execution("a"), { order: 1, atMs: 10 });
  await updates.settled();
  assert.deepEqual(calls.splice(0), ["a order 1", "a start 10"]);
  cell.progress(() => outputOf("1 of 3"));
  cell.progress(() => outputOf("2 of 3"));
  await updates.settled();
  assert.deepEqual(calls.splice(0), ["a shows 2 of 3"]);
  cell.end(true, outputOf("3 of 3"), 20);
  await updates.settled();
  assert.deepEqual(calls, ["a shows 3 of 3", "a end true 20"]);
});

test("without being asked, the editor is told after a moment", async () => {
  const { calls, updates, execution } = createEditor();
  const ended = Promise.withResolvers<void>();
  const told = { ...execution("a"), end: () => ended.resolve() };
  updates.begin(told, { atMs: 10 }).end(true, outputOf("result"), 20);
  await ended.promise;
  assert.deepEqual(calls, ["a start 10", "a shows result"]);
});

test("the editor gets no more outputs than it takes, and the run waits; then it gets all of them in order", async () => {
  const { calls, updates, execution, takes, waiting } = createEditor();
  takes.now = false;
  const ended = () => calls.filter((call) => call.includes("end")).length;
  for (let cell = 0; cell < 300; cell++) updates.begin(execution(`${cell}`), {}).end(true, outputOf("x"));
  let hasRoom = false;
  const room = updates.room().then(() => {
    hasRoom = true;
  });
  await new Promise(setImmediate);
  assert.equal(ended(), 50);
  assert.equal(hasRoom, false);
  while (!hasRoom) {
    waiting.shift()?.resolve();
    await new Promise(setImmediate);
  }
  await room;
  assert.ok(ended() > 100 && ended() < 300, `${ended()} were told`);
  takes.now = true;
  for (const one of waiting) one.resolve();
  await updates.settled();
  assert.deepEqual(
    calls.filter((call) => call.includes("end")),
    Array.from({ length: 300 }, (_, cell) => `${cell} end true undefined`),
  );
});

test("an output that can't be made, or that the editor refuses, holds nothing up and is reported", async () => {
  const { calls, errors, updates, execution } = createEditor();
  const refused = { ...execution("gone"), replaceOutput: () => Promise.reject(new Error("removed")) };
  updates.begin(refused, {}).end(true, outputOf("x"));
  updates.begin(execution("broken"), {}).progress(() => {
    throw new Error("unexpected result");
  });
  updates.begin(execution("c"), {}).end(true, outputOf("result"));
  await updates.settled();
  assert.deepEqual(errors.map(String).sort(), ["Error: removed", "Error: unexpected result"]);
  assert.ok(calls.includes("gone end true undefined"));
  assert.deepEqual(calls.slice(-3), ["c start undefined", "c shows result", "c end true undefined"]);
});
