import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { test } from "node:test";
import { untilAborted } from "../../../src/shared/untilAborted.ts";

const reason = new Error("left");

test("the value or the error of the wait comes if nobody leaves, and no listener stays", async () => {
  const { signal } = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(7), signal), 7);
  await assert.rejects(untilAborted(Promise.reject(new Error("lost")), signal), /lost/);
  assert.deepEqual(getEventListeners(signal, "abort"), []);
});

test("a wait that never settles ends with the reason of the signal, aborted before or meanwhile", async () => {
  const leave = new AbortController();
  const waiting = untilAborted(new Promise(() => {}), leave.signal);
  leave.abort(reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(untilAborted(new Promise(() => {}), leave.signal), reason);
  await assert.rejects(untilAborted(Promise.reject(new Error("lost")), leave.signal));
});

test("a value that comes later is dropped, and an error that comes later is nobody's", async () => {
  const leave = new AbortController();
  const [late, lost] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const dropped: string[] = [];
  const waits = [late, lost].map(({ promise }) =>
    untilAborted(promise, leave.signal, (value) => dropped.push(value)),
  );
  leave.abort(reason);
  for (const wait of waits) await assert.rejects(wait, reason);
  late.resolve("response");
  lost.reject(new Error("lost"));
  await late.promise;
  assert.deepEqual(dropped, ["response"]);
});
