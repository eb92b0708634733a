// The streams in the vendor's documentation, event by event: an answer of the chat route with the same content is written as
// the same events. A line has the type of an event, and what it is of. The first pieces of a call are sent as one, because a
// service could repeat all of it in each.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import { isMembers, type Members, membersOf } from "../../../../../src/shared/members.ts";

const context = { client: "a", now: () => 0, newId: (prefix: string) => `${prefix}1` };
const tools = [{ name: "get_weather", input_schema: { type: "object" } }];

/** The documented streams: what the model said, and the events. Pings, which may come anywhere, are left out. */
const documented: Readonly<
  Record<string, { readonly said: readonly Members[]; readonly events: readonly string[] }>
> = {
  "a text": {
    said: [{ content: "Hello" }, { content: "!" }, { reason: "stop" }],
    events: [
      "message_start assistant []",
      'content_block_start 0 {"type":"text","text":""}',
      "content_block_delta 0 text_delta Hello",
      "content_block_delta 0 text_delta !",
      "content_block_stop 0",
      "message_delta end_turn",
      "message_stop",
    ],
  },
  "a text, then a call": {
    said: [
      { content: "Okay" },
      { content: "." },
      { tool_calls: [{ index: 0, id: "toolu_1", function: { name: "get_weather", arguments: "" } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"location":' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ' "Oslo"}' } }] },
      { reason: "tool_calls" },
    ],
    events: [
      "message_start assistant []",
      'content_block_start 0 {"type":"text","text":""}',
      "content_block_delta 0 text_delta Okay",
      "content_block_delta 0 text_delta .",
      "content_block_stop 0",
      'content_block_start 1 {"type":"tool_use","id":"toolu_1","name":"get_weather","input":{}}',
      'content_block_delta 1 input_json_delta {"location": "Oslo"}',
      "content_block_stop 1",
      "message_delta tool_use",
      "message_stop",
    ],
  },
  "thinking with its signature, then a text": {
    said: [
      { reasoning_content: "I add " },
      { reasoning_content: "both." },
      { content: "27" },
      { reason: "stop" },
    ],
    events: [
      "message_start assistant []",
      'content_block_start 0 {"type":"thinking","thinking":"","signature":""}',
      "content_block_delta 0 thinking_delta I add ",
      "content_block_delta 0 thinking_delta both.",
      "content_block_delta 0 signature_delta",
      "content_block_stop 0",
      'content_block_start 1 {"type":"text","text":""}',
      "content_block_delta 1 text_delta 27",
      "content_block_stop 1",
      "message_delta end_turn",
      "message_stop",
    ],
  },
  "an answer that its limit has cut": {
    said: [{ content: "Once" }, { reason: "length" }],
    events: [
      "message_start assistant []",
      'content_block_start 0 {"type":"text","text":""}',
      "content_block_delta 0 text_delta Once",
      "content_block_stop 0",
      "message_delta max_tokens",
      "message_stop",
    ],
  },
};

function chunkOf({ reason = null, ...delta }: Members): ChatChunk {
  return ChatChunk.parse({ choices: [{ index: 0, delta, finish_reason: reason }] });
}

function lineOf(data: string): string {
  const event: unknown = JSON.parse(data);
  assert.ok(isMembers(event));
  const { type, index, message, content_block: block, delta } = event;
  if (isMembers(message)) return `${type} ${message.role} ${JSON.stringify(message.content)}`;
  if (block) {
    const { citations: _, caller: __, ...shown } = membersOf(block);
    return `${type} ${index} ${JSON.stringify(shown)}`;
  }
  const { type: part, text, thinking, partial_json: json, stop_reason: reason } = membersOf(delta);
  if (reason !== undefined) return `${type} ${reason}`;
  const words = text ?? thinking ?? json;
  return [type, index, part, words].filter((word) => word !== undefined).join(" ");
}

for (const [name, { said, events }] of Object.entries(documented))
  test(`the documented stream of ${name}`, () => {
    const thinking = { type: "enabled", budget_tokens: 1024 };
    const body = { model: "m", max_tokens: 2000, stream: true, tools, thinking, messages: [hi] };
    const writer = messagesFormat.read(body, context).openWriter();
    const written = [
      ...writer.begin(),
      ...said.flatMap((one) => writer.add(chunkOf(one))),
      ...writer.end("done"),
    ];
    assert.ok(written.every(({ name: named, data }) => JSON.parse(data).type === named));
    const lines = written.map(({ data }) => lineOf(data)).filter((line) => line !== "ping");
    assert.deepEqual(lines, events);
  });

const hi = { role: "user", content: "Hi" };
