// The streams in the vendor's documentation, event by event: an answer of the chat route with the same content is written as
// the same events. A line has the type of an event, its place, and what it is of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { createResponsesFormat } from "../../../../../src/gateway/formats/responses/responsesFormat.ts";
import { isMembers, type Members, membersOf } from "../../../../../src/shared/members.ts";

const context = { client: "a", now: () => 0, newId: (prefix: string) => `${prefix}1` };
const tools = [{ type: "function", name: "get_weather", parameters: {} }];

const documented: Readonly<
  Record<string, { readonly said: readonly Members[]; readonly events: readonly string[] }>
> = {
  "a text": {
    said: [{ content: "Hi" }, { content: " there!" }, { reason: "stop" }],
    events: [
      "response.created in_progress",
      "response.in_progress in_progress",
      "response.output_item.added 0 message",
      "response.content_part.added 0.0 output_text",
      "response.output_text.delta 0.0 Hi",
      "response.output_text.delta 0.0  there!",
      "response.output_text.done 0.0 Hi there!",
      "response.content_part.done 0.0 output_text",
      "response.output_item.done 0 message",
      "response.completed completed",
    ],
  },
  "a call": {
    said: [
      { tool_calls: [{ index: 0, id: "call_1", function: { name: "get_weather", arguments: '{"loc' } }] },
      { tool_calls: [{ index: 0, function: { arguments: 'ation":"Oslo"}' } }] },
      { reason: "tool_calls" },
    ],
    events: [
      "response.created in_progress",
      "response.in_progress in_progress",
      "response.output_item.added 0 function_call",
      'response.function_call_arguments.delta 0 {"loc',
      'response.function_call_arguments.delta 0 ation":"Oslo"}',
      'response.function_call_arguments.done 0 {"location":"Oslo"}',
      "response.output_item.done 0 function_call",
      "response.completed completed",
    ],
  },
  "reasoning with its summary, then a text": {
    said: [
      { reasoning_content: "I think" },
      { reasoning_content: " of it." },
      { content: "Yes" },
      { reason: "stop" },
    ],
    events: [
      "response.created in_progress",
      "response.in_progress in_progress",
      "response.output_item.added 0 reasoning",
      "response.reasoning_summary_part.added 0.0 summary_text",
      "response.reasoning_summary_text.delta 0.0 I think",
      "response.reasoning_summary_text.delta 0.0  of it.",
      "response.reasoning_summary_text.done 0.0 I think of it.",
      "response.reasoning_summary_part.done 0.0 summary_text",
      "response.output_item.done 0 reasoning",
      "response.output_item.added 1 message",
      "response.content_part.added 1.0 output_text",
      "response.output_text.delta 1.0 Yes",
      "response.output_text.done 1.0 Yes",
      "response.content_part.done 1.0 output_text",
      "response.output_item.done 1 message",
      "response.completed completed",
    ],
  },
  "a refusal": {
    said: [{ refusal: "I'm " }, { refusal: "sorry." }, { reason: "stop" }],
    events: [
      "response.created in_progress",
      "response.in_progress in_progress",
      "response.output_item.added 0 message",
      "response.content_part.added 0.0 refusal",
      "response.refusal.delta 0.0 I'm ",
      "response.refusal.delta 0.0 sorry.",
      "response.refusal.done 0.0 I'm sorry.",
      "response.content_part.done 0.0 refusal",
      "response.output_item.done 0 message",
      "response.completed completed",
    ],
  },
  "an answer that its limit has cut": {
    said: [{ content: "Once" }, { reason: "length" }],
    events: [
      "response.created in_progress",
      "response.in_progress in_progress",
      "response.output_item.added 0 message",
      "response.content_part.added 0.0 output_text",
      "response.output_text.delta 0.0 Once",
      "response.output_text.done 0.0 Once",
      "response.content_part.done 0.0 output_text",
      "response.output_item.done 0 message",
      "response.incomplete incomplete",
    ],
  },
};

function chunkOf({ reason = null, ...delta }: Members): ChatChunk {
  return ChatChunk.parse({ choices: [{ index: 0, delta, finish_reason: reason }] });
}

function lineOf(data: string): string {
  const event: unknown = JSON.parse(data);
  assert.ok(isMembers(event));
  const { type, response, output_index: output, content_index: content, summary_index: summary } = event;
  if (isMembers(response)) return `${type} ${response.status}`;
  const place = [output, content ?? summary].filter((index) => index !== undefined).join(".");
  const { item, part, delta, text, arguments: written, refusal } = event;
  const words = membersOf(item).type ?? membersOf(part).type ?? delta ?? text ?? written ?? refusal;
  return `${type} ${place} ${words}`;
}

for (const [name, { said, events }] of Object.entries(documented))
  test(`the documented stream of ${name}`, () => {
    const body = { model: "m", stream: true, input: "Hi", tools };
    const writer = createResponsesFormat().read(body, context).openWriter();
    const written = [
      ...writer.begin(),
      ...said.flatMap((one) => writer.add(chunkOf(one))),
      ...writer.end("done"),
    ];
    assert.deepEqual(
      written.map(({ data }) => lineOf(data)),
      events,
    );
    const numbers = written.map(({ data }) => membersOf(JSON.parse(data)).sequence_number);
    assert.deepEqual(numbers, [...numbers.keys()]);
  });
