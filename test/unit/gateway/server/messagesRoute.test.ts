// The Messages API over the gateway, as Anthropic's own library uses it.
import assert from "node:assert/strict";
import { test } from "node:test";
import Anthropic from "@anthropic-ai/sdk";
import { openGateway } from "../gatewayKit.ts";

const ask = { model: "echo", max_tokens: 1000, messages: [{ role: "user" as const, content: "Say this." }] };

test("Anthropic's library gets an answer, whole and streamed, counts tokens and lists the models", async (t) => {
  const { port, token } = await openGateway(t);
  const anthropic = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: token, maxRetries: 0 });
  const whole = await anthropic.messages.create(ask);
  assert.deepEqual(
    whole.content.map((block) => block.type === "text" && block.text),
    ["Say this."],
  );
  assert.equal(whole.stop_reason, "end_turn");
  const streamed = await anthropic.messages.stream(ask).finalMessage();
  assert.deepEqual(streamed.content, whole.content);
  assert.ok(streamed.usage.output_tokens > 0);
  assert.ok(
    (await anthropic.messages.countTokens({ model: "echo", messages: ask.messages })).input_tokens > 0,
  );
  const models = [];
  for await (const model of anthropic.models.list()) models.push(model.id);
  assert.ok(models.includes("echo"));
});

test("the cap's sentence is an error of Anthropic's shape, and no error that the library repeats", async (t) => {
  const { port, token, sandbox } = await openGateway(t, { sessionCapUsd: 0.000_000_1 });
  const anthropic = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, authToken: token, apiKey: null });
  const before = sandbox.requests.filter(({ method }) => method === "POST").length;
  await assert.rejects(anthropic.messages.create(ask), (error: unknown) => {
    assert.ok(error instanceof Anthropic.APIError);
    assert.equal(error.status, 402);
    assert.match(error.message, /more than the cap of this session has left/);
    return true;
  });
  assert.equal(sandbox.requests.filter(({ method }) => method === "POST").length, before);
});
