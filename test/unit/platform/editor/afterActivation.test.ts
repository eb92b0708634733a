// What starts in the turn after the activation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { afterActivation } from "../../../../src/platform/editor/afterActivation.ts";

const unexpected = (error: unknown) => assert.fail(String(error));

test("starts in the next turn, and disposes what was registered", async () => {
  const steps: string[] = [];
  const registration = afterActivation(async () => {
    steps.push("registered");
    return { dispose: () => steps.push("disposed") };
  }, unexpected);
  await Promise.resolve();
  assert.deepEqual(steps, []);
  await turn();
  assert.deepEqual(steps, ["registered"]);
  registration.dispose();
  assert.deepEqual(steps, ["registered", "disposed"]);
});

test("a window that closes at once starts nothing", async () => {
  afterActivation(async () => assert.fail("started"), unexpected).dispose();
  await turn();
});

test("what is registered after the disposal is disposed", async () => {
  const steps: string[] = [];
  const bundle = Promise.withResolvers<void>();
  const registration = afterActivation(async () => {
    await bundle.promise;
    return { dispose: () => steps.push("disposed") };
  }, unexpected);
  await turn();
  registration.dispose();
  bundle.resolve();
  await turn();
  assert.deepEqual(steps, ["disposed"]);
});

test("a failed start is reported", async () => {
  const reported: unknown[] = [];
  const failure = new Error("the bundle can't be read");
  afterActivation(
    async () => {
      throw failure;
    },
    (error) => reported.push(error),
  );
  await turn();
  assert.deepEqual(reported, [failure]);
});
