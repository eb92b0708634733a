// Tool calls in the forms of real servers: however a server cuts, numbers and names its fragments, the calls are the same.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk, chunkOfCompletion } from "../../../../src/api/endpoints/chat/chatReply.ts";
import { AnswerBuilder } from "../../../../src/api/stream/chatAnswer.ts";
import { randomCases } from "../../../runner/cases.ts";

interface Made {
  readonly name: string;
  readonly arguments: string;
}
/** The `tool_calls` of each chunk. */
type Chunks = readonly (readonly object[])[];

function callsOf(chunks: Chunks): Made[] {
  const events = chunks.map((tool_calls) => ({ choices: [{ index: 0, delta: { tool_calls } }] }));
  return read(events).map(({ function: made }) => ({
    name: made?.name ?? "",
    arguments: made?.arguments ?? "",
  }));
}

function read(events: readonly unknown[]) {
  const builder = new AnswerBuilder();
  for (const event of events) builder.add(ChatChunk.parse(event));
  return builder.answer().choices[0]?.message.tool_calls ?? [];
}

/** A call and its arguments cut in pieces; the first piece may be empty. */
interface CutCall extends Made {
  readonly id: string;
  readonly pieces: readonly string[];
}

const whole = ({ name, arguments: text }: Made) => ({ name, arguments: text });
/** One chunk per fragment. */
const each = (calls: readonly CutCall[], toFragment: (call: CutCall, call_: number) => readonly object[]) =>
  calls.flatMap((call, index) => toFragment(call, index).map((fragment) => [fragment]));
/** The members of a fragment by its position in its call. */
const cut = (
  calls: readonly CutCall[],
  members: (call: CutCall, position: number, index: number) => object,
) =>
  each(calls, (call, index) =>
    call.pieces.map((piece, position) => {
      const { name, ...others } = members(call, position, index) as { readonly name?: unknown };
      const named = name === undefined ? {} : { name };
      return { ...others, function: { ...named, arguments: piece } };
    }),
  );
const type = "function";

const habits: Readonly<Record<string, (calls: readonly CutCall[]) => Chunks>> = {
  "OpenAI: index always, id and name first": (calls) =>
    cut(calls, ({ id, name }, position, index) => (position === 0 ? { index, id, type, name } : { index })),
  "Azure, LM Studio: later fragments with null": (calls) =>
    cut(calls, ({ id, name }, position, index) =>
      position === 0 ? { index, id, type, name } : { index, id: null, type: null, name: null },
    ),
  "later fragments with the empty text": (calls) =>
    cut(calls, ({ id, name }, position, index) =>
      position === 0 ? { index, id, type, name } : { index, id: "", type: "", name: "" },
    ),
  "id and name in each fragment": (calls) =>
    cut(calls, ({ id, name }, _, index) => ({ index, id, type, name })),
  "id and name in each fragment, all with index 0": (calls) =>
    cut(calls, ({ id, name }) => ({ index: 0, id, type, name })),
  "id in each fragment, no index": (calls) =>
    cut(calls, ({ id, name }, position) => ({ id, ...(position === 0 ? { name } : {}) })),
  "name in each fragment, no id": (calls) => cut(calls, ({ name }, _, index) => ({ index, name })),
  "vLLM before 0.7: a new id in each fragment": (calls) =>
    cut(calls, ({ id, name }, position, index) => ({
      index,
      id: `${id}-${position}`,
      ...(position === 0 ? { type, name } : {}),
    })),
  "a new id in each fragment, with the name, all with index 0": (calls) =>
    cut(calls, ({ id, name }, position) => ({ index: 0, id: `${id}-${position}`, name })),
  "no index: id and name first": (calls) =>
    cut(calls, ({ id, name }, position) => (position === 0 ? { id, type, name } : {})),
  "index as text": (calls) =>
    cut(calls, ({ id, name }, position, index) => ({
      index: String(index),
      ...(position === 0 ? { id, name } : {}),
    })),
  "index from 1, and a number for each fragment": (calls) => {
    let next = 1;
    return cut(calls, ({ id, name }, position) => ({
      index: next++,
      ...(position === 0 ? { id, name } : {}),
    }));
  },
  "Ollama: whole calls, all with index 0": (calls) =>
    each(calls, (call) => [{ index: 0, id: call.id, type, function: whole(call) }]),
  "Ollama, all in one chunk": (calls) => [
    calls.map((call) => ({ index: 0, id: call.id, type, function: whole(call) })),
  ],
  "Ollama, whole calls without an index": (calls) =>
    each(calls, (call) => [{ id: call.id, type, function: whole(call) }]),
  "Gemini: whole calls, an empty id, no index": (calls) =>
    each(calls, (call) => [{ id: "", type, function: whole(call) }]),
  "Gemini: whole calls, an empty id, index 0": (calls) =>
    each(calls, (call) => [{ index: 0, id: "", type, function: whole(call) }]),
  "Gemini, all in one chunk": (calls) => [calls.map((call) => ({ index: 0, id: "", function: whole(call) }))],
  "Mistral: whole calls with their index": (calls) => [
    calls.map((call, index) => ({ index, id: call.id, function: whole(call) })),
  ],
  "the same id for all": (calls) =>
    each(calls, (call) => [{ index: 0, id: "call_0", type, function: whole(call) }]),
  "arguments as an object": (calls) =>
    each(calls, ({ id, name, arguments: text }) => [
      { index: 0, id, function: { name, arguments: JSON.parse(text) } },
    ]),
  "arguments so far in each fragment": (calls) =>
    each(calls, ({ id, name, pieces }, index) =>
      pieces.map((_, position) => ({
        index,
        ...(position === 0 ? { id } : {}),
        function: { name, arguments: pieces.slice(0, position + 1).join("") },
      })),
    ),
  "arguments so far in each fragment, the whole twice, all with index 0": (calls) =>
    each(calls, ({ id, name, pieces, arguments: text }) =>
      [...pieces.map((_, position) => pieces.slice(0, position + 1).join("")), text].map((so) => ({
        index: 0,
        id,
        function: { name, arguments: so },
      })),
    ),
  "the name in pieces": (calls) =>
    each(calls, ({ id, name, pieces }, index) => [
      { index, id, function: { name: name.slice(0, 2), arguments: "" } },
      { index, function: { name: name.slice(2) } },
      ...pieces.map((piece) => ({ index, function: { arguments: piece } })),
    ]),
  "fragments of all calls in turn": (calls) => {
    const queues = calls.map(({ id, name, pieces }, index) =>
      pieces.map((piece, position) =>
        position === 0
          ? { index, id, function: { name, arguments: piece } }
          : { index, function: { arguments: piece } },
      ),
    );
    const longest = Math.max(...queues.map(({ length }) => length));
    return Array.from({ length: longest }, (_, turn) =>
      queues.flatMap((queue) => queue.slice(turn, turn + 1)),
    );
  },
};

const value = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom('{"a":', "}{", '\\"', "\n", "[]"),
  fc.integer(),
  fc.jsonValue({ maxDepth: 2 }),
);
const call = fc
  .record({
    name: fc.constantFrom("read_file", "read", "list_files", "write_file"),
    input: fc.dictionary(fc.string({ maxLength: 4 }), value, { maxKeys: 3, noNullPrototype: true }),
    cuts: fc.array(fc.nat(), { maxLength: 5 }),
    isHeadAlone: fc.boolean(),
  })
  .map(({ name, input, cuts, isHeadAlone }) => {
    const text = JSON.stringify({ ...input });
    const places = [...new Set(cuts.map((at) => 1 + (at % text.length)))].sort((a, b) => a - b);
    const ends = [...places.filter((at) => at < text.length), text.length];
    const pieces = ends.map((end, index) => text.slice(index === 0 ? 0 : ends[index - 1], end));
    // A head and all the rest is more likely a call without arguments, and a whole one.
    const isHead = isHeadAlone && pieces.length > 1;
    return { name, arguments: text, pieces: isHead ? ["", ...pieces] : pieces };
  });
/** Arguments of one answer differ: equal calls can't be told from repetitions. */
const calls = fc
  .uniqueArray(call, { minLength: 1, maxLength: 4, selector: (one) => `${one.name} ${one.arguments}` })
  .map((all) => all.map((one, index): CutCall => ({ ...one, id: `call_${index}` })));

for (const [name, toChunks] of Object.entries(habits)) {
  test(`random calls, cut at random: ${name}`, () => {
    fc.assert(
      fc.property(calls, (sent) => {
        const parsed = ({ name: tool, arguments: text }: Made) => [tool, JSON.parse(text)];
        assert.deepEqual(callsOf(toChunks(sent)).map(parsed), sent.map(parsed));
      }),
      { numRuns: randomCases(300) },
    );
  });
}

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)) as unknown);

test("two calls with one index stay two, and a repeated name is one (recorded streams)", () => {
  const shape = (events: readonly unknown[]) =>
    read(events).map(({ id, function: made }) => [id, made?.name, made?.arguments]);
  assert.deepEqual(shape(fixture("same-index.sse")), [
    ["call_a", "read_file", '{"path":"a.txt"}'],
    ["call_b", "read_file", '{"path":"b.txt"}'],
  ]);
  assert.deepEqual(shape(fixture("name-again.sse")), [["call_a", "read_file", '{"path":"a.txt"}']]);
});

test("calls without arguments, and two equal calls of a server that sends no ids", () => {
  const none = { name: "list", arguments: "" };
  for (const text of ["", null, undefined]) {
    const made = { name: "list", arguments: text };
    assert.deepEqual(callsOf([[{ index: 0, id: "a", function: made }]]), [none]);
    assert.deepEqual(callsOf([[{ id: "a", function: made }], [{ id: "b", function: made }]]), [none, none]);
    assert.deepEqual(
      callsOf([[{ index: 0, id: "a", function: made }], [{ index: 0, id: "b", function: made }]]),
      [none, none],
    );
  }
  const empty = { name: "list", arguments: "{}" };
  assert.deepEqual(callsOf([[{ id: "", function: empty }], [{ id: "", function: empty }]]), [empty, empty]);
  const next = { name: "read", arguments: '{"a":1}' };
  assert.deepEqual(callsOf([[{ index: 0, function: none }], [{ index: 0, function: next }]]), [none, next]);
});

test("the id may come late, and the first one counts", () => {
  const events = [
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, function: { name: "f", arguments: '{"a"' } }] } },
      ],
    },
    {
      choices: [
        { index: 0, delta: { tool_calls: [{ index: 0, id: "late", function: { arguments: ":1}" } }] } },
      ],
    },
  ];
  assert.deepEqual(
    read(events).map(({ id, function: made }) => [id, made?.arguments]),
    [["late", '{"a":1}']],
  );
});

test("a call in the older member function_call, streamed or whole", () => {
  const streamed = [
    { choices: [{ index: 0, delta: { role: "assistant", function_call: { name: "f", arguments: "" } } }] },
    { choices: [{ index: 0, delta: { function_call: { arguments: '{"a":' } } }] },
    { choices: [{ index: 0, delta: { function_call: { arguments: "1}" } } }] },
    { choices: [{ index: 0, delta: {}, finish_reason: "function_call" }] },
  ];
  const message = { content: null, function_call: { name: "f", arguments: '{"a":1}' } };
  const complete = [chunkOfCompletion({ choices: [{ index: 0, message, finish_reason: "stop" }] })];
  for (const events of [streamed, complete])
    assert.deepEqual(
      read(events).map(({ function: made }) => made),
      [{ name: "f", arguments: '{"a":1}' }],
    );
});

test("reasoning in the member of other servers is reasoning", () => {
  const parse = (delta: object) => ChatChunk.parse({ choices: [{ delta }] }).choices[0]?.delta;
  assert.equal(parse({ content: "a", reasoning: "hm" })?.reasoning_content, "hm");
  assert.equal(parse({ reasoning_content: null, reasoning: "hm" })?.reasoning_content, "hm");
  assert.equal(parse({ reasoning_content: "hm", reasoning: "hm" })?.reasoning_content, "hm");
  assert.equal(parse({ content: "kept", reasoning: { odd: 1 } })?.content, "kept");
});

test("long arguments in thousands of fragments are joined", () => {
  const text = JSON.stringify({ text: "x".repeat(400_000) });
  const pieces = text.match(/.{1,8}/gs) ?? [];
  const fragments = pieces.map((piece) => [{ index: 0, id: "a", function: { name: "f", arguments: piece } }]);
  assert.deepEqual(callsOf(fragments), [{ name: "f", arguments: text }]);
});
