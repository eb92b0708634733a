// What clients of the chat send beside what the service's own chat route has.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { chatFormat } from "../../../../../src/gateway/formats/chat/chatFormat.ts";
import type { Members } from "../../../../../src/shared/members.ts";

const context = { client: "test", now: () => 1, newId: (prefix: string) => `${prefix}1` };
const hi = { role: "user", content: "Hi" };
const point = { type: "ephemeral" };
const call = (id: string) => ({ id, type: "function", function: { name: "look", arguments: "{}" } });
const asked = { role: "assistant", content: null, tool_calls: [call("a"), call("b")] };
const picture = { type: "image_url", image_url: { url: "data:image/png;base64,AA" } };

function read(body: Members): ChatRequest {
  return chatFormat.read({ model: "m", messages: [hi], ...body }, context).request;
}

function messagesOf(...messages: readonly Members[]): ChatRequest["messages"] {
  return read({ messages }).messages;
}

function refusals(body: Members): readonly string[] {
  try {
    read(body);
  } catch (error) {
    assert.ok(isApiError(error) && error.kind === "invalid-request");
    return (error.details.issues ?? []).map(({ field }) => field);
  }
  return [];
}

test("a cache point of a message is one of its last part, and those of tools and results are left out", () => {
  const parts = [
    { type: "text", text: "a" },
    { type: "text", text: "b" },
  ];
  const messages = messagesOf(
    { role: "system", content: "Be brief.", cache_control: point },
    { role: "user", content: parts, cache_control: point },
    { ...asked, cache_control: point },
    { role: "tool", tool_call_id: "a", content: "done", cache_control: point },
  );
  assert.deepEqual(messages, [
    { role: "system", content: [{ type: "text", text: "Be brief.", cache_control: point }] },
    { role: "user", content: [parts[0], { ...parts[1], cache_control: point }] },
    asked,
    { role: "tool", tool_call_id: "a", content: "done" },
  ]);
  const made = { name: "look", parameters: {} };
  const tool = { type: "function", function: { ...made, cache_control: point }, cache_control: point };
  assert.deepEqual(read({ tools: [tool] }).tools, [{ type: "function", function: made }]);
});

test("results of tools are texts, and their pictures follow all of them", () => {
  const messages = messagesOf(
    hi,
    asked,
    { role: "tool", tool_call_id: "a", content: [{ type: "text", text: "one" }, picture] },
    {
      role: "tool",
      tool_call_id: "b",
      content: [
        { type: "text", text: "two" },
        { type: "text", text: "three" },
      ],
    },
    hi,
  );
  assert.deepEqual(messages, [
    hi,
    asked,
    { role: "tool", tool_call_id: "a", content: "one" },
    { role: "tool", tool_call_id: "b", content: "two\nthree" },
    { role: "user", content: [{ type: "text", text: "Of the tool result a:" }, picture] },
    hi,
  ]);
});

test("an answer comes back with what a model reads of it", () => {
  const messages = messagesOf(
    {
      role: "assistant",
      content: "So",
      annotations: [{ type: "url_citation" }],
      tool_calls: [],
      audio: null,
    },
    { role: "assistant", content: [{ type: "refusal", refusal: "No" }] },
    { role: "assistant", content: null, refusal: "No", reasoning: "Hm" },
  );
  assert.deepEqual(messages, [
    { role: "assistant", content: "So" },
    { role: "assistant", content: [{ type: "text", text: "No" }] },
    { role: "assistant", content: "No", reasoning_content: "Hm" },
  ]);
});

test("what asks for nothing is no reason to refuse a request", () => {
  const { image_url: url } = picture;
  const content = [
    { type: "text", text: "" },
    { ...picture, image_url: { ...url, detail: "auto" } },
  ];
  const request = read({
    messages: [{ role: "user", content, name: null }],
    stream: true,
    stream_options: { include_usage: true, include_obfuscation: false },
    safety_identifier: "u",
    prompt_cache_retention: "in_memory",
    reasoning: { effort: "low", summary: null },
    verbosity: "low",
    stop: [],
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: true,
  });
  assert.deepEqual(request, {
    model: "m",
    messages: [{ role: "user", content: [picture] }],
    stream_options: { include_usage: true },
    user: "u",
    prompt_cache_retention: "default",
    reasoning: { effort: "low" },
    text: { verbosity: "low" },
  });
  const nulls = { name: "look", description: null, parameters: null, strict: null };
  assert.deepEqual(read({ tools: [{ type: "function", function: nulls }] }).tools, [
    { type: "function", function: { name: "look" } },
  ]);
});

test("what can't be held is refused by the path of its member", () => {
  const part = (content: Members) => ({ messages: [{ role: "user", content: [content] }] });
  const bodies: Readonly<Record<string, Members>> = {
    "messages.0.content.0.type": part({ type: "input_text", text: "a" }),
    "messages.0.content.0.image_url.detail": part({
      ...picture,
      image_url: { ...picture.image_url, detail: "low" },
    }),
    "messages.0.content.0.file.file_id": part({ type: "file", file: { file_id: "f" } }),
    "tools.0.type": { tools: [{ type: "custom", custom: { name: "x" } }] },
    "tool_choice.type": { tool_choice: { type: "allowed_tools", allowed_tools: {} } },
    safety_identifier: { user: "a", safety_identifier: "b" },
    stream_options: { stream_options: { include_obfuscation: true } },
  };
  for (const [field, body] of Object.entries(bodies)) assert.deepEqual(refusals(body), [field]);
});
