// The helper methods of Anthropic's own library over the gateway and the sandbox.

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import * as z from "zod";
import { openGateway } from "../gatewayKit.ts";

const Place = z.object({ city: z.string() });
const ask = {
  model: "echo",
  max_tokens: 200,
  messages: [{ role: "user" as const, content: "Say this." }],
};
const askWeather = {
  ...ask,
  model: "guide",
  messages: [{ role: "user" as const, content: "Use weather for Rome." }],
};

async function openLibrary(t: TestContext, served: Parameters<typeof openGateway>[2] = {}) {
  const gateway = await openGateway(t, {}, served);
  const baseURL = `http://127.0.0.1:${gateway.port}`;
  return {
    gateway,
    anthropic: new Anthropic({ baseURL, authToken: gateway.token, apiKey: null, maxRetries: 0 }),
  };
}

test("a message is streamed, and its events add up to the final one", async (t) => {
  const { anthropic } = await openLibrary(t);
  const stream = anthropic.messages.stream(ask);
  const texts: string[] = [];
  stream.on("text", (text) => texts.push(text));
  const message = await stream.finalMessage();
  assert.deepEqual([texts.join(""), await stream.finalText()], ["Say this.", "Say this."]);
  assert.deepEqual([message.stop_reason, message.usage.output_tokens > 0], ["end_turn", true]);
});

test("tools run until the answer, streamed and not", async (t) => {
  const { anthropic } = await openLibrary(t);
  for (const stream of [false, true] as const) {
    const asked: string[] = [];
    const weather = betaZodTool({
      name: "weather",
      description: "The weather of a city.",
      inputSchema: Place,
      run: ({ city }) => {
        asked.push(typeof city);
        return "sun";
      },
    });
    const runner = stream
      ? anthropic.beta.messages.toolRunner({ ...askWeather, tools: [weather], stream })
      : anthropic.beta.messages.toolRunner({ ...askWeather, tools: [weather] });
    const message = await runner.runUntilDone();
    const [text] = message.content;
    assert.match(text?.type === "text" ? text.text : "", /The tool answered:[\s\S]*sun/);
    assert.deepEqual(asked, ["string"]);
  }
});

test("the library's own memory is called by its documented commands", async (t) => {
  const { anthropic } = await openLibrary(t);
  const viewed: string[] = [];
  const unused = () => "";
  const memory = betaMemoryTool({
    view: ({ command }) => {
      viewed.push(command);
      return "notes.md";
    },
    create: unused,
    str_replace: unused,
    insert: unused,
    delete: unused,
    rename: unused,
  });
  const messages = [{ role: "user" as const, content: "Use memory." }];
  const runner = anthropic.beta.messages.toolRunner({ ...askWeather, messages, tools: [memory] });
  const [text] = (await runner.runUntilDone()).content;
  assert.deepEqual(viewed, ["view"]);
  assert.match(text?.type === "text" ? text.text : "", /notes\.md/);
});

test("an answer has the shape that a zod schema asks for", async (t) => {
  const { anthropic } = await openLibrary(t);
  const output_config = { format: zodOutputFormat(Place) };
  const message = await anthropic.messages.parse({ ...askWeather, output_config });
  assert.equal(typeof message.parsed_output?.city, "string");
});

test("tokens are counted, and models listed and described", async (t) => {
  const { anthropic } = await openLibrary(t);
  const { model, messages } = ask;
  assert.ok((await anthropic.messages.countTokens({ model, messages })).input_tokens > 0);
  const ids = [];
  for await (const { id } of anthropic.models.list()) ids.push(id);
  assert.ok(ids.includes("echo"));
  const described = await anthropic.models.retrieve("echo");
  assert.deepEqual([described.id, described.type], ["echo", "model"]);
});

test("what is not served is refused by its name, in the words of the format", async (t) => {
  const { anthropic } = await openLibrary(t);
  const refused: readonly [() => PromiseLike<unknown>, RegExp][] = [
    [() => anthropic.messages.batches.list(), /GET \/v1\/messages\/batches/],
    [
      () => anthropic.messages.batches.create({ requests: [{ custom_id: "1", params: ask }] }),
      /POST \/v1\/messages\/batches/,
    ],
    [() => anthropic.beta.files.list(), /GET \/v1\/files/],
    [() => anthropic.models.retrieve("nobody"), /no text model .*nobody/],
  ];
  for (const [answer, said] of refused)
    await assert.rejects(
      async () => answer(),
      (error: unknown) => {
        assert.ok(error instanceof Anthropic.NotFoundError, String(error));
        assert.match(error.message, said);
        assert.equal(error.type, "not_found_error");
        return true;
      },
    );
});

test("a stream that the program aborts in the middle ends its call at the service", async (t) => {
  const { anthropic, gateway } = await openLibrary(t, { tokensPerSecond: 50 });
  const stream = anthropic.messages.stream({
    ...ask,
    max_tokens: 20_000,
    messages: [{ role: "user", content: "word ".repeat(5_000) }],
  });
  const ended = new Promise<void>((resolve) => {
    stream.once("text", () => {
      for (const { signal } of gateway.sessions.all[0]?.running ?? [])
        signal.addEventListener("abort", () => resolve(), { once: true });
      stream.abort();
    });
  });
  await assert.rejects(stream.finalMessage(), Anthropic.APIUserAbortError);
  await ended;
});
