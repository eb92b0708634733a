import assert from "node:assert/strict";
import { test } from "node:test";
import { SentPrompts } from "../../../../src/api/money/sentPrompts.ts";

const minuteMs = 60_000;
const turn = (role: string, words: number) => ({ role, content: "word ".repeat(words) });
const long = [turn("system", 2000), turn("user", 500)];

function open() {
  let nowMs = 1_000_000;
  const prompts = new SentPrompts(() => nowMs);
  /** Sends a prompt; the share that was sent before. */
  const send = (messages: readonly object[], more: object = {}) => {
    const prompt = prompts.read({ model: "m", prompt_cache_key: "talk", messages, ...more });
    assert.ok(prompt);
    prompts.add(prompt);
    return Number(prompt.sentBefore.toFixed(2));
  };
  const pass = (minutes: number) => {
    nowMs += minutes * minuteMs;
  };
  return { prompts, send, pass };
}

test("what was sent before is the longest beginning in common with an earlier prompt of the same conversation", () => {
  const { send } = open();
  assert.equal(send(long), 0);
  assert.equal(send(long), 1);
  assert.equal(send([...long, turn("assistant", 1250), turn("user", 1250)]), 0.5);
  assert.equal(send([turn("system", 2000), turn("user", 2000)]), 0.5, "an earlier message was changed");
});

test("another conversation, model or list of tools has a cache of its own", () => {
  const { send } = open();
  const tools = [{ type: "function", function: { name: "find", parameters: {} } }];
  for (const more of [{}, { prompt_cache_key: "other" }, { model: "n" }, { tools }]) {
    assert.equal(send(long, more), 0);
    assert.equal(send(long, more), 1);
  }
});

test("it counts while a service keeps it: five minutes, or a day on request", () => {
  const { send, pass } = open();
  send(long);
  pass(4);
  assert.equal(send(long), 1, "each use prolongs it");
  pass(4);
  assert.equal(send(long, { prompt_cache_retention: "24h" }), 1);
  pass(23 * 60);
  assert.equal(send(long), 1);
  pass(5);
  assert.equal(send(long), 0);
});

test("a beginning of less than 1,024 tokens counts as nothing, because no service caches it", () => {
  const { send } = open();
  const short = [turn("user", 500)];
  send(short);
  assert.equal(send(short), 0);
});

test("a prompt that was not answered was not sent before, and a call without a key has no conversation", () => {
  const { prompts, send } = open();
  prompts.read({ model: "m", prompt_cache_key: "talk", messages: long });
  assert.equal(send(long), 0);
  assert.equal(prompts.read({ model: "m", messages: long }), undefined);
  assert.equal(prompts.read({ prompt_cache_key: "talk", query: "no chat" }), undefined);
});
