import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import type { Members } from "../../../../../src/shared/members.ts";
import { question, read, refusals, testContext } from "./scriptedChat.ts";

const user = (content: unknown) => ({ role: "user", content });
const assistant = (content: unknown) => ({ role: "assistant", content });
const text = (said: string, members: Members = {}) => ({ type: "text", text: said, ...members });
const messagesOf = (...messages: readonly Members[]) => read({ messages }).messages;
const cached = { cache_control: { type: "ephemeral" } };

/** What Claude Code sends: members, blocks and tools as in version 2.1. */
const claudeCode = {
  model: "tiny",
  max_tokens: 128_000,
  stream: true,
  system: [
    text("x-anthropic-billing-header: cc_version=2.1.280.01c; cc_entrypoint=cli; cch=36ee5;"),
    text("You are Claude Code."),
    text("Rules.", { cache_control: { type: "ephemeral", ttl: "1h", scope: "global" } }),
  ],
  messages: [
    user([text("<system-reminder>x</system-reminder>"), text("List the files.", cached)]),
    assistant([
      { type: "thinking", thinking: "I need a tool.", signature: "EqQBCgIYAhIM" },
      text("I look."),
      { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: "ls" }, caller: { type: "direct" } },
    ]),
    user([
      { type: "tool_result", tool_use_id: "toolu_1", content: [text("a.ts")], is_error: false, ...cached },
      text("Go on."),
    ]),
    { role: "system", content: "Plan mode is off.", output_config: { effort: "low" } },
  ],
  tools: [
    {
      name: "Bash",
      description: "Runs a command.",
      input_schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: { command: {} },
      },
      eager_input_streaming: true,
      defer_loading: true,
      ...cached,
    },
  ],
  thinking: { type: "adaptive", display: "omitted" },
  context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
  output_config: { effort: "medium" },
  metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"54c1eb09-bc4c-4d2f"}' },
  diagnostics: { previous_message_id: null },
  temperature: 1,
};

test("a request of Claude Code", () => {
  const { request, isStreamed, session } = messagesFormat.read(claudeCode, testContext());
  assert.equal(isStreamed, true);
  assert.equal(session, "54c1eb09-bc4c-4d2f");
  ChatRequest.parse(request);
  assert.deepEqual(request, {
    model: "tiny",
    max_completion_tokens: 128_000,
    temperature: 1,
    reasoning_effort: "low",
    messages: [
      { role: "system", content: [text("You are Claude Code."), text("Rules.", cached)] },
      user([text("<system-reminder>x</system-reminder>"), text("List the files.", cached)]),
      {
        ...assistant("I look."),
        reasoning_content: "I need a tool.",
        tool_calls: [
          { id: "toolu_1", type: "function", function: { name: "Bash", arguments: '{"command":"ls"}' } },
        ],
      },
      { role: "tool", tool_call_id: "toolu_1", content: "a.ts" },
      user("Go on."),
      { role: "system", content: "Plan mode is off." },
    ],
    tools: [
      {
        type: "function",
        function: {
          name: "Bash",
          description: "Runs a command.",
          parameters: claudeCode.tools[0]?.input_schema,
        },
      },
    ],
  });
});

test("the session is read in the form of each version", () => {
  const sessionOf = (user_id: unknown) =>
    messagesFormat.read(question({ metadata: { user_id } }), testContext()).session;
  assert.equal(sessionOf("user_1f_account__session_57a121ec-f78c"), "57a121ec-f78c");
  assert.equal(sessionOf('{"session_id":"57a121ec"}'), "57a121ec");
  for (const none of ["someone", "{", '{"session_id":7}', "", null, "_session_", "x".repeat(5000)])
    assert.equal(sessionOf(none), undefined);
});

test("results come directly after their calls, with their pictures behind them", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } };
  const result = (id: string, members: Members) => ({ type: "tool_result", tool_use_id: id, ...members });
  const read = messagesOf(
    user([text("Before"), result("a", { content: [text("one"), image] })]),
    user([result("b", { is_error: true, content: "no file" }), result("c", {}), text("After")]),
    user([result("d", { is_error: true, content: "Error: known" }), image]),
  );
  const url = "data:image/png;base64,AAAA";
  assert.deepEqual(read, [
    { role: "tool", tool_call_id: "a", content: "one\n[Picture 1, shown below]" },
    { role: "tool", tool_call_id: "b", content: "Error: no file" },
    { role: "tool", tool_call_id: "c", content: "" },
    { role: "tool", tool_call_id: "d", content: "Error: known" },
    user([
      text("Before"),
      text("Picture 1 of the tool result a:"),
      { type: "image_url", image_url: { url } },
    ]),
    user("After"),
    user([{ type: "image_url", image_url: { url } }]),
  ]);
});

test("documents and search results become files and text", () => {
  const document = (source: Members, members: Members = {}) => ({ type: "document", source, ...members });
  const search = { type: "search_result", title: "T", source: "https://a.example", content: [text("found")] };
  const [read] = messagesOf(
    user([
      document({ type: "text", media_type: "text/plain", data: "plain" }, { title: "Notes", context: "old" }),
      document({ type: "base64", media_type: "application/pdf", data: "JVBERi0=" }, { title: "a.pdf" }),
      document({ type: "content", content: [text("inside")] }, cached),
      search,
      { type: "image", source: { type: "url", url: "https://a.example/b.png" } },
    ]),
  );
  assert.deepEqual(read?.content, [
    text("Notes\nold\n\nplain"),
    text("a.pdf"),
    { type: "file", file: { file_data: "data:application/pdf;base64,JVBERi0=", filename: "a.pdf" } },
    text("inside", cached),
    text("T\nhttps://a.example\n"),
    text("found"),
    { type: "image_url", image_url: { url: "https://a.example/b.png" } },
  ]);
});

test("an instruction for one turn ends with the next words of the user", () => {
  const note = { role: "system", content: "Be brief.", clear_at: "next_user_message" };
  const result = user([{ type: "tool_result", tool_use_id: "a", content: "b" }]);
  const sent = { role: "system", content: "Be brief." };
  assert.deepEqual(messagesOf(user("1"), note, assistant("2")).at(1), sent);
  assert.deepEqual(messagesOf(user("1"), note, assistant("2"), result).at(1), sent);
  assert.deepEqual(messagesOf(user("1"), note, assistant("2"), user("3")), [
    user("1"),
    assistant("2"),
    user("3"),
  ]);
});

test("the beginning of an answer is kept as the last message", () => {
  assert.deepEqual(messagesOf(user("Write JSON"), assistant("{")).at(-1), assistant("{"));
});

test("reasoning that only its provider can read is left out, and so is an empty turn", () => {
  const redacted = { type: "redacted_thinking", data: "EmwKAhgBEgy" };
  assert.deepEqual(messagesOf(user("a"), assistant([redacted]), user("b")), [user("a"), user("b")]);
  assert.deepEqual(messagesOf(user("a"), assistant([redacted, text("c")])).at(-1), assistant("c"));
  const changed = { type: "thinking", thinking: "why", signature: "iwr_eyJjYWxscyI6N30" };
  assert.deepEqual(messagesOf(user("a"), assistant([changed, text("c")])).at(-1), {
    ...assistant("c"),
    reasoning_content: "why",
  });
});

test("reasoning of old turns is left out as the client asks", () => {
  const thought = (said: string) =>
    assistant([{ type: "thinking", thinking: said, signature: "" }, text(said)]);
  const messages = [user("a"), thought("1"), user("b"), thought("2"), user("c")];
  const edits = [{ type: "clear_thinking_20251015", keep: { type: "thinking_turns", value: 1 } }];
  const [, first, , second] = read({ messages, context_management: { edits } }).messages;
  assert.deepEqual(first, assistant("1"));
  assert.deepEqual(second, { ...assistant("2"), reasoning_content: "2" });
});

const tool = { name: "t", input_schema: { type: "object" } };
const search = { type: "web_search_20250305", name: "web_search", max_uses: 8 };

test("choices of tools, and the search of the service", () => {
  const choiceOf = (tool_choice: Members, tools: readonly Members[] = [tool]) => {
    const {
      tool_choice: chosen,
      parallel_tool_calls,
      service_parameters,
      tools: sent,
    } = read({ tools, tool_choice });
    return [chosen, parallel_tool_calls, service_parameters, sent?.length ?? 0];
  };
  assert.deepEqual(choiceOf({ type: "auto" }), ["auto", undefined, undefined, 1]);
  assert.deepEqual(choiceOf({ type: "any", disable_parallel_tool_use: true }), [
    "required",
    false,
    undefined,
    1,
  ]);
  assert.deepEqual(choiceOf({ type: "none" }), ["none", undefined, undefined, 1]);
  const named = { type: "function", function: { name: "t" } };
  assert.deepEqual(choiceOf({ type: "tool", name: "t" }), [named, undefined, undefined, 1]);
  const [auto, on] = [{ enable_web_search: "auto" }, { enable_web_search: "on" }];
  assert.deepEqual(choiceOf({ type: "auto" }, [tool, search]), ["auto", undefined, auto, 1]);
  assert.deepEqual(choiceOf({ type: "tool", name: "web_search" }, [search]), [undefined, undefined, on, 0]);
  assert.deepEqual(choiceOf({ type: "any" }, [search]), [undefined, undefined, on, 0]);
});

test("levels of reasoning", () => {
  const effortOf = (members: Members) => {
    const { reasoning_effort, service_parameters } = read(members);
    return reasoning_effort ?? service_parameters?.disable_thinking;
  };
  const enabled = (budget_tokens: number) => ({ thinking: { type: "enabled", budget_tokens } });
  assert.deepEqual(
    [4000, 10_000, 31_999].map((budget) => effortOf(enabled(budget))),
    ["low", "medium", "high"],
  );
  assert.equal(effortOf({ thinking: { type: "adaptive" } }), undefined);
  assert.equal(effortOf({ thinking: { type: "disabled" }, output_config: { effort: "max" } }), true);
  assert.equal(effortOf({ ...enabled(4000), output_config: { effort: "xhigh" } }), "xhigh");
});

test("what can't be translated is refused by name", () => {
  const refused = refusals({
    model: "tiny",
    messages: [
      user([
        { type: "container_upload", file_id: "f" },
        { type: "image", source: { type: "file", file_id: "f" } },
        { type: "document", source: { type: "url", url: "https://a.example/b.pdf" } },
      ]),
      assistant([{ type: "mcp_tool_use" }]),
      { role: "tool", content: "x" },
    ],
    tools: [
      { type: "code_execution_20250825", name: "code_execution" },
      { ...tool, custom_member: 1 },
      { ...search, allowed_domains: ["a"] },
    ],
    tool_choice: { type: "tool", name: "absent" },
    mcp_servers: [{ name: "m" }],
    container: "c",
    stop_sequences: ["1", "2", "3", "4", "5"],
    context_management: { edits: [{ type: "compact_20260112" }] },
    thread: { type: "continue", previous_message_id: "msg_1" },
    temperature: 7,
    fallbacks: [],
  });
  assert.deepEqual(refused.map((line) => line.slice(0, line.indexOf(":"))).sort(), [
    "container",
    "context_management.edits.0.type",
    "fallbacks",
    "max_tokens",
    "mcp_servers",
    "messages.0.content.0.type",
    "messages.0.content.1.source.type",
    "messages.0.content.2.source.type",
    "messages.1.content.0.type",
    "messages.2.role",
    "stop_sequences",
    "temperature",
    "thread.previous_message_id",
    "tool_choice.name",
    "tools.0.type",
    "tools.1.custom_member",
    "tools.2.allowed_domains",
  ]);
});

test("null is the same as absent", () => {
  const body = {
    system: null,
    tools: null,
    thinking: null,
    cache_control: null,
    container: null,
    unknown: null,
  };
  assert.deepEqual(read(body), read());
});

test("a cache point of the request is at its end", () => {
  assert.deepEqual(read(cached).messages, [user([text("Hi", cached)])]);
});

test("an error names the member once", () => {
  const error = { status: 400, sentence: "must be text", field: "model" };
  const message = (errorOf: unknown) => (errorOf as { error: { message: string } }).error.message;
  assert.equal(message(messagesFormat.errorBody(error)), "model: must be text");
  assert.equal(
    message(messagesFormat.errorBody({ ...error, sentence: "model: is missing" })),
    "model: is missing",
  );
});
