// The vendor's own client drives the format over HTTP: what it accumulates from the events is the answer of the chat route.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { deltas, finish, serveScript, usage } from "./scriptedChat.ts";

type Script = Parameters<typeof serveScript>[0];

async function withClient(
  script: Script,
  run: (client: Anthropic, server: Awaited<ReturnType<typeof serveScript>>) => Promise<void>,
): Promise<void> {
  const server = await serveScript(script);
  try {
    await run(new Anthropic({ apiKey: "test", baseURL: server.address, maxRetries: 0 }), server);
  } finally {
    await server.close();
  }
}

const ask = { model: "tiny", max_tokens: 100, messages: [{ role: "user" as const, content: "Hi" }] };
const weather = { name: "weather", input_schema: { type: "object" as const, properties: { city: {} } } };

test("an answer, whole and streamed", async () => {
  const answer = [...deltas({ content: "Hel" }, { content: "lo" }), finish("stop"), usage];
  await withClient([answer, answer], async (client) => {
    const whole = await client.messages.create(ask);
    const streamed = await client.messages.stream(ask).finalMessage();
    for (const message of [whole, streamed]) {
      assert.deepEqual(message.content, [{ type: "text", text: "Hello", citations: [] }]);
      assert.equal(message.stop_reason, "end_turn");
      assert.equal(message.usage.input_tokens, 30);
      assert.equal(message.usage.cache_read_input_tokens, 60);
      assert.equal(message.usage.cache_creation_input_tokens, 10);
      assert.equal(message.usage.output_tokens, 20);
    }
  });
});

test("reasoning and parallel calls, whose results and reasoning go back", async () => {
  const call = (index: number, city: string, piece: number) => {
    const text = JSON.stringify({ city });
    const head = { index, id: `functions.weather:${index}`, type: "function" };
    if (piece > 0) return { index, function: { arguments: text.slice(5) } };
    return {
      ...head,
      extra_content: { sign: city },
      function: { name: "weather", arguments: text.slice(0, 5) },
    };
  };
  const answer = [
    ...deltas(
      { reasoning_content: "Two " },
      { reasoning_content: "cities", reasoning_details: [{ type: "reasoning.encrypted", data: "x" }] },
      { content: "Looking" },
      { tool_calls: [call(0, "Rome", 0)] },
      { tool_calls: [call(1, "Oslo", 0)] },
      { tool_calls: [call(0, "Rome", 1), call(1, "Oslo", 1)] },
    ),
    finish("tool_calls"),
    usage,
  ];
  const last = [...deltas({ content: "Sunny" }), finish("stop"), usage];
  await withClient([answer, last], async (client, server) => {
    const first = await client.messages.stream({ ...ask, tools: [weather] }).finalMessage();
    assert.equal(first.stop_reason, "tool_use");
    const calls = first.content.filter((block) => block.type === "tool_use");
    assert.deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [
        ["weather", { city: "Rome" }],
        ["weather", { city: "Oslo" }],
      ],
    );
    const results = calls.map(({ id }) => ({
      type: "tool_result" as const,
      tool_use_id: id,
      content: "sun",
    }));
    const messages = [
      ...ask.messages,
      { role: "assistant" as const, content: first.content },
      { role: "user" as const, content: results },
    ];
    await client.messages.create({ ...ask, messages, tools: [weather] });
    const [, back, ...tools] = server.requests[1]?.chat?.messages ?? [];
    assert.deepEqual(back, {
      role: "assistant",
      content: "Looking",
      reasoning_content: "Two cities",
      reasoning_details: [{ type: "reasoning.encrypted", data: "x" }],
      tool_calls: ["Rome", "Oslo"].map((city, index) => ({
        id: `functions.weather:${index}`,
        type: "function",
        extra_content: { sign: city },
        function: { name: "weather", arguments: JSON.stringify({ city }) },
      })),
    });
    assert.deepEqual(
      tools,
      [0, 1].map((index) => ({ role: "tool", tool_call_id: `functions.weather:${index}`, content: "sun" })),
    );
  });
});

test("a structured answer is parsed by the client", async () => {
  const schema = { type: "object", properties: { n: { type: "number" } } };
  await withClient([[...deltas({ content: '{"n":1}' }), finish("stop")]], async (client, server) => {
    const output_config = { format: { type: "json_schema" as const, schema }, effort: "high" as const };
    await client.messages.create({ ...ask, output_config });
    const { response_format, reasoning_effort } = server.requests[0]?.chat ?? {};
    assert.deepEqual(response_format, {
      type: "json_schema",
      json_schema: { name: "answer", strict: true, schema },
    });
    assert.equal(reasoning_effort, "high");
  });
});

test("the tool runner of the client calls tools until the answer", async () => {
  const call = { index: 0, id: "c1", function: { name: "weather", arguments: '{"city":"Rome"}' } };
  const script = [
    [...deltas({ tool_calls: [call] }), finish("tool_calls")],
    [...deltas({ content: "Sun in Rome" }), finish("stop")],
  ];
  await withClient(script, async (client) => {
    const run = (input: unknown) => `sun in ${(input as { city: string }).city}`;
    const runner = client.beta.messages.toolRunner({
      ...ask,
      tools: [{ ...weather, type: "custom" as const, run, parse: (content: unknown) => content }],
    });
    const message = await runner;
    assert.equal(
      message.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      "Sun in Rome",
    );
  });
});

test("errors have the client's classes", async () => {
  const script = [
    { status: 402, sentence: "The cap of today is reached. Raise it at http://127.0.0.1/caps." },
    { status: 429, sentence: "Wait." },
    { status: 503, sentence: "Busy." },
  ];
  await withClient(script, async (client) => {
    await assert.rejects(client.messages.create(ask), (error: unknown) => {
      assert.ok(error instanceof Anthropic.APIError);
      assert.equal(error.status, 402);
      assert.equal(error.type, "billing_error");
      assert.match(error.message, /Raise it at http/);
      return true;
    });
    await assert.rejects(client.messages.create(ask), Anthropic.RateLimitError);
    await assert.rejects(client.messages.create(ask), { type: "overloaded_error" });
    const wrong = {
      ...ask,
      tools: [{ type: "code_execution_20250825" as const, name: "code_execution" as const }],
    };
    await assert.rejects(client.messages.create(wrong), /tools\.0\.type: .*code_execution_20250825/);
  });
});

test("tokens are counted without a call", async () => {
  await withClient([], async (client, server) => {
    const { input_tokens } = await client.messages.countTokens({
      model: "tiny",
      system: "Be brief.",
      messages: [{ role: "user", content: "How many tokens does this sentence have?" }],
      tools: [weather],
    });
    assert.ok(input_tokens >= 20 && input_tokens < 100, `${input_tokens}`);
    assert.equal(server.requests.length, 0);
  });
});
