import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import { type Members, membersOf } from "../../../../../src/shared/members.ts";
import { deltas, finish, question, testContext, usage, type Written, written } from "./scriptedChat.ts";

const streamed = { stream: true };
const names = ({ events }: Written) =>
  events.map(({ type, delta, content_block: block }) =>
    [type, membersOf(delta).type ?? membersOf(block).type].filter(Boolean).join(" "),
  );
const fragment = (index: number, members: Members, more: Members = {}) => ({
  index,
  ...more,
  function: members,
});
const call = (index: number, name: string, text: string) =>
  fragment(index, { name, arguments: text }, { id: `c${index}`, type: "function" });
const lastDelta = ({ events }: Written) =>
  membersOf(events.find(({ type }) => type === "message_delta")?.delta);

test("reasoning, text and a call are blocks after each other", () => {
  const chunks = [
    ...deltas(
      { reasoning_content: "Hm" },
      { content: "I " },
      { content: "look" },
      { tool_calls: [call(0, "look", "")] },
      { tool_calls: [fragment(0, { arguments: '{"at"' })] },
      { tool_calls: [fragment(0, { arguments: ":1" })] },
      { tool_calls: [fragment(0, { arguments: "}" })] },
    ),
    finish("tool_calls"),
    usage,
  ];
  const answer = written(chunks, streamed);
  assert.deepEqual(names(answer), [
    "message_start",
    "ping",
    "content_block_start thinking",
    "content_block_delta thinking_delta",
    "content_block_delta signature_delta",
    "content_block_stop",
    "content_block_start text",
    "content_block_delta text_delta",
    "content_block_delta text_delta",
    "content_block_stop",
    "content_block_start tool_use",
    "content_block_delta input_json_delta",
    "content_block_delta input_json_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
  assert.equal(lastDelta(answer).stop_reason, "tool_use");
});

test("fragments of parallel calls that alternate are written one call after the other", () => {
  const chunks = deltas(
    { tool_calls: [call(0, "a", '{"x"'), call(1, "b", '{"y"')] },
    { tool_calls: [fragment(1, { arguments: ":2" })] },
    { tool_calls: [fragment(0, { arguments: ":1" })] },
    { tool_calls: [fragment(1, { arguments: "}" }), fragment(0, { arguments: "}" })] },
  );
  const { events } = written([...chunks, finish("tool_calls")], streamed);
  const inputs = new Map<unknown, string>();
  for (const { type, index, delta } of events)
    if (type === "content_block_delta")
      inputs.set(index, (inputs.get(index) ?? "") + String(membersOf(delta).partial_json));
  assert.deepEqual([...inputs.values()], ['{"x":1}', '{"y":2}']);
  const open = events.filter(({ type }) => /_(start|stop)$/.test(String(type))).map(({ type }) => type);
  assert.deepEqual(open.slice(1, -1), [
    "content_block_start",
    "content_block_stop",
    "content_block_start",
    "content_block_stop",
  ]);
});

test("a call is written while it arrives, also the second after the first is complete", () => {
  const writer = messagesFormat.read(question(streamed), testContext()).openWriter();
  const add = (...tool_calls: readonly Members[]) =>
    writer
      .add({ choices: [{ index: 0, delta: { tool_calls: [...tool_calls] } }] })
      .map(({ data }) => membersOf(membersOf(JSON.parse(data)).delta).partial_json)
      .filter((json) => json !== undefined);
  writer.begin();
  add(call(0, "a", '{"x'));
  assert.deepEqual(add(fragment(0, { arguments: '":"1' })), ['{"x":"1']);
  assert.deepEqual(add(fragment(0, { arguments: '2"}' })), ['2"}']);
  add(call(1, "b", '{"y'));
  assert.deepEqual(add(fragment(1, { arguments: '":' })), ['{"y":']);
});

test("services with other habits give the same calls", () => {
  const habits: Readonly<Record<string, readonly Members[]>> = {
    "whole calls with index 0": [call(0, "a", '{"x":1}'), { ...call(0, "b", '{"y":2}'), id: "c1" }],
    "no index": [
      { id: "c0", function: { name: "a", arguments: '{"x":1}' } },
      { id: "c1", function: { name: "b", arguments: '{"y":2}' } },
    ],
    "arguments that repeat what came before": [
      call(0, "a", '{"x"'),
      call(0, "a", '{"x":1'),
      call(0, "a", '{"x":1}'),
      call(1, "b", '{"y":2}'),
    ],
    "no ids": [
      fragment(0, { name: "a", arguments: '{"x":1}' }),
      fragment(1, { name: "b", arguments: '{"y":2}' }),
    ],
  };
  for (const [habit, fragments] of Object.entries(habits)) {
    const chunks = [...deltas(...fragments.map((one) => ({ tool_calls: [one] }))), finish("tool_calls")];
    for (const members of [{}, streamed]) {
      const answer = written(chunks, members);
      const inputs = answer.events
        .filter(({ delta }) => membersOf(delta).type === "input_json_delta")
        .map(({ delta }) => membersOf(delta).partial_json);
      assert.equal(inputs.join(""), '{"x":1}{"y":2}', habit);
      const ids = answer.events.flatMap(({ content_block: block }) => membersOf(block).id ?? []);
      assert.equal(new Set(ids).size, 2, habit);
    }
  }
});

test("reasons for the end", () => {
  const reasonOf = (chunks: readonly Members[], members: Members = {}) => {
    const { whole } = written([...deltas({ content: "x" }), ...chunks], members);
    return [whole.stop_reason, whole.stop_sequence];
  };
  assert.deepEqual(reasonOf([finish("stop")]), ["end_turn", null]);
  assert.deepEqual(reasonOf([finish("length")]), ["max_tokens", null]);
  assert.deepEqual(reasonOf([finish("content_filter")]), ["refusal", null]);
  const stop = { stop_sequences: ["END"] };
  assert.deepEqual(reasonOf([finish("stop", { stop_reason: "END" })], stop), ["stop_sequence", "END"]);
  assert.deepEqual(reasonOf([finish("stop", { stop_reason: "OTHER" })], stop), ["end_turn", null]);
  assert.deepEqual(reasonOf([...deltas({ tool_calls: [call(0, "a", "")] }), finish("stop")]), [
    "tool_use",
    null,
  ]);
  assert.deepEqual(reasonOf([...deltas({ refusal: "No." }), finish("stop")]), ["refusal", null]);
});

test("arguments that are no object are kept in one", () => {
  for (const made of ["[1]", '{"a":', "text"]) {
    const { whole } = written([...deltas({ tool_calls: [call(0, "a", made)] }), finish("tool_calls")]);
    const [block] = whole.content as readonly Members[];
    assert.deepEqual(block?.input, { invalid_json_arguments: made });
  }
});

test("sources are cited in the text and shown as the result of the search that was asked for", () => {
  const source = { url: "https://a.example", title: "A", content: "said" };
  const found = { choices: [], service_parameters: { web_search_citations: [source] } };
  const documents = JSON.stringify({ documents: [{ url: "https://b.example", title: "B", snippet: "s" }] });
  const synthetic = { tool_calls: [call(0, "venice_web_search_documents", documents)] };
  const tools = [{ type: "web_search_20250305", name: "web_search" }];
  const { whole } = written([found, ...deltas({ content: "Yes" }, synthetic), finish("stop")], { tools });
  const [text, use, result] = whole.content as readonly Members[];
  assert.deepEqual(text?.citations, [
    {
      type: "web_search_result_location",
      url: "https://a.example",
      title: "A",
      cited_text: "said",
      encrypted_index: "",
    },
  ]);
  assert.equal(use?.type, "server_tool_use");
  assert.deepEqual(
    ((result?.content ?? []) as readonly Members[]).map(({ url }) => url),
    ["https://a.example", "https://b.example"],
  );
  assert.equal(whole.stop_reason, "end_turn");
});

test("an answer that was cut off ends with an error, and a silent one has pings", () => {
  const cut = written(deltas({ content: "Hal" }), streamed, "truncated");
  assert.deepEqual(membersOf(cut.events.at(-1)?.error).type, "api_error");
  const ended = written([...deltas({ content: "Hal" }), finish("stop")], streamed, "truncated");
  assert.equal(ended.events.at(-1)?.type, "message_stop");
  let nowMs = 0;
  const context = { ...testContext(), now: () => (nowMs += 3000) };
  const writer = messagesFormat.read(question(streamed), context).openWriter();
  const silent = { choices: [{ index: 0, delta: {} }] };
  const events = [1, 2, 3, 4].map(() => writer.add(silent).map(({ name }) => name));
  assert.deepEqual(events, [[], ["ping"], [], ["ping"]]);
});

test("a stream keeps no text, and its events are as many as its chunks", () => {
  const eventsOf = (count: number) => {
    const writer = messagesFormat.read(question(streamed), testContext()).openWriter();
    writer.begin();
    let [events, length] = [0, 0];
    for (let chunk = 0; chunk < count; chunk++)
      for (const { data } of writer.add({ choices: [{ index: 0, delta: { content: "word " } }] })) {
        events += 1;
        length += data.length;
      }
    return [events, length];
  };
  const [[events = 0, length = 0], [more = 0, longer = 0]] = [eventsOf(1000), eventsOf(4000)];
  assert.equal(more - 1, 4 * (events - 1));
  assert.ok(longer <= 4 * length);
});

const everything: readonly (readonly Members[])[] = [
  [...deltas({ content: "Hello" }), finish("stop"), usage],
  [...deltas({ content: "No", refusal: "I won't" }), finish("content_filter")],
  [
    {
      choices: [],
      service_parameters: { web_search_citations: [{ url: "https://a.example", content: "c" }] },
    },
    ...deltas(
      { reasoning_content: "a", reasoning_details: [{}] },
      { content: "b" },
      { thought_signature: "s" },
      { tool_calls: [call(0, "a", '{"x":'), call(1, "b", "")] },
    ),
    finish("tool_calls"),
    usage,
  ],
  [...deltas({ reasoning_content: "secret", reasoning_encrypted: true }, { content: "b" }), finish("length")],
];

test("each event and each message has the members that the vendor's types declare, and no other", async () => {
  const tools = [{ type: "web_search_20250305", name: "web_search" }];
  const answers = everything.flatMap((chunks) => [
    written(chunks, { tools, ...streamed }),
    written(chunks, { tools }),
    written(chunks, { ...streamed, thinking: { type: "adaptive", display: "omitted" } }),
  ]);
  const events = answers.flatMap((answer) => answer.events).filter(({ type }) => type !== "ping");
  const wholes = answers.filter((_, index) => index % 3 === 1).map(({ whole }) => whole);
  // The types do not have `request_too_large`, which the vendor documents for 413.
  const errors = [400, 401, 402, 403, 404, 429, 500, 503, 504, 418].map((status) =>
    messagesFormat.errorBody({ status, sentence: "s" }),
  );
  const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)},`).join("\n");
  const sdk = path.resolve("node_modules/@anthropic-ai/sdk");
  const source = `
    import type { Message, RawMessageStreamEvent } from ${JSON.stringify(`${sdk}/resources/messages/messages`)};
    import type { ErrorResponse } from ${JSON.stringify(`${sdk}/resources/shared`)};
    export const events: RawMessageStreamEvent[] = [${lines(events)}];
    export const wholes: Message[] = [${lines(wholes)}];
    export const errors: ErrorResponse[] = [${lines(errors)}];`;
  const folder = await mkdtemp(path.join(tmpdir(), "messages-"));
  try {
    const file = path.join(folder, "emitted.ts");
    await writeFile(file, source);
    const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "preserve", "--target", "es2024"];
    await promisify(execFile)(path.resolve("node_modules/.bin/tsc"), [...flags, "--types", "", file], {
      cwd: folder,
    }).catch((error: { readonly stdout?: string }) => assert.fail(error.stdout));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a tool with a longer name than models take has a short one there, in each request the same, and its own in the answer", () => {
  const name = `mcp__${"server".repeat(8)}__${"tool".repeat(8)}`;
  const input_schema = { type: "object" };
  const tools = [
    { name, input_schema },
    { name: "look", input_schema },
  ];
  const turns = [
    { role: "user", content: "Hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "c0", name, input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c0", content: "so" }] },
  ];
  const body = question({ tools, messages: turns, tool_choice: { type: "tool", name } });
  const { request } = messagesFormat.read(body, testContext());
  const [first, second] = request.tools ?? [];
  const short = first?.function.name ?? "";
  assert.match(short, /^[\w-]{1,64}$/);
  assert.equal(second?.function.name, "look");
  assert.deepEqual(request.tool_choice, { type: "function", function: { name: short } });
  const [, made] = request.messages;
  assert.equal(membersOf(made).role, "assistant");
  assert.deepEqual(
    made?.role === "assistant" && made.tool_calls?.map((one) => one.type !== "custom" && one.function.name),
    [short],
  );
  for (const stream of [false, true]) {
    const chunks = [...deltas({ tool_calls: [call(0, short, "{}")] }), finish("tool_calls")];
    const answer = written(chunks, { tools, stream });
    const begun = answer.events.map(({ content_block: block }) => membersOf(block).name).filter(Boolean);
    assert.deepEqual(begun, [name]);
  }
});
