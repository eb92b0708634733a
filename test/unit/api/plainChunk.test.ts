// The shortcut past the chunk schema never takes what the schema would refuse, or would give back otherwise.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk } from "../../../src/api/endpoints/chatReply.ts";
import { isPlainChunk } from "../../../src/api/endpoints/plainChunk.ts";
import { chunk } from "../../loopback/answers.ts";

const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.POSITIVE_INFINITY, Number.NaN, undefined));

/** Mostly `value`, now and then anything else, or nothing. */
function mostly<T>(value: fc.Arbitrary<T>) {
  return fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd });
}

/** An object whose members are mostly as given, with some left out and, now and then, one that nobody knows. */
function members(model: Readonly<Record<string, fc.Arbitrary<unknown>>>) {
  const known = fc.record(model, { requiredKeys: [], noNullPrototype: true });
  const unknown = fc.dictionary(fc.constantFrom("error", "venice_parameters", "__proto__", "x"), odd, {
    maxKeys: 1,
    noNullPrototype: true,
  });
  return mostly(
    fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: fc.tuple(known, unknown).map(merge) }),
  );
}

function merge([known, unknown]: [object, object]): object {
  return JSON.parse(JSON.stringify({ ...known, ...unknown }));
}

const text = mostly(fc.oneof(fc.string(), fc.constant(null)));
const absent = mostly(fc.constant(null));
const delta = members({
  role: text,
  content: text,
  reasoning_content: text,
  reasoning_encrypted: mostly(fc.oneof(fc.boolean(), fc.constant(null))),
  reasoning_details: absent,
  thought_signature: absent,
  tool_calls: absent,
});
const choice = members({
  index: mostly(fc.nat()),
  delta,
  finish_reason: text,
  logprobs: odd,
});
const event = members({
  id: text,
  object: text,
  created: mostly(fc.nat()),
  model: text,
  choices: mostly(fc.array(choice, { maxLength: 3 })),
  usage: absent,
  cost: absent,
  service_parameters: absent,
  search_results: absent,
});

test("what it takes, the schema gives back as it is", () => {
  let taken = 0;
  fc.assert(
    fc.property(event, (value) => {
      if (!isPlainChunk(value)) return;
      taken += 1;
      assert.deepEqual(ChatChunk.parse(value), value);
    }),
    { numRuns: 5000 },
  );
  assert.ok(taken > 100, `only ${taken} were taken: the test has lost its subject`);
});

test("it takes the chunks that answers consist of", () => {
  for (const value of [
    chunk("word"),
    chunk("", "stop"),
    { ...chunk("x"), usage: null },
    { choices: [] },
    {
      choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null, logprobs: null }],
    },
    { choices: [{ index: 0, delta: { reasoning_content: "hm" } }] },
  ]) {
    assert.ok(isPlainChunk(value), JSON.stringify(value));
  }
});

test("it leaves to the schema and its renaming what is more than text", () => {
  for (const value of [
    { ...chunk("x"), error: { message: "no" } },
    { ...chunk("x"), error: null },
    { ...chunk("x"), venice_parameters: {} },
    { ...chunk("x"), usage: {} },
    { ...chunk("x"), service_parameters: {} },
    { ...chunk("x"), choices: undefined },
    JSON.parse('{"choices":[],"__proto__":{}}'),
    { id: "no choices" },
    [],
    null,
    "text",
  ]) {
    assert.ok(!isPlainChunk(value), JSON.stringify(value));
  }
});
