// Requests in the Responses format become requests of the chat route, or are refused by the name of their member.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { createResponsesFormat } from "../../../../../src/gateway/formats/responses/responsesFormat.ts";
import type { Members } from "../../../../../src/shared/members.ts";
import { codexRequest } from "./codexRequest.ts";

let ids = 0;
const context = { client: "a", now: () => 0, newId: (prefix: string) => `${prefix}${++ids}` };
const format = createResponsesFormat();

const read = (body: Members) => ChatRequest.parse(format.read({ model: "m", ...body }, context).request);
const messagesOf = (input: unknown) => read({ input }).messages;

/** The members that a body is refused for. */
function refused(body: unknown): string[] {
  try {
    format.read(body as Members, context);
  } catch (error) {
    if (!isApiError(error)) throw error;
    assert.equal(error.kind, "invalid-request");
    return (error.details.issues ?? []).map(({ field }) => field);
  }
  return [];
}
const refusedIn = (members: Members) => refused({ model: "m", input: "hi", ...members });

const call = { type: "function_call", call_id: "c1", name: "f", arguments: "{}" };
const output = { type: "function_call_output", call_id: "c1", output: "done" };
const said = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [] }],
});

test("a text is a message of the user, instructions come before it", () => {
  assert.deepEqual(read({ input: "hi", instructions: "be brief" }).messages, [
    { role: "system", content: "be brief" },
    { role: "user", content: "hi" },
  ]);
});

test("all that Codex sends is held: tools of its namespaces, its options, and no search where it permits a cache alone", () => {
  const { request, isStreamed, session } = format.read(codexRequest, context);
  const { tools, messages, ...others } = ChatRequest.parse(request);
  assert.deepEqual(
    tools?.map((tool) => tool.function.name),
    ["run_command", "apply_patch", "agents__wait", "agents__close"],
  );
  assert.match(tools?.[1]?.function.description ?? "", /Lark grammar:\nstart: "x"/);
  assert.match(tools?.[2]?.function.description ?? "", /^agents: Sub-agents\.\n\nWaits\./);
  assert.deepEqual(
    messages.map(({ role }) => role),
    ["developer", "user", "assistant", "tool", "tool", "user"],
  );
  assert.equal(isStreamed, true);
  assert.equal(session, "session-1");
  assert.deepEqual(others, {
    model: "some-model",
    parallel_tool_calls: true,
    prompt_cache_key: "session-1",
    reasoning: { effort: "low", summary: "auto" },
    stream_options: { include_usage: true },
    text: { verbosity: "low" },
    tool_choice: "auto",
  });
});

test("reasoning, text and calls of one answer are one message, and answers without calls stay apart", () => {
  const reasoning = { type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm" }] };
  assert.deepEqual(messagesOf([reasoning, said("a"), call, output, said("b"), said("c")]), [
    {
      role: "assistant",
      content: "a",
      reasoning_content: "hm",
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: "c1", content: "done" },
    { role: "assistant", content: "b" },
    { role: "assistant", content: "c" },
  ]);
});

test("a picture that a tool returned comes with the next message of the user, after all outputs", () => {
  const picture = { type: "input_image", image_url: "data:image/png;base64,AA==", detail: "high" };
  const items = [
    call,
    { ...call, call_id: "c2" },
    { ...output, output: [picture] },
    { ...output, call_id: "c2", output: [{ type: "input_text", text: "two" }] },
  ];
  assert.deepEqual(messagesOf(items).slice(1), [
    { role: "tool", tool_call_id: "c1", content: "The result is in the next message." },
    { role: "tool", tool_call_id: "c2", content: "two" },
    { role: "user", content: [{ type: "image_url", image_url: { url: picture.image_url } }] },
  ]);
});

test("files, cache points and refusals are kept", () => {
  const content = [
    { type: "input_text", text: "read", prompt_cache_breakpoint: { mode: "explicit" } },
    { type: "input_file", file_data: "data:text/plain;base64,AA==", filename: "a.txt" },
  ];
  const refusal = { role: "assistant", content: [{ type: "refusal", refusal: "no" }] };
  assert.deepEqual(messagesOf([{ role: "user", content }, refusal]), [
    {
      role: "user",
      content: [
        { type: "text", text: "read", cache_control: { type: "ephemeral" } },
        { type: "file", file: { file_data: "data:text/plain;base64,AA==", filename: "a.txt" } },
      ],
    },
    { role: "assistant", content: "no" },
  ]);
});

test("tools of the same flat name get different ones, within 64 characters, and the same in each request", () => {
  const tool = (name: string) => ({ type: "function", name });
  const long = "x".repeat(60);
  const tools = [
    { type: "namespace", name: "a", tools: [tool("b__c"), tool(long)] },
    { type: "namespace", name: "a__b", tools: [tool("c"), { type: "custom", name: "c" }] },
    tool("a__b__c"),
    tool("with space"),
  ];
  const namesOf = () => read({ input: "hi", tools }).tools?.map(({ function: { name } }) => name) ?? [];
  const names = namesOf();
  assert.equal(new Set(names).size, 6);
  assert.equal(names[4], "a__b__c");
  for (const name of names) assert.match(name, /^[\w-]{1,64}$/);
  assert.deepEqual(namesOf(), names);
});

test("the tools that a client's own search has found can be called from then on, each once", () => {
  const tools = [
    { type: "function", name: "f" },
    { type: "tool_search", execution: "client", description: "Finds tools.", parameters: { type: "object" } },
  ];
  const found = (names: readonly string[]) => [
    {
      type: "namespace",
      name: "mail",
      description: "Mail.",
      tools: names.map((name) => ({ type: "function", name, defer_loading: true })),
    },
  ];
  const search = (id: string) => ({
    type: "tool_search_call",
    call_id: id,
    execution: "client",
    status: "completed",
    arguments: { query: "mail", limit: 8 },
  });
  const result = (id: string, names: readonly string[]) => ({
    type: "tool_search_output",
    call_id: id,
    execution: "client",
    status: "completed",
    tools: found(names),
  });
  const input = [
    { role: "user", content: "hi" },
    search("s1"),
    result("s1", ["send"]),
    search("s2"),
    result("s2", ["send", "list"]),
    { type: "function_call", call_id: "c1", name: "send", namespace: "mail", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "sent" },
    { type: "additional_tools", role: "developer", tools: [{ type: "function", name: "later" }] },
  ];
  const request = read({ input, tools });
  assert.deepEqual(
    request.tools?.map((tool) => tool.function.name),
    ["f", "tool_search", "mail__send", "mail__list", "later"],
  );
  assert.deepEqual(request.messages.slice(1, 3), [
    {
      role: "assistant",
      tool_calls: [
        {
          id: "s1",
          type: "function",
          function: { name: "tool_search", arguments: '{"query":"mail","limit":8}' },
        },
      ],
    },
    { role: "tool", tool_call_id: "s1", content: "These tools can be called now: mail__send" },
  ]);
  assert.deepEqual(request.messages[4], {
    role: "tool",
    tool_call_id: "s2",
    content: "These tools can be called now: mail__send, mail__list",
  });
  assert.deepEqual(refusedIn({ tools: [{ type: "tool_search" }] }), ["tools.0.execution"]);
  assert.deepEqual(refused({ model: "m", input: [{ ...search("s"), execution: "server" }] }), [
    "input.0.execution",
  ]);
});

test("a choice of tools keeps the allowed ones, or forces one", () => {
  const tools = [{ type: "function", name: "f" }, { type: "custom", name: "g" }, { type: "web_search" }];
  const chosen = (tool_choice: unknown) => {
    const request = read({ input: "hi", tools, tool_choice });
    return [
      request.tools?.map(({ function: { name } }) => name).join(" ") ?? "",
      request.tool_choice ?? "",
      request.service_parameters?.enable_web_search ?? "",
    ];
  };
  const forced = (name: string) => ({ type: "function", function: { name } });
  assert.deepEqual(chosen("required"), ["f g", "required", "auto"]);
  assert.deepEqual(chosen("none"), ["f g", "none", ""]);
  assert.deepEqual(chosen({ type: "custom", name: "g" }), ["f g", forced("g"), "auto"]);
  assert.deepEqual(chosen({ type: "web_search" }), ["f g", "none", "on"]);
  const allowed = { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] };
  assert.deepEqual(chosen(allowed), ["f", "required", ""]);
});

test("a conversation goes on from a stored answer of the same client, and from no other", () => {
  const first = format.read({ model: "m", input: [{ role: "user", content: "one", id: "u1" }] }, context);
  const writer = first.openWriter();
  writer.begin();
  writer.add({ choices: [{ index: 0, delta: { content: "two" }, finish_reason: "stop" }] });
  writer.end("done");
  const { id } = writer.whole() as { readonly id: string };
  const follow = { model: "m", previous_response_id: id, input: "three" };
  assert.deepEqual(format.read(follow, context).request.messages, [
    { role: "user", content: "one" },
    { role: "assistant", content: "two" },
    { role: "user", content: "three" },
  ]);
  assert.deepEqual(messagesOf([{ type: "item_reference", id: "u1" }]), [{ role: "user", content: "one" }]);
  assert.throws(() => format.read(follow, { ...context, client: "b" }), /previous_response_id is not known/);
  assert.deepEqual(refused({ model: "m", input: [{ id: "u2" }] }), ["input.0", "input"]);
  const unstored = format.read({ model: "m", input: "one", store: false }, context).openWriter();
  unstored.end("done");
  const { id: unknown } = unstored.whole() as { readonly id: string };
  assert.deepEqual(refusedIn({ previous_response_id: unknown }), ["previous_response_id"]);
});

const refusals: readonly (readonly [Members, string])[] = [
  [{ background: true }, "background"],
  [{ conversation: "c" }, "conversation"],
  [{ truncation: "auto" }, "truncation"],
  [{ service_tier: "priority" }, "service_tier"],
  [{ top_logprobs: 3 }, "top_logprobs"],
  [{ prompt: { id: "p" } }, "prompt"],
  [{ include: ["message.output_text.logprobs"] }, "include.0"],
  [{ temperature: 3 }, "temperature"],
  [{ max_output_tokens: "many" }, "max_output_tokens"],
  [{ reasoning: { effort: "ultra" } }, "reasoning.effort"],
  [{ reasoning: { depth: 1 } }, "reasoning.depth"],
  [{ text: { format: { type: "json_schema", name: "n" } } }, "text.format.schema"],
  [{ tools: [{ type: "code_interpreter", container: {} }] }, "tools.0.type"],
  [{ tools: [{ type: "function", name: "f", defer_loading: "yes" }] }, "tools.0.defer_loading"],
  [
    {
      tools: [
        { type: "function", name: "f" },
        { type: "function", name: "f" },
      ],
    },
    "tools.1.name",
  ],
  [{ tools: [{ type: "web_search", filters: { allowed_domains: ["a"] } }] }, "tools.0.filters"],
  [{ tools: [{ type: "namespace", name: "n", tools: [{ type: "x" }] }] }, "tools.0.tools.0.type"],
  [{ tool_choice: { type: "function", name: "g" } }, "tool_choice.name"],
  [{ tool_choice: "required" }, "tool_choice"],
  [{ input: [{ type: "local_shell_call", action: {} }] }, "input.0.type"],
  [
    { input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
    "input.0.content.0.image_url",
  ],
  [{ input: [{ role: "assistant", content: [{ type: "input_image" }] }] }, "input.0.content.0.type"],
  [{ input: [{ ...call, colour: 1 }] }, "input.0.colour"],
  [
    { input: [{ type: "reasoning", summary: [], encrypted_content: "iw1.e30" }] },
    "input.0.encrypted_content",
  ],
  [{ user: "a", safety_identifier: "b" }, "safety_identifier"],
  [{ unheard_of: 1 }, "unheard_of"],
  [JSON.parse('{"__proto__": {"model": "x"}}'), "__proto__"],
  [JSON.parse('{"constructor": 1}'), "constructor"],
];

test("what can't be held is refused by the path of its member", () => {
  for (const [members, field] of refusals) assert.equal(refusedIn(members)[0], field, field);
});

test("members that are null are as good as absent", () => {
  const names = [
    "instructions",
    "tools",
    "tool_choice",
    "reasoning",
    "text",
    "include",
    "metadata",
    "stream",
  ];
  const nulls = Object.fromEntries([...names, "conversation", "unheard_of"].map((name) => [name, null]));
  assert.deepEqual(read({ input: "hi", ...nulls }), read({ input: "hi" }));
});

/** Every member of a body that Codex could send, replaced by a value of each type. */
function* corrupted(value: unknown, path: readonly string[]): Generator<{ path: string[]; body: unknown }> {
  for (const wrong of ["text", 7, true, [7], { odd: 1 }])
    yield { path: [...path], body: replaced(codexRequest, path, wrong) };
  if (typeof value !== "object" || value === null) return;
  for (const [name, child] of Object.entries(value)) yield* corrupted(child, [...path, name]);
}

function replaced(value: unknown, [name, ...rest]: readonly string[], wrong: unknown): unknown {
  if (name === undefined) return wrong;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value)
    ? [...value]
    : { ...(value as Members) };
  Reflect.set(copy, name, replaced(Reflect.get(copy, name), rest, wrong));
  return copy;
}

test("a wrong type at any member ends in a chat request or in an error that names that member or one above it", () => {
  let refusedCount = 0;
  for (const [name, value] of Object.entries(codexRequest))
    for (const { path, body } of corrupted(value, [name])) {
      const fields = refused(body);
      if (fields.length === 0) {
        ChatRequest.parse(format.read(body as Members, context).request);
        continue;
      }
      refusedCount += 1;
      const wrong = path.join(".");
      const isNamed = fields.some((field) => field.startsWith(wrong) || wrong.startsWith(field));
      // A tool without its name is missing at the choice, and a type decides which members are known.
      assert.ok(isNamed || path.at(-1) === "type" || path.at(-1) === "name", `${wrong}: ${fields}`);
    }
  assert.ok(refusedCount > 300, String(refusedCount));
});

/** How many members of a body are looked at. */
function accesses(body: Members): number {
  let count = 0;
  const watched = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get: (target, name, receiver) => {
        count += 1;
        return watched(Reflect.get(target, name, receiver));
      },
      ownKeys: (target) => {
        const keys = Reflect.ownKeys(target);
        count += keys.length;
        return keys;
      },
    });
  };
  refused(watched(body));
  return count;
}

const shapes: Readonly<Record<string, (n: number) => Members>> = {
  items: (n) => ({ model: "m", input: Array.from({ length: n }, () => said("x")) }),
  parts: (n) => ({
    model: "m",
    input: [{ role: "user", content: Array.from({ length: n }, () => ({ type: "input_text", text: "x" })) }],
  }),
  tools: (n) => ({
    model: "m",
    input: "hi",
    tools: Array.from({ length: n }, (_, index) => ({ type: "function", name: `f${index}` })),
  }),
  "unknown members": (n) => Object.fromEntries(Array.from({ length: n }, (_, index) => [`m${index}`, 1])),
  "wrong items": (n) => ({ model: "m", input: Array.from({ length: n }, () => ({ type: "x" })) }),
};

test("the work grows as the body does", () => {
  for (const [name, shape] of Object.entries(shapes)) {
    const [one, two, four] = [accesses(shape(200)), accesses(shape(400)), accesses(shape(800))];
    assert.ok(two < one * 2.2 && four < two * 2.2, `${name}: ${one}, ${two}, ${four}`);
  }
});

test("a provider's own search is a part of its answer, and other items of a provider are refused by their type", () => {
  const action = { type: "search", queries: ["ferry"], sources: [{ type: "url", url: "https://a.example" }] };
  const search = { type: "web_search_call", id: "ws_1", status: "completed", action };
  const thought = { type: "reasoning", summary: [{ type: "summary_text", text: "I look." }] };
  assert.deepEqual(messagesOf([{ role: "user", content: "When?" }, thought, search, said("At nine.")]), [
    { role: "user", content: "When?" },
    { role: "assistant", content: "At nine.", reasoning_content: "I look." },
  ]);
  assert.deepEqual(refusedIn({ input: [said("Hi"), { ...search, odd: 1 }] }), ["input.1.odd"]);
  for (const type of ["compaction", "computer_call", "mcp_call", "constructor"]) {
    const body = { model: "m", input: [{ type, encrypted_content: "x" }] };
    assert.throws(() => format.read(body, context), {
      message: new RegExp(`^input.0.type can't be "${type}"`),
    });
  }
  const compacted = { model: "m", input: [{ type: "compaction", encrypted_content: "x" }] };
  assert.throws(() => format.read(compacted, context), /only its own service can read[\s\S]*Send the items/);
});

test("a body that is too deep or too large is refused before it is read", () => {
  let deep: unknown = "x";
  for (let depth = 0; depth < 50_000; depth++) deep = depth % 2 ? [deep] : { a: deep };
  assert.deepEqual(refusedIn({ metadata: deep }).length, 1);
  const [field] = refusedIn({ metadata: deep });
  assert.match(field ?? "", /^metadata\./);
  const wide = Array.from({ length: 1_000_001 }, () => 1);
  assert.deepEqual(refusedIn({ input: wide }), ["input"]);
  assert.equal(refusedIn({ input: Array.from({ length: 5000 }, () => 1) }).length, 50);
});
