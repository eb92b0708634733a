// Answers of the chat route as openai-node reads them, and as its types declare them.
import assert from "node:assert/strict";
import { test } from "node:test";
import OpenAI from "openai";
import type { Response, ResponseStreamEvent } from "openai/resources/responses/responses";
import type { Members } from "../../../../../src/shared/members.ts";
import { problemsOf } from "./openaiTypes.ts";
import { delta, type Script, type ScriptedServer, startScripted, usage } from "./scriptedServer.ts";

async function withServer(
  scripts: readonly Script[],
  run: (client: OpenAI, server: ScriptedServer) => Promise<void>,
): Promise<void> {
  const server = await startScripted(scripts);
  try {
    await run(new OpenAI({ apiKey: "k", baseURL: server.baseUrl, maxRetries: 0 }), server);
  } finally {
    await server.close();
  }
}

/** The events and the answer of one streamed request, all of them as declared. */
async function streamed(script: Script, body: Members = {}): Promise<[ResponseStreamEvent[], Response]> {
  const events: ResponseStreamEvent[] = [];
  await withServer([script], async (client) => {
    const stream = await client.responses.create({ model: "m", input: "hi", ...body, stream: true });
    for await (const event of stream) events.push(event);
  });
  assert.deepEqual(
    events.map(({ sequence_number: number }) => number),
    events.map((_, index) => index),
  );
  assert.deepEqual(
    events.flatMap((event) => problemsOf(event)),
    [],
  );
  const last = events.at(-1);
  assert.ok(last && "response" in last);
  return [events, last.response];
}

/** Types of the events without those that begin each stream. */
const typesOf = (events: readonly ResponseStreamEvent[]) =>
  events.slice(2).map(({ type }) => type.replace("response.", ""));

const fragments = (index: number, id: string | undefined, name: string, pieces: readonly string[]) =>
  pieces.map((piece, position) =>
    delta({
      tool_calls: [
        {
          index,
          ...(position === 0 ? { ...(id ? { id } : {}), type: "function" } : {}),
          function: { ...(position === 0 ? { name } : {}), arguments: piece },
        },
      ],
    }),
  );

const plain = [
  delta({ role: "assistant", content: "" }),
  delta({ reasoning_content: "I " }),
  delta({ reasoning_content: "think." }),
  delta({ content: "Hello " }),
  delta({ content: "you." }),
  delta({}, "stop"),
  usage,
];

const tools = [
  { type: "function", name: "read", parameters: { type: "object" }, strict: false },
  { type: "custom", name: "patch" },
  { type: "namespace", name: "mail", description: "Mail.", tools: [{ type: "function", name: "send" }] },
];

test("reasoning and text come as their events, and the whole answer has them with the tokens", async () => {
  const [events, response] = await streamed(plain);
  assert.deepEqual(
    events.slice(0, 2).map(({ type }) => type),
    ["response.created", "response.in_progress"],
  );
  assert.deepEqual(typesOf(events), [
    "output_item.added",
    "reasoning_summary_part.added",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.delta",
    "reasoning_summary_text.done",
    "reasoning_summary_part.done",
    "output_item.done",
    "output_item.added",
    "content_part.added",
    "output_text.delta",
    "output_text.delta",
    "output_text.done",
    "content_part.done",
    "output_item.done",
    "completed",
  ]);
  assert.deepEqual(response.usage, {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
    output_tokens: 5,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 17,
  });
});

test("without a stream the answer is the same", async () => {
  const calls = [
    ...plain.slice(0, 5),
    ...fragments(0, "c1", "read", ['{"a"', ":1}"]),
    delta({}, "tool_calls"),
    usage,
  ];
  for (const script of [plain, calls]) {
    const [, response] = await streamed(script, { tools });
    await withServer([script], async (client) => {
      const whole = await client.responses.create({ model: "m", input: "hi", tools: tools as never });
      const { output_text: text, ...members } = whole;
      assert.equal(text, "Hello you.");
      assert.deepEqual(problemsOf(members), []);
      const ids = /"(rs|msg|fc|resp)_\d+"/g;
      const comparable = (value: object) => JSON.stringify(value).replaceAll(ids, '"$1"');
      assert.equal(comparable(members), comparable({ ...response }));
    });
  }
});

test("calls in parallel stream their arguments, and have their names, namespaces and ids", async () => {
  const [events, { output }] = await streamed(
    [
      ...fragments(0, "c1", "read", ["", '{"file":', '"a"}']),
      ...fragments(1, undefined, "mail__send", ["{", "}"]),
      ...fragments(2, "c3", "patch", ['{"input": "*** \\', "n\\u00", 'e9"}']),
      delta({}, "tool_calls"),
    ],
    { tools },
  );
  assert.deepEqual(
    output.map((item) => ({ ...item, id: "" })),
    [
      {
        id: "",
        type: "function_call",
        status: "completed",
        call_id: "c1",
        name: "read",
        arguments: '{"file":"a"}',
      },
      {
        id: "",
        type: "function_call",
        status: "completed",
        call_id: (output[1] as { call_id?: string } | undefined)?.call_id,
        name: "send",
        namespace: "mail",
        arguments: "{}",
      },
      {
        id: "",
        type: "custom_tool_call",
        status: "completed",
        call_id: "c3",
        name: "patch",
        input: "*** \né",
      },
    ],
  );
  const deltas = (type: string) =>
    events.flatMap((event) => (event.type === type && "delta" in event ? [event.delta] : []));
  assert.deepEqual(deltas("response.function_call_arguments.delta"), ['{"file":', '"a"}', "{", "}"]);
  assert.deepEqual(deltas("response.custom_tool_call_input.delta"), ["*** ", "\n", "é"]);
});

test("a search of tools is one item of the client's, whole at its end", async () => {
  const [events, { output }] = await streamed(
    [...fragments(0, "c1", "tool_search", ['{"query": ', '"mail"}']), delta({}, "tool_calls")],
    { tools: [...tools, { type: "tool_search", execution: "client", parameters: {} }] },
  );
  assert.deepEqual(
    output.filter(({ type }) => type !== "reasoning").map((item) => ({ ...item, id: "" })),
    [
      {
        id: "",
        type: "tool_search_call",
        status: "completed",
        call_id: "c1",
        execution: "client",
        arguments: { query: "mail" },
      },
    ],
  );
  assert.ok(events.every(({ type }) => !type.includes("arguments")));
});

test("calls of servers that number or cut them differently are complete at the end", async () => {
  const whole = (id: string, name: string, text: string) =>
    delta({ tool_calls: [{ index: 0, id, type: "function", function: { name, arguments: text } }] });
  const repeating = ['{"a"', '{"a":1', '{"a":1}'].map((text) => whole("c1", "read", text));
  const scripts = [[whole("c1", "read", '{"a":1}'), whole("c2", "read", '{"a":2}')], repeating];
  const expected = [['{"a":1}', '{"a":2}'], ['{"a":1}']];
  for (const [index, script] of scripts.entries()) {
    const [events, { output }] = await streamed([...script, delta({}, "tool_calls")], { tools });
    const done = events.flatMap((event) =>
      event.type === "response.function_call_arguments.done" ? [event.arguments] : [],
    );
    assert.deepEqual(done, expected[index]);
    assert.deepEqual(
      output.map((item) => (item.type === "function_call" ? item.arguments : "")),
      expected[index],
    );
  }
});

test("sources become annotations, and a call that only carries them is no call", async () => {
  const documents = JSON.stringify({ documents: [{ url: "https://b.example", title: "B" }] });
  const [events, { output }] = await streamed([
    delta({ content: "Yes [1]." }),
    ...fragments(0, "c1", "venice_web_search_documents", [documents]),
    delta({}, "stop"),
    { choices: [], search_results: [{ url: "https://a.example", title: "A" }] },
  ]);
  const [message] = output;
  assert.equal(output.length, 1);
  assert.ok(message?.type === "message" && message.content[0]?.type === "output_text");
  assert.deepEqual(message.content[0].annotations, [
    { type: "url_citation", start_index: 4, end_index: 7, url: "https://a.example", title: "A" },
    { type: "url_citation", start_index: 8, end_index: 8, url: "https://b.example", title: "B" },
  ]);
  assert.equal(typesOf(events).filter((type) => type === "output_text.annotation.added").length, 2);
});

test("a refusal, a limit, a filter and an error end as the format says", async () => {
  const [refusing, { output }] = await streamed([delta({ refusal: "I won't." }), delta({}, "stop")]);
  assert.ok(typesOf(refusing).includes("refusal.done"));
  assert.ok(output[0]?.type === "message" && output[0].content[0]?.type === "refusal");
  const [, atLimit] = await streamed([delta({ content: "a" }), delta({}, "length")]);
  assert.deepEqual(
    [atLimit.status, atLimit.incomplete_details],
    ["incomplete", { reason: "max_output_tokens" }],
  );
  const [, filtered] = await streamed([delta({ content: "a" }), delta({}, "content_filter")]);
  assert.deepEqual(filtered.incomplete_details, { reason: "content_filter" });
  const fails = { status: 402, code: "insufficient_quota", sentence: "The cap of this client is reached." };
  const [, failed] = await streamed([delta({ content: "a" }), { fails }]);
  assert.equal(failed.status, "failed");
  assert.deepEqual(failed.error, { code: "insufficient_quota", message: fails.sentence });
});

test("a call that a limit has cut is never done, so that no client runs it", async () => {
  const cut = [...fragments(0, "c1", "patch", ['{"input":"half']), delta({}, "length")];
  const [events, { output }] = await streamed(cut, { tools });
  assert.ok(!typesOf(events).some((type) => type === "output_item.done" || type.endsWith("input.done")));
  assert.equal(output[0]?.type === "custom_tool_call" && output[0].input, "half");
});

test("the helper of the library runs a whole tool loop", async () => {
  const first = [...fragments(0, "c1", "read", ['{"file"', ':"a"}']), delta({}, "tool_calls"), usage];
  await withServer([first, plain], async (client, { requests }) => {
    const stream = client.responses.stream({ model: "m", input: "hi", tools: tools as never, store: false });
    const snapshots: string[] = [];
    stream.on("response.function_call_arguments.delta", ({ snapshot }) => snapshots.push(snapshot));
    const { output } = await stream.finalResponse();
    assert.deepEqual(snapshots, ['{"file"', '{"file":"a"}']);
    const result = { type: "function_call_output" as const, call_id: "c1", output: "text of a" };
    const input = [{ role: "user" as const, content: "hi" }, ...output, result] as never;
    const last = await client.responses.stream({ model: "m", input, tools: tools as never }).finalResponse();
    assert.equal(last.output_text, "Hello you.");
    assert.deepEqual(requests[1]?.messages.slice(1), [
      {
        role: "assistant",
        tool_calls: [{ id: "c1", type: "function", function: { name: "read", arguments: '{"file":"a"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "text of a" },
    ]);
  });
});

test("a refused request is an error with the member's name", async () => {
  await withServer([plain], async (client) => {
    const asked = client.responses.create({ model: "m", input: "hi", background: true });
    await assert.rejects(asked, (error: unknown) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.deepEqual([error.param, error.type], ["background", "invalid_request_error"]);
      return true;
    });
  });
});
