// The helper methods of OpenAI's own library, which send more than a plain call and join what comes back.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import OpenAI from "openai";
import { zodFunction, zodResponseFormat, zodResponsesFunction, zodTextFormat } from "openai/helpers/zod";
import { ChatCompletionStream } from "openai/lib/ChatCompletionStream";
import * as z from "zod";
import { openGateway } from "../gatewayKit.ts";

const Place = z.object({ city: z.string() });
const ask = { model: "echo", messages: [{ role: "user" as const, content: "Say this." }] };
const askWeather = [{ role: "user" as const, content: "Use weather for Rome." }];

async function openLibrary(t: TestContext): Promise<OpenAI> {
  const { baseURL, token } = await openGateway(t);
  return new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
}

test("a chat is streamed, and again from its readable stream", async (t) => {
  const openai = await openLibrary(t);
  const deltas: string[] = [];
  const stream = openai.chat.completions.stream({ ...ask, stream_options: { include_usage: true } });
  stream.on("content", (delta) => deltas.push(delta));
  const first = await stream.finalChatCompletion();
  assert.deepEqual(
    [first.choices[0]?.message.content, first.choices[0]?.finish_reason, deltas.join("")],
    ["Say this.", "stop", "Say this."],
  );
  assert.ok((await stream.totalUsage()).completion_tokens > 0);
  const readable = openai.chat.completions.stream(ask).toReadableStream();
  assert.equal(await ChatCompletionStream.fromReadableStream(readable).finalContent(), "Say this.");
});

test("tools run until the answer, streamed and not", async (t) => {
  const openai = await openLibrary(t);
  for (const stream of [false, true] as const) {
    const asked: string[] = [];
    const weather = zodFunction({
      name: "weather",
      parameters: Place,
      function: ({ city }) => {
        asked.push(typeof city);
        return "sun";
      },
    });
    const base = { model: "guide", messages: askWeather, tools: [weather] };
    const runner = stream
      ? openai.chat.completions.runTools({ ...base, stream })
      : openai.chat.completions.runTools(base);
    assert.match((await runner.finalContent()) ?? "", /The tool answered:[\s\S]*sun/);
    assert.deepEqual(asked, ["string"]);
  }
});

test("an answer has the shape that a zod schema asks for, in both formats", async (t) => {
  const openai = await openLibrary(t);
  const chat = await openai.chat.completions.parse({
    model: "guide",
    messages: askWeather,
    response_format: zodResponseFormat(Place, "place"),
  });
  assert.equal(typeof chat.choices[0]?.message.parsed?.city, "string");
  const text = { format: zodTextFormat(Place, "place") };
  const parsed = await openai.responses.parse({ model: "guide", input: "Which city?", text });
  assert.equal(typeof parsed.output_parsed?.city, "string");
  const streamed = openai.responses.stream({ model: "guide", input: "Which city?", text });
  assert.equal(typeof (await streamed.finalResponse()).output_parsed?.city, "string");
});

test("the calls of a response have parsed arguments, and their outputs continue it", async (t) => {
  const openai = await openLibrary(t);
  const tools = [zodResponsesFunction({ name: "weather", parameters: Place })];
  const stream = openai.responses.stream({ model: "guide", input: "Use weather for Rome.", tools });
  const first = await stream.finalResponse();
  const call = first.output.find((item) => item.type === "function_call");
  assert.ok(call);
  assert.equal(typeof Place.parse(call.parsed_arguments).city, "string");
  const second = await openai.responses.create({
    model: "guide",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call.call_id, output: "sun" }],
    tools,
  });
  assert.match(second.output_text, /sun/);
});

test("one model is described, and what is not served is refused by its name", async (t) => {
  const openai = await openLibrary(t);
  assert.equal((await openai.models.retrieve("echo")).id, "echo");
  await assert.rejects(openai.models.retrieve("of/nobody"), (error: unknown) => {
    assert.ok(error instanceof OpenAI.NotFoundError);
    assert.match(error.message, /of\/nobody/);
    return true;
  });
  const refused: readonly [() => PromiseLike<unknown>, RegExp][] = [
    [() => openai.responses.retrieve("resp_1"), /GET \/v1\/responses\/resp_1/],
    [() => openai.responses.delete("resp_1"), /DELETE \/v1\/responses\/resp_1/],
    [() => openai.responses.compact({ model: "gpt-5.2", input: "Hi" }), /POST \/v1\/responses\/compact/],
    [() => openai.conversations.create(), /POST \/v1\/conversations/],
    [() => openai.files.list(), /GET \/v1\/files/],
    [() => openai.batches.list(), /GET \/v1\/batches/],
    [() => openai.moderations.create({ input: "Hi" }), /POST \/v1\/moderations/],
  ];
  for (const [answer, said] of refused)
    await assert.rejects(
      async () => answer(),
      (error: unknown) => {
        assert.ok(error instanceof OpenAI.NotFoundError, String(error));
        assert.match(error.message, said);
        return true;
      },
    );
});
