// Whatever a service streams, the events of both vendors' formats add up to the final answer, by the libraries' own reducers.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import fc from "fast-check";
import { accumulateResponse } from "openai/lib/responses/ResponseAccumulator";
import { ChatChunk } from "../../../../src/api/endpoints/chat/chatReply.ts";
import type { AgentFormat, WireEvent } from "../../../../src/gateway/formats/agentFormat.ts";
import { messagesFormat } from "../../../../src/gateway/formats/messages/messagesFormat.ts";
import { createResponsesFormat } from "../../../../src/gateway/formats/responses/responsesFormat.ts";
import { type Members, membersOf } from "../../../../src/shared/members.ts";
import { randomCases } from "../../../runner/cases.ts";

/** Also empty, NUL, halves of surrogate pairs, and what looks like the end of an event. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom("", "\0", "\ud83d", "\ude00", "\n\ndata: [DONE]\n\n", "\u2028", "</think>"),
);
const longName = `mcp__${"server".repeat(9)}__${"tool".repeat(9)}`;
const names = ["read", "patch", "tool_search", "mail__send", "unknown", longName];
const call = fc.record({
  name: fc.constantFrom(...names),
  input: text,
  size: fc.integer({ min: 1, max: 40 }),
  isCut: fc.boolean(),
  extra: fc.constantFrom({}, { extra_content: { sign: "s" } }),
});
/** What one chunk brings beside calls. */
const said = fc.oneof(
  text.map((content) => ({ content })),
  text.map((reasoning_content) => ({ reasoning_content })),
  text.map((refusal) => ({ refusal })),
  text.map((data) => ({ reasoning_details: [{ type: "reasoning.encrypted", data }] })),
  fc.constantFrom({}, { thought_signature: "s" }, { reasoning_encrypted: true }, { content: null }),
);
const answer = fc.record({
  said: fc.array(said, { maxLength: 8 }),
  calls: fc.array(call, { maxLength: 4 }),
  /** Which of the two comes next, and of which call. */
  order: fc.array(fc.nat(20), { minLength: 30, maxLength: 30 }),
  reason: fc.constantFrom("stop", "tool_calls", "length", "content_filter", null, "eos"),
  sources: fc.constantFrom(
    {},
    { service_parameters: { web_search_citations: [{ url: "https://a.example", title: null }] } },
  ),
});
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

/** The chunks of an answer whose parallel calls and texts alternate. */
function chunksOf({ said: texts, calls, order, reason, sources }: Answer): ChatChunk[] {
  const queues: Members[][] = [[...texts], ...calls.map(fragmentsOf)];
  const deltas: Members[] = [];
  for (const place of order) {
    const left = queues.filter((queue) => queue.length > 0);
    deltas.push(left[place % Math.max(1, left.length)]?.shift() ?? {});
  }
  deltas.push(...queues.flat());
  const chunks = deltas.map((delta) => ({ choices: [{ index: 0, delta }] }));
  const end = { choices: [{ index: 0, delta: {}, finish_reason: reason }], ...sources };
  const usage = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4 } };
  return [...chunks, end, usage].map((chunk) => ChatChunk.parse(chunk));
}

function fragmentsOf({ name, input, size, isCut, extra }: Answer["calls"][number], index: number): Members[] {
  const whole = JSON.stringify({ input });
  const written = isCut ? whole.slice(0, -2) : whole;
  const pieces = [];
  for (let start = 0; start < written.length; start += size) pieces.push(written.slice(start, start + size));
  return pieces.map((piece, position) => ({
    tool_calls: [
      position === 0
        ? { index, id: `call_${index}`, type: "function", function: { name, arguments: piece }, ...extra }
        : { index, function: { arguments: piece } },
    ],
  }));
}

function written(format: AgentFormat, body: Members, chunks: readonly ChatChunk[]) {
  let ids = 0;
  const context = { client: "a", now: () => 0, newId: (prefix: string) => `${prefix}${++ids}` };
  const writer = format.read(body, context).openWriter();
  const events: WireEvent[] = [...writer.begin()];
  for (const chunk of chunks) events.push(...writer.add(chunk));
  events.push(...writer.end("done"));
  return { events, whole: membersOf(writer.whole()) };
}

const responsesBody = {
  model: "m",
  input: "Hi",
  tools: [
    { type: "function", name: "read" },
    { type: "custom", name: "patch" },
    { type: "tool_search", execution: "client" },
    { type: "namespace", name: "mail", tools: [{ type: "function", name: "send" }] },
  ],
};

type ResponseEvent = Parameters<typeof accumulateResponse>[0];

function reduced(events: readonly ResponseEvent[]): readonly Members[] {
  let response: ReturnType<typeof accumulateResponse> | undefined;
  for (const event of events) response = accumulateResponse(event, response);
  return (response?.output ?? []).map(membersOf);
}

/** What deltas say of an item; its search query and its sources come with its end alone. */
function saidIn({ type, content, summary, arguments: made, input }: Members): unknown {
  const parts = (Array.isArray(content) ? content : []).map((part) => {
    const { text: words, refusal } = membersOf(part);
    return [words, refusal];
  });
  return type === "tool_search_call" ? [type] : [type, parts, summary, made, input];
}

test("the events of a response are numbered, have their items in order, and add up to it", () => {
  fc.assert(
    fc.property(answer, (made) => {
      const chunks = chunksOf(made);
      const { events, whole } = written(createResponsesFormat(), { ...responsesBody, stream: true }, chunks);
      const read: ResponseEvent[] = events.map(({ data }) => JSON.parse(data));
      assert.deepEqual(
        read.map(({ sequence_number }) => sequence_number),
        read.map((_, index) => index),
      );
      assert.deepEqual(
        events.map(({ name }) => name),
        read.map(({ type }) => type),
      );
      checkPlaces(read.map(membersOf));
      const last = membersOf(read.at(-1));
      assert.deepEqual(membersOf(last.response), whole);
      const output = membersOf(last.response).output as readonly Members[];
      const before = read.slice(0, -1);
      const ended = new Set(
        before
          .map(membersOf)
          .filter(({ type }) => type === "response.output_item.done")
          .map(({ output_index }) => output_index),
      );
      const accumulated = reduced(before);
      assert.equal(accumulated.length, output.length);
      for (const [index, item] of output.entries())
        if (ended.has(index)) assert.deepEqual(accumulated[index], item);
      // Without the ends of parts and items, the deltas alone say the same.
      const deltas = reduced(before.filter(({ type }) => !type.endsWith(".done")));
      const isBroken = made.calls.some(({ name, isCut }) => name === "patch" && isCut);
      // The input of a custom call that is no JSON is decoded until it breaks, and is all of it at its end.
      if (!isBroken) assert.deepEqual(deltas.map(saidIn), output.map(saidIn));
    }),
    { numRuns: randomCases(1000) },
  );
});

/** Items begin with the next index, their events are between their beginning and their end, and have their id. */
function checkPlaces(events: readonly Members[]): void {
  const open = new Map<unknown, { readonly id: unknown; parts: number }>();
  let count = 0;
  for (const { type, output_index: at, item, item_id: id, content_index: part } of events) {
    if (type === "response.output_item.added") {
      assert.equal(at, count);
      open.set(at, { id: membersOf(item).id, parts: 0 });
      count += 1;
    } else if (at !== undefined) {
      const found = open.get(at);
      assert.ok(found, `${type} ${at}`);
      assert.equal(id ?? membersOf(item).id, found.id);
      if (type === "response.content_part.added") {
        assert.equal(part, found.parts);
        found.parts += 1;
      } else if (part !== undefined) assert.ok(Number(part) < found.parts);
      if (type === "response.output_item.done") open.delete(at);
    }
  }
}

const messagesBody = {
  model: "m",
  max_tokens: 100,
  messages: [{ role: "user", content: "Hi" }],
  tools: [
    ...names.map((name) => ({ name, input_schema: { type: "object" } })),
    { type: "web_search_20250305", name: "web_search" },
  ],
};

test("the events of a message have one block after the other, and the vendor's library adds them up to the same message as is sent whole", async () => {
  await fc.assert(
    fc.asyncProperty(answer, fc.boolean(), async (made, isHidden) => {
      const chunks = chunksOf(made);
      const thinking = isHidden ? { thinking: { type: "adaptive", display: "omitted" } } : {};
      const { events } = written(messagesFormat, { ...messagesBody, ...thinking, stream: true }, chunks);
      checkBlocks(events.map(({ data }) => membersOf(JSON.parse(data))));
      const lines = events.map(({ name, data }) => `event: ${name}\ndata: ${data}\n\n`).join("");
      const client = new Anthropic({
        apiKey: "test",
        maxRetries: 0,
        fetch: async () => new Response(lines, { headers: { "content-type": "text/event-stream" } }),
      });
      const message = await client.messages
        .stream({ model: "m", max_tokens: 1, messages: [] })
        .finalMessage();
      const { whole } = written(messagesFormat, { ...messagesBody, ...thinking }, chunks);
      assert.deepEqual([message.stop_reason, message.usage.output_tokens], [whole.stop_reason, 4]);
      const wholeBlocks = whole.content as readonly Members[];
      for (const kind of ["text", "thinking"])
        assert.equal(joined(message.content.map(membersOf), kind), joined(wholeBlocks, kind));
      // What was sent of an input that is no JSON can't be taken back; as a whole it is named as such.
      const isBroken = made.calls.some(({ isCut }) => isCut);
      const calls = (all: readonly Members[]) =>
        all
          .filter(({ type }) => type === "tool_use")
          .map(({ name, input }) => [name, isBroken ? undefined : input]);
      assert.deepEqual(calls(message.content.map(membersOf)), calls(wholeBlocks));
    }),
    { numRuns: randomCases(1000) },
  );
});

function joined(blocks: readonly Members[], kind: string): string {
  return blocks.flatMap((block) => (block.type === kind ? [String(block[kind])] : [])).join("");
}

function checkBlocks(events: readonly Members[]): void {
  const shown = events.filter(({ type }) => type !== "ping");
  assert.equal(shown[0]?.type, "message_start");
  assert.deepEqual(
    shown.slice(-2).map(({ type }) => type),
    ["message_delta", "message_stop"],
  );
  let index = -1;
  let isOpen = false;
  for (const event of shown.slice(1, -2)) {
    if (event.type === "content_block_start") {
      assert.ok(!isOpen);
      index += 1;
    } else assert.ok(isOpen, String(event.type));
    isOpen = event.type !== "content_block_stop";
    assert.equal(event.index, index);
  }
  assert.ok(!isOpen);
}
