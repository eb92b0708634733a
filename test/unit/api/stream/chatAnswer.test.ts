import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk, ChatCompletion } from "../../../../src/api/endpoints/chat/chatReply.ts";
import {
  AnswerBuilder,
  carriesDocuments,
  citationsOf,
  mostDetails,
} from "../../../../src/api/stream/chatAnswer.ts";
import { suffixSwitches } from "../../../../src/shared/chat/chatParameters.ts";
import { joinModelId, splitModelId } from "../../../../src/shared/chat/modelId.ts";

const build = (chunks: readonly unknown[]) => {
  const builder = new AnswerBuilder();
  for (const chunk of chunks) builder.add(ChatChunk.parse(chunk));
  return builder.answer();
};
const delta = (members: object, index = 0, finish_reason: string | null = null) => ({
  id: "c1",
  created: 7,
  model: "m",
  choices: [{ index, delta: members, finish_reason }],
});

test("text cut anywhere is joined to the answer that came whole", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.array(fc.nat(200)), (text, cuts) => {
      const at = [0, ...cuts.map((cut) => cut % (text.length + 1)).sort((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((end, i) => text.slice(at[i], end));
      const answer = build(pieces.map((content) => delta({ content })));
      assert.equal(answer.choices[0]?.message.content ?? "", text);
    }),
  );
});

test("choices, reasoning, finish, usage and cost each find their place", () => {
  const usage = { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 };
  const answer = build([
    delta({ role: "assistant", reasoning_content: "hm" }),
    delta({ reasoning_content: "m" }),
    delta({ content: "b" }, 1),
    delta({ content: "a" }, 0, "stop"),
    delta({}, 1, "length"),
    { choices: [], usage, cost: { usd: 0.5, diem: 0 } },
  ]);
  assert.ok(ChatCompletion.safeParse(answer).success);
  assert.deepEqual(
    answer.choices.map(({ index, finish_reason, message }) => [index, finish_reason, message.content]),
    [
      [0, "stop", "a"],
      [1, "length", "b"],
    ],
  );
  assert.equal(answer.choices[0]?.message.reasoning_content, "hmm");
  assert.deepEqual(
    [answer.id, answer.created, answer.model, answer.usage, answer.cost?.usd],
    ["c1", 7, "m", usage, 0.5],
  );
});

test("fragments of parallel tool calls are joined by index, and by id where an index is missing", () => {
  const call = (members: object) => delta({ tool_calls: [members] });
  const answer = build([
    call({ index: 0, id: "a", type: "function", function: { name: "one", arguments: "" } }),
    call({ index: 1, id: "b", function: { name: "two", arguments: '{"x"' } }),
    call({ index: 0, function: { arguments: "{}" } }),
    call({ index: 1, function: { arguments: ":1}" } }),
    call({ id: "c", function: { name: "three", arguments: "[" } }),
    call({ function: { arguments: "]" } }),
  ]);
  assert.deepEqual(
    answer.choices[0]?.message.tool_calls?.map(({ id, function: made }) => [id, made?.name, made?.arguments]),
    [
      ["a", "one", "{}"],
      ["b", "two", '{"x":1}'],
      ["c", "three", "[]"],
    ],
  );
});

test("what must be echoed is kept as it came", () => {
  const answer = build([
    delta({ reasoning_details: [{ a: 1 }], thought_signature: "s", reasoning_encrypted: true }),
    delta({ reasoning_details: [{ b: 2 }] }),
  ]);
  const message = answer.choices[0]?.message;
  assert.deepEqual(message?.reasoning_details, [{ a: 1 }, { b: 2 }]);
  assert.deepEqual([message?.thought_signature, message?.reasoning_encrypted], ["s", true]);
});

test("choices without an index are those of their places", () => {
  const answer = build([{ choices: [{ delta: { content: "a" } }, null, { delta: { content: "c" } }] }]);
  assert.deepEqual(
    answer.choices.map(({ index, message }) => [index, message.content]),
    [
      [0, "a"],
      [2, "c"],
    ],
  );
});

test("of details that are too much to go back none is kept", () => {
  const detail = { data: "x".repeat(mostDetails / 2) };
  const builder = new AnswerBuilder();
  const add = () => builder.add(ChatChunk.parse(delta({ reasoning_details: [detail] })));
  add();
  assert.equal(builder.answer().choices[0]?.message.reasoning_details?.length, 1);
  add();
  add();
  assert.equal(builder.answer().choices[0]?.message.reasoning_details, undefined);
  assert.ok(builder.leftOut(0).has("reasoning_details"));
});

test("sources are found in every place, once each, and made-up document calls are known", () => {
  const documents = { documents: [{ id: "1", title: "D", url: "https://d", snippet: "s" }] };
  const made = { index: 0, id: "x", function: { name: "web_search", arguments: JSON.stringify(documents) } };
  const answer = build([
    { choices: [], service_parameters: { web_search_citations: [{ url: "https://a", title: "A" }, "odd"] } },
    { choices: [], search_results: [{ url: "https://b" }, { url: "https://a", title: "again" }] },
    delta({ tool_calls: [made] }, 0, "tool_calls"),
  ]);
  assert.deepEqual(
    citationsOf(answer).map(({ url }) => url),
    ["https://a", "https://b", "https://d"],
  );
  const [call] = answer.choices[0]?.message.tool_calls ?? [];
  assert.ok(call && carriesDocuments(call));
  assert.equal(carriesDocuments({ function: { name: "web_search", arguments: '{"query":"x"}' } }), false);
});

test("model references split at the first colon only where a list of features follows", () => {
  assert.deepEqual(splitModelId("m:enable_web_search=auto&character_slug=a"), {
    id: "m",
    features: { enable_web_search: "auto", character_slug: "a" },
  });
  for (const name of suffixSwitches) assert.deepEqual(splitModelId(`m:${name}=x`).features, { [name]: "x" });
  assert.deepEqual(splitModelId("vendor:model"), { id: "vendor:model", features: {} });
  assert.deepEqual(splitModelId("m:unknown=1"), { id: "m:unknown=1", features: {} });
  const reference = splitModelId("m:disable_thinking=true&character_slug=a%20b");
  assert.deepEqual(splitModelId(joinModelId(reference)), reference);
});
