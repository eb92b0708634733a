// The shortcut past the chunk schema accepts only what the schema accepts, with the same result.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk, type ReplyMessage } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { isPlainChunk } from "../../../../../src/api/endpoints/chat/plainChunk.ts";
import { chunk } from "../../../../loopback/answers.ts";
import { randomCases } from "../../../../runner/cases.ts";

const odd = fc.oneof(fc.jsonValue(), fc.constantFrom(Number.POSITIVE_INFINITY, Number.NaN, undefined));

type Any = fc.Arbitrary<unknown>;

/** Mostly `value`, sometimes another value or undefined. */
function mostly<T>(value: fc.Arbitrary<T>) {
  return fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd });
}

/**
 * An object with mostly the given members, some left out and sometimes an unknown one. Requires every member of the
 * schema, so that a new member fails the type check here.
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
const delta = members<ReplyMessage>({
  role: text,
  content: text,
  reasoning_content: text,
  reasoning_encrypted: mostly(fc.oneof(fc.boolean(), fc.constant(null))),
  refusal: absent,
  reasoning_details: absent,
  thought_signature: absent,
  tool_calls: absent,
  ends_reasoning: absent,
});
const choice = members<ChatChunk["choices"][number]>({
  index: mostly(fc.nat()),
  delta,
  finish_reason: text,
  stop_reason: odd,
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
  prompt_logprobs: odd,
});

/** All members that are read of a chunk; missing members are undefined. */
function read({ id, object, created, model, choices, ...rest }: ChatChunk): unknown {
  const { usage, cost, service_parameters, search_results, prompt_logprobs } = rest;
  return [
    [id, object, created, model, usage, cost, service_parameters, search_results, prompt_logprobs],
    choices.map(({ index, delta, finish_reason, stop_reason, logprobs }) => {
      const { role, content, reasoning_content, refusal, reasoning_encrypted, reasoning_details } = delta;
      const said = [role, content, reasoning_content, refusal, reasoning_encrypted, reasoning_details];
      return [
        index,
        finish_reason,
        stop_reason,
        logprobs,
        ...said,
        delta.thought_signature,
        delta.tool_calls,
      ];
    }),
  ];
}

test("the schema returns accepted chunks unchanged, except for unread members", () => {
  const numRuns = randomCases(5000);
  let taken = 0;
  fc.assert(
    fc.property(event, (value) => {
      if (!isPlainChunk(value)) return;
      taken += 1;
      assert.deepEqual(read(ChatChunk.parse(value)), read(value as ChatChunk));
    }),
    { numRuns },
  );
  assert.ok(taken > numRuns / 50, `only ${taken} were taken: the test has lost its subject`);
});

test("accepts the chunks of a usual answer", () => {
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

test("leaves chunks with more than text to the schema", () => {
  for (const value of [
    { ...chunk("x"), usage: {} },
    { ...chunk("x"), service_parameters: {} },
    { ...chunk("x"), choices: undefined },
    { id: "no choices" },
    { choices: [{ index: 0, delta: { refusal: "no" } }] },
    { choices: [{ index: 0, delta: { content: [{ type: "text", text: "x" }] } }] },
    { choices: [{ index: 0, finish_reason: "stop" }] },
    [],
    null,
    "text",
  ]) {
    assert.ok(!isPlainChunk(value), JSON.stringify(value));
  }
});
