// The shortcut past the chunk schema never takes what the schema would refuse, or would give back otherwise.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk, Delta } from "../../../src/api/endpoints/chatReply.ts";
import { isPlainChunk } from "../../../src/api/endpoints/plainChunk.ts";
import { chunk } from "../../loopback/answers.ts";

const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.POSITIVE_INFINITY, Number.NaN, undefined));

type Any = fc.Arbitrary<unknown>;

/** Mostly `value`, now and then anything else, or nothing. */
function mostly<T>(value: fc.Arbitrary<T>) {
  return fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd });
}

/**
 * An object whose members are mostly as given, with some left out and, now and then, one that nobody knows. Every
 * member of the schema has to be given: one that it gains stops the build here.
 */
function members<Schema extends object>(model: { readonly [Name in keyof Required<Schema>]: Any }) {
  const known = fc.record<Record<string, unknown>>(model, { requiredKeys: [], noNullPrototype: true });
  const unknown = fc.dictionary(fc.constantFrom("system_fingerprint", "__proto__", "x"), odd, {
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
const delta = members<Delta>({
  role: text,
  content: text,
  reasoning_content: text,
  reasoning_encrypted: mostly(fc.oneof(fc.boolean(), fc.constant(null))),
  reasoning_details: absent,
  thought_signature: absent,
  tool_calls: absent,
});
const choice = members<ChatChunk["choices"][number]>({
  index: mostly(fc.nat()),
  delta,
  finish_reason: text,
  logprobs: odd,
});
const event = members<ChatChunk>({
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

/** Only the members of the schema, as the schema leaves them. */
function known(value: ChatChunk): unknown {
  const choices = value.choices.map((one) => ({
    ...picked(one, ChatChunk.shape.choices.unwrap().element.shape),
    delta: picked(one.delta, Delta.shape),
  }));
  return { ...picked(value, ChatChunk.shape), choices };
}

function picked(value: object, shape: object): object {
  return Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(shape, name)));
}

test("what it takes, the schema gives back as it is, but for members that nobody reads", () => {
  let taken = 0;
  fc.assert(
    fc.property(event, (value) => {
      if (!isPlainChunk(value)) return;
      taken += 1;
      assert.deepEqual(ChatChunk.parse(value), known(value as ChatChunk));
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
    { ...chunk("x"), system_fingerprint: "fp_1" },
  ]) {
    assert.ok(isPlainChunk(value), JSON.stringify(value));
  }
});

test("it leaves to the schema what is more than text", () => {
  for (const value of [
    { ...chunk("x"), usage: {} },
    { ...chunk("x"), service_parameters: {} },
    { ...chunk("x"), choices: undefined },
    { id: "no choices" },
    [],
    null,
    "text",
  ]) {
    assert.ok(!isPlainChunk(value), JSON.stringify(value));
  }
});
