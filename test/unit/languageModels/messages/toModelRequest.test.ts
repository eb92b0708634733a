import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelRequest } from "../../../../src/languageModels/messages/toModelRequest.ts";
import { double } from "../../vscodeDouble.ts";
import { message, parts, user } from "../editorModels.ts";

const { readMessages } = await import("../../../../src/languageModels/messages/readMessages.ts");
const { toModelRequest } = await import("../../../../src/languageModels/messages/toModelRequest.ts");

const { LanguageModelTextPart: Text, LanguageModelDataPart: Data } = parts;
const { LanguageModelToolCallPart: Call, LanguageModelToolResultPart: Result } = parts;
const { LanguageModelThinkingPart: Thinking, LanguageModelPromptTsxPart: PromptTsx } = double;

const bytes = (text: string) => new TextEncoder().encode(text);

function request(messages: Parameters<typeof readMessages>[0], more: Partial<ModelRequest> = {}) {
  const turns = readMessages(messages);
  const fixed = {
    model: "guide",
    turns,
    tools: [],
    mustCallTool: false,
    effort: undefined,
    modelOptions: {},
    cacheKeyOf: (beginning: readonly object[]) => `key of ${beginning.length}`,
  };
  return toModelRequest({ ...fixed, ...more }, () => undefined);
}

const messagesOf = (...messages: Parameters<typeof readMessages>[0]) => request(messages).messages;

test("roles: system, user, assistant; an empty answer is left out", () => {
  assert.deepEqual(
    messagesOf(message(3, new Text("Be brief.")), user("Hi"), message(2), message(2, new Text("Hello"))),
    [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ],
  );
});

test("images become data URLs, JSON and text data become text, unknown parts are skipped", () => {
  const unknown = [{}, null, undefined, 7, "text", new Data(bytes("ephemeral"), "cache_control")];
  const seen = messagesOf(
    message(
      1,
      new Text("Look:"),
      new Data(bytes("png"), "image/png"),
      new Data(bytes("{}"), "application/json"),
    ),
    message(1, ...unknown),
    message(1, new Data(bytes("a\n"), "text/plain"), ...unknown),
  );
  assert.deepEqual(seen, [
    {
      role: "user",
      content: [
        { type: "text", text: "Look:" },
        { type: "image_url", image_url: { url: `data:image/png;base64,${btoa("png")}` } },
        { type: "text", text: "{}" },
      ],
    },
    { role: "user", content: "a\n" },
  ]);
});

test("results follow their calls in the order of the calls, whatever comes between; a missing one is said so", () => {
  const seen = messagesOf(
    message(
      2,
      new Thinking(["Th", "ink"]),
      new Text("I look."),
      new Call("a", "x", {}),
      new Call("b", "y", { at: 1 }),
    ),
    message(1, new Text("Go on."), new Result("b", [new PromptTsx({ node: 1 }), {}])),
    message(2, new Call("c", "x", {})),
    message(1, new Result("c", [new Data(bytes("png"), "image/png")])),
    message(1, new Result("c", [new Text("twice")]), new Result("lost", [new Text("old")])),
  );
  const made = (id: string, name: string, text: string) => ({
    id,
    type: "function",
    function: { name, arguments: text },
  });
  assert.deepEqual(seen, [
    {
      role: "assistant",
      content: "I look.",
      reasoning_content: "Think",
      tool_calls: [made("a", "x", "{}"), made("b", "y", '{"at":1}')],
    },
    {
      role: "tool",
      tool_call_id: "a",
      content: "There is no result of this call. It may have run, and its result is lost. Go on without it.",
    },
    { role: "tool", tool_call_id: "b", content: '{"node":1}' },
    { role: "user", content: "Go on." },
    { role: "assistant", content: null, tool_calls: [made("c", "x", "{}")] },
    { role: "tool", tool_call_id: "c", content: "twice" },
    {
      role: "user",
      content: [{ type: "image_url", image_url: { url: `data:image/png;base64,${btoa("png")}` } }],
    },
    { role: "user", content: "Result of an earlier tool call:\nold" },
  ]);
});

test("options of the service are sent, others are skipped; none replaces a member of ours", () => {
  const modelOptions = {
    temperature: 0.2,
    max_tokens: 50,
    model: "other",
    n: 4,
    unknownOption: true,
    top_p: undefined,
  };
  const { messages: _, ...body } = request([user("Hi")], { modelOptions, effort: "low" });
  assert.deepEqual(body, {
    model: "guide",
    temperature: 0.2,
    max_tokens: 50,
    reasoning_effort: "low",
    stream_options: { include_usage: true },
    service_parameters: { include_venice_system_prompt: false },
    prompt_cache_key: "key of 1",
  });
});

test("the requests of a conversation have one cache key, which follows from what comes before the first answer", () => {
  const beginning = [message(3, new Text("Be brief.")), user("Hi")];
  const later = [...beginning, message(2, new Text("Hello")), user("Go on")];
  const keys = [beginning, later].map((messages) => request(messages).prompt_cache_key);
  assert.deepEqual(keys, ["key of 2", "key of 2"]);
  const modelOptions = { prompt_cache_key: "the caller's" };
  assert.equal(request(later, { modelOptions }).prompt_cache_key, "the caller's");
});

test("a tool without a schema takes no input; a required call needs tools", () => {
  const tools = [{ name: "now", description: "The time." }];
  const { tools: sent, tool_choice } = request([user("?")], { tools, mustCallTool: true });
  const parameters = { type: "object", properties: {} };
  assert.deepEqual(sent, [
    { type: "function", function: { name: "now", description: "The time.", parameters } },
  ]);
  assert.equal(tool_choice, "required");
  assert.equal(request([user("?")], { mustCallTool: true }).tool_choice, undefined);
});
