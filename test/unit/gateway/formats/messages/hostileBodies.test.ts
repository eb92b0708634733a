// Bodies of any shape: each ends in a request that the chat route accepts, or in an error that names the member.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { countTokens } from "../../../../../src/gateway/formats/messages/countTokens.ts";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import { isMembers, type Members } from "../../../../../src/shared/members.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { refusals, testContext } from "./scriptedChat.ts";

const cache_control = { type: "ephemeral", ttl: "5m", scope: "global" };
const text = { type: "text", text: "a", cache_control, citations: [{}] };
const image = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: "AAAA" },
  cache_control,
};
/** A body with each member that is read. */
const full = {
  model: "tiny",
  max_tokens: 10,
  stream: true,
  system: [text],
  temperature: 1,
  top_p: 1,
  top_k: 1,
  stop_sequences: ["a"],
  thinking: { type: "enabled", budget_tokens: 5000, display: "omitted", block_binding: {} },
  output_config: { effort: "low", format: { type: "json_schema", schema: { type: "object" } } },
  metadata: { user_id: "user_a_session_b" },
  service_tier: "auto",
  context_management: {
    edits: [{ type: "clear_thinking_20251015", keep: { type: "thinking_turns", value: 2 } }],
  },
  cache_control,
  betas: ["a"],
  diagnostics: { previous_message_id: "a" },
  mcp_servers: [],
  inference_geo: "global",
  speed: "standard",
  thread: { type: "create" },
  tools: [
    {
      type: "custom",
      name: "t",
      description: "d",
      input_schema: { type: "object" },
      strict: true,
      cache_control,
      defer_loading: true,
      eager_input_streaming: true,
      allowed_callers: ["direct"],
      input_examples: [{ a: 1 }],
    },
    { type: "web_search_20250305", name: "web_search", max_uses: 3, allowed_domains: [], cache_control },
  ],
  tool_choice: { type: "tool", name: "t", disable_parallel_tool_use: true },
  messages: [
    {
      role: "user",
      content: [text, image, { type: "image", source: { type: "url", url: "https://a.example" } }],
    },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "b", signature: "c" },
        { type: "redacted_thinking", data: "d" },
        text,
        { type: "tool_use", id: "i", name: "t", input: { a: 1 }, caller: { type: "direct" }, cache_control },
        { type: "server_tool_use", id: "j", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "j", content: [] },
      ],
    },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "i",
          is_error: true,
          cache_control,
          content: [text, image, { type: "tool_reference", tool_name: "t" }],
        },
        {
          type: "document",
          source: { type: "text", media_type: "text/plain", data: "e" },
          title: "f",
          context: "g",
          citations: { enabled: false },
          cache_control,
        },
        { type: "document", source: { type: "base64", media_type: "application/pdf", data: "AAAA" } },
        { type: "document", source: { type: "content", content: [text] } },
        { type: "search_result", title: "h", source: "k", content: [text], citations: { enabled: false } },
      ],
    },
    { role: "system", content: [text], clear_at: "never", output_config: { effort: "high" } },
  ],
};

/** All paths of a value. */
function pathsOf(value: unknown, before: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    [...before, name],
    ...pathsOf(inner, [...before, name]),
  ]);
}

function at(body: unknown, path: readonly string[]): Record<string, unknown> {
  return path.reduce(
    (value, name) => (value as Record<string, unknown>)[name] as object,
    body as object,
  ) as never;
}

/** Without parts that two places share. */
function copied(): Members {
  return JSON.parse(JSON.stringify(full));
}

function changed(path: readonly string[], value: unknown): Members {
  const body = copied();
  at(body, path.slice(0, -1))[path.at(-1) ?? ""] = value;
  return body;
}

/** The request of a body is accepted by the chat route, or the refusal names a member. */
function isHandled(body: Members, path: readonly string[] = []): void {
  const refused = refusals(body);
  if (refused.length === 0) {
    const { request } = messagesFormat.read(body, testContext());
    assert.ok(ChatRequest.safeParse(request).success, path.join("."));
    countTokens(body);
    return;
  }
  for (const line of refused) assert.match(line, /^\P{Cc}{1,400}: \P{Cc}{1,200}$/u, path.join("."));
}

test("the full body is accepted", () => assert.deepEqual(refusals(full), []));

test("values of each wrong type at each member end in a request or in an error that names a member", () => {
  const wrong = [
    7,
    -1,
    Number.POSITIVE_INFINITY,
    "x",
    "",
    true,
    null,
    [],
    [[]],
    [7],
    {},
    { type: "x" },
    { type: 7 },
    deep(400),
  ];
  for (const path of pathsOf(full)) for (const value of wrong) isHandled(changed(path, value), path);
});

test("unknown members are refused by name, also with the names of a prototype", () => {
  // What is in these is the client's own JSON, or is not read.
  const open =
    /^(tools\.0\.(input_schema|input_examples)|output_config\.format\.schema|.*\.(input|citations|block_binding)(\.|$))/;
  const objects = [[], ...pathsOf(full)].filter((path) => {
    const value = path.reduce<unknown>((inner, name) => (inner as Members)[name], full);
    return isMembers(value) && !open.test(path.join("."));
  });
  assert.ok(objects.length > 40);
  for (const path of objects)
    for (const name of ["zz", "constructor", "__proto__", "toString"]) {
      const body = copied();
      Object.defineProperty(at(body, path), name, { value: 1, enumerable: true });
      const field = [...path, name].join(".");
      assert.ok(
        refusals(body).some((line) => line.startsWith(`${field}: `)),
        `${field} ${refusals(body)}`,
      );
    }
});

test("the names of a prototype are no values", () => {
  for (const body of [{}, { messages: [{ role: "constructor", content: "__proto__" }] }, { messages: [{}] }])
    assert.ok(refusals(body as Members).length > 0);
  const input = JSON.parse('{"__proto__":{"a":1},"constructor":2}');
  const messages = [
    { role: "user", content: "a" },
    { role: "assistant", content: [{ type: "tool_use", id: "__proto__", name: "t", input }] },
  ];
  const [, made] = messagesFormat.read({ model: "m", max_tokens: 1, messages }, testContext()).request
    .messages;
  assert.equal(JSON.stringify(made).includes('"__proto__\\":{\\"a\\":1}'), true);
});

test("deep values are refused by name", () => {
  const tools = [{ name: "t", input_schema: deep(5000) }];
  const [line] = refusals({ ...full, tools, tool_choice: null });
  assert.match(line ?? "", /^tools\.0\.input_schema: is nested more than 200 levels deep$/);
  const block = { type: "document", source: { type: "content", content: [] as unknown[] } };
  let inner = block;
  for (let level = 0; level < 5000; level++)
    inner = { ...block, source: { type: "content", content: [inner] } };
  assert.match(
    refusals({ ...full, messages: [{ role: "user", content: [inner] }] })[0] ?? "",
    /content\.0\.type/,
  );
});

test("whole numbers that are not exact are refused by name", () => {
  for (const name of ["top_k", "max_tokens"])
    assert.match(
      refusals({ ...full, [name]: 2 ** 53 })[0] ?? "",
      new RegExp(`^${name}: must be 9007199254740991`),
    );
});

test("any JSON is handled", () => {
  const value = fc.jsonValue({ maxDepth: 3 });
  fc.assert(
    fc.property(fc.constantFrom(...pathsOf(full)), value, (path, made) =>
      isHandled(changed(path, made), path),
    ),
    { numRuns: randomCases(2000) },
  );
});

test("many refused members make a bounded error, with short names", () => {
  const members = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`m${index}`, 1]));
  assert.equal(refusals({ ...full, ...members }).length, 50);
  const [line = ""] = refusals({ ...full, ["n".repeat(100_000)]: 1 });
  assert.ok(line.length < 300);
});

test("reading takes steps in proportion to the body", () => {
  const parts: Readonly<Record<string, (count: number) => Members>> = {
    messages: (count) => ({ messages: full.messages.flatMap((one) => Array(count).fill(one)) }),
    blocks: (count) => ({
      messages: full.messages.map((one) => ({ ...one, content: Array(count).fill(one.content).flat() })),
    }),
    tools: (count) => ({ tools: Array(count).fill(full.tools[0]) }),
    unknown: (count) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, 1])),
    schema: (count) => ({
      tools: [{ name: "t", input_schema: { enum: Array(count).fill({ a: 1 }) } }],
      tool_choice: null,
    }),
    edits: (count) => ({
      context_management: { edits: Array(count).fill(full.context_management.edits[0]) },
    }),
  };
  for (const [name, make] of Object.entries(parts)) {
    const [one, two, four] = [50, 100, 200].map((count) => stepsOf({ ...full, ...make(count) }));
    assert.ok(one && two && four);
    assert.ok(four - two <= 2.2 * (two - one), `${name}: ${one}, ${two}, ${four}`);
  }
});

/** How often a member is looked at while the body is read. */
function stepsOf(body: Members): number {
  let steps = 0;
  const counted = (value: unknown): unknown => {
    if (typeof value !== "object" || value === null) return value;
    return new Proxy(value, {
      get: (target, name) => {
        steps += 1;
        return counted(Reflect.get(target, name));
      },
      has: (target, name) => {
        steps += 1;
        return Reflect.has(target, name);
      },
      getOwnPropertyDescriptor: (target, name) => {
        steps += 1;
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
    });
  };
  refusals(counted(body) as Members);
  return steps;
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}
