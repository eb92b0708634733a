import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { SecretClipboard } from "../../../../../src/account/host/keys/secretClipboard.ts";

/** A clipboard with its content, for a window that may not be focused. */
function open(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const held = { text: "", isInFront: true };
  const refused = () => Promise.reject(new Error("the window is not in front"));
  const clipboard = new SecretClipboard({
    readText: () => (held.isInFront ? Promise.resolve(held.text) : refused()),
    writeText(text) {
      if (!held.isInFront) return refused();
      held.text = text;
      return Promise.resolve();
    },
  });
  const pass = async (ms: number) => {
    t.mock.timers.tick(ms);
    await setImmediate();
  };
  return { held, clipboard, pass };
}

test("clears a secret after 60 seconds, not before", async (t) => {
  const { held, clipboard, pass } = open(t);
  await clipboard.copy("s3cret");
  await pass(59_999);
  assert.equal(held.text, "s3cret");
  await pass(1);
  assert.equal(held.text, "");
});

test("keeps what was copied since", async (t) => {
  const { held, clipboard, pass } = open(t);
  await clipboard.copy("s3cret");
  held.text = "a sentence of mine";
  await pass(60_000);
  assert.equal(held.text, "a sentence of mine");
});

test("copying again restarts the 60 seconds", async (t) => {
  const { held, clipboard, pass } = open(t);
  await clipboard.copy("s3cret");
  await pass(50_000);
  await clipboard.copy("s3cret");
  await pass(50_000);
  assert.equal(held.text, "s3cret");
  await pass(10_000);
  assert.equal(held.text, "");
});

test("an unfocused window clears it once focused", async (t) => {
  const { held, clipboard, pass } = open(t);
  await clipboard.copy("s3cret");
  held.isInFront = false;
  await pass(60_000);
  await pass(5_000);
  assert.equal(held.text, "s3cret");
  held.isInFront = true;
  await pass(5_000);
  assert.equal(held.text, "");
});

test("a closing window clears it at once, and nothing later", async (t) => {
  const { held, clipboard, pass } = open(t);
  await clipboard.copy("s3cret");
  await clipboard.clear();
  assert.equal(held.text, "");
  held.text = "s3cret";
  await pass(60_000);
  assert.equal(held.text, "s3cret");
});

test("starts no timer if copying fails", async (t) => {
  const { held, clipboard, pass } = open(t);
  held.isInFront = false;
  await assert.rejects(clipboard.copy("s3cret"), /not in front/);
  held.isInFront = true;
  held.text = "s3cret";
  await pass(60_000);
  assert.equal(held.text, "s3cret");
});
