// The members of a request that come from the settings of a chat.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readRequestBase, toChatRequest } from "../../../../../src/chat/host/answer/answerRequest.ts";
import { attachedParts } from "../../../../../src/chat/host/attachments/attachedParts.ts";
import type { AnswerMessage, Message } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { ChatSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import type { ModelCard } from "../../../../../src/shared/chat/chatModels.ts";
import { tool } from "../../weatherTool.ts";

const question = { role: "user", id: "q", text: "hello", parent: null } as unknown as Message;
const answer = {
  role: "assistant",
  id: "a",
  model: "m",
  text: "",
  reasoning: "",
  state: "done",
  calls: [{ id: "c", name: "work", arguments: "{}", state: "done", result: "42" }],
} as unknown as Message;

const requestOf = (settings: ChatSettings, path: readonly Message[] = [question], model = "m") =>
  toChatRequest({
    model,
    card: undefined,
    path,
    parts: new Map(),
    settings: { tools: ["work"], ...settings },
    tools: [tool("work")],
    choices: 1,
    cacheKey: "",
  });

test("a call is required once, with the question: each round of a task would need another", () => {
  const required = { tool_choice: "required" } as const;
  assert.equal(requestOf(required).tool_choice, "required");
  assert.equal(requestOf(required, [question, answer]).tool_choice, undefined);
  assert.equal(requestOf({ tool_choice: "none" }, [question, answer]).tool_choice, "none");
});

test("without tools nothing is said about their use", () => {
  const { tool_choice, parallel_tool_calls, tools } = requestOf({
    tools: [],
    tool_choice: "auto",
    parallel_tool_calls: false,
  });
  assert.deepEqual([tool_choice, parallel_tool_calls, tools], [undefined, undefined, undefined]);
  assert.equal(requestOf({ parallel_tool_calls: false }).parallel_tool_calls, false);
});

test("a switch of the service that is off is sent as false, one that is not set is not sent", () => {
  const { service_parameters } = requestOf({ service: { enable_web_citations: false } });
  assert.deepEqual(service_parameters, { include_venice_system_prompt: false, enable_web_citations: false });
});

test("a suffix that has the service's own prompt is not overruled by the default", () => {
  const { model, service_parameters } = requestOf({}, [question], "m:include_venice_system_prompt=true");
  assert.deepEqual([model, service_parameters], ["m:include_venice_system_prompt=true", {}]);
});

test("the system prompt is sent in the chosen role, and each message of the user with the user's name", () => {
  const path = [question, answer, { ...question, id: "q2" }];
  const settings = { system: "Be brief.", system_role: "developer", user_name: "ada_1" } as const;
  const { messages } = requestOf(settings, path);
  assert.deepEqual(
    messages.map((message) => [message.role, message.name]),
    [
      ["developer", undefined],
      ["user", "ada_1"],
      ["assistant", undefined],
      ["tool", undefined],
      ["user", "ada_1"],
    ],
  );
  assert.equal(requestOf({ system: "Be brief." }).messages[0]?.role, "system");
  assert.ok(!("name" in (requestOf({}).messages[0] ?? {})));
});

test("the names of our own settings are never sent", () => {
  const request = requestOf({
    system_role: "developer",
    user_name: "ada",
    schema: "{}",
    schema_name: "reply",
    schema_strict: false,
    reasoning_summary: "auto",
    budgetUsd: 1,
  });
  for (const name of [
    "system_role",
    "user_name",
    "schema",
    "schema_name",
    "schema_strict",
    "reasoning_summary",
    "budgetUsd",
  ])
    assert.ok(!(name in request), name);
  assert.deepEqual(request.reasoning, { summary: "auto" });
});

test("all requests of a conversation name its id as the key of their prompt cache, whatever the settings", () => {
  const base = { model: "m", card: undefined, parts: new Map(), tools: [], choices: 1, path: [question] };
  const keys = [{}, { prompt_cache_retention: "24h" } as const].map(
    (settings) => toChatRequest({ ...base, settings, cacheKey: "conversation" }).prompt_cache_key,
  );
  assert.deepEqual(keys, ["conversation", "conversation"]);
});

test("a plan that the user changed is told with the question or after the results, and stays where it was told", () => {
  const later = { ...answer, id: "b", userPlan: "The plan is mine." };
  const [, , , told, ...rest] = requestOf({ user_name: "ada" }, [question, answer, later]).messages;
  assert.deepEqual(told, { role: "user", content: "The plan is mine.", name: "ada" });
  assert.deepEqual(
    rest.map(({ role }) => role),
    ["assistant", "tool"],
  );
  const [asked, ...others] = requestOf({}, [question, { ...later, calls: [] } as Message]).messages;
  assert.equal(asked?.content, "hello\n\nThe plan is mine.");
  assert.deepEqual(others, []);
});

test("pictures of results follow them as a message of the user for a model that sees; another one is told that it can't", async () => {
  const png = new Uint8Array([1, 2, 3]);
  const blobs = { read: async (name: string) => (name === "p.png" ? png : undefined) };
  const picture = { blob: "p.png", mediaType: "image/png", bytes: 3, tokens: 10 };
  const [call] = (answer as AnswerMessage).calls ?? [];
  const calls = [
    { ...call, says: "Read a.png", result: "a.png is a picture.", pictures: [picture] },
    { ...call, id: "d", result: "43" },
  ];
  const path = [question, { ...answer, calls } as unknown as Message];
  const sent = async (capabilities: readonly string[]) => {
    const card = { id: "m", name: "M", capabilities } as unknown as ModelCard;
    const parts = await attachedParts(path, blobs, { images: capabilities.includes("vision") });
    const made = { model: "m", card, path, parts, tools: [], choices: 1, cacheKey: "" };
    return toChatRequest({ ...made, settings: {} }).messages.slice(2);
  };
  assert.deepEqual(await sent(["vision"]), [
    { role: "tool", tool_call_id: "c", content: "a.png is a picture. It follows after the results." },
    { role: "tool", tool_call_id: "d", content: "43" },
    {
      role: "user",
      content: [
        { type: "text", text: "Read a.png:" },
        { type: "image_url", image_url: { url: "data:image/png;base64,AQID" } },
      ],
    },
  ]);
  assert.deepEqual(await sent([]), [
    {
      role: "tool",
      tool_call_id: "c",
      content: "a.png is a picture. It is not shown, because this model does not take pictures.",
    },
    { role: "tool", tool_call_id: "d", content: "43" },
  ]);
});

test("a tool that a request offers is made ready while the model answers, one of another mode is not", async () => {
  const readied: string[] = [];
  const base = tool("run_command");
  const command = {
    ...base,
    kind: "command",
    origin: "built-in",
    warm: () => void readied.push("now"),
  } as const;
  const read = (settings: ChatSettings) =>
    readRequestBase(
      {
        chat: { state: { settings } },
        prompt: { system: async () => "", narrowed: (tools: unknown) => tools },
        tools: async () => [command],
      } as unknown as Parameters<typeof readRequestBase>[0],
      "m",
    );
  await read({ mode: "plan" });
  await read({});
  assert.deepEqual(readied, []);
  await read({ mode: "agent" });
  assert.deepEqual(readied, ["now"]);
});
