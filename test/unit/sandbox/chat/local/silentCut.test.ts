// Ollama cuts the beginning of a prompt that is larger than the context it runs a model with, and says nothing.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { createLearnedContext } from "../../../../../src/chat/host/answer/learnedContext.ts";
import { explain } from "../../../../../src/platform/errors/errorMessage.ts";
import { toModelCard } from "../../../../../src/session/modelCards.ts";
import { openLocalBench } from "./localBench.ts";

/** An Ollama that runs its model with this size once it is loaded. */
async function openOllama(t: TestContext, size: number, parameters = "") {
  const bench = await openLocalBench(t);
  const { server } = bench;
  let isLoaded = false;
  server.models = ["qwen3:8b"];
  server.replies = {
    "/api/tags": () => ({ models: [] }),
    "/api/ps": () => ({ models: isLoaded ? [{ name: "qwen3:8b", context_length: size }] : [] }),
    "/api/show": () => ({
      model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
      parameters,
      capabilities: ["completion", "tools"],
    }),
    "/api/generate": () => {
      isLoaded = true;
      return { done: true, done_reason: "load", response: "" };
    },
  };
  const ask = (characters: number): ChatRequest => ({
    model: bench.idOf("qwen3:8b"),
    messages: [{ role: "user", content: "word ".repeat(characters / 5) }],
  });
  const card = async () => {
    const { data } = await bench.api.models.list({});
    const found = data.find(({ id }) => id === bench.idOf("qwen3:8b"));
    assert.ok(found);
    return toModelCard(found);
  };
  return { ...bench, ask, card };
}

test("before it is loaded the size is unknown; a prompt that Ollama would cut is refused with the size and the way to raise it", async (t) => {
  const { api, server, ask, card } = await openOllama(t, 4096);
  const before = await card();
  assert.equal(before.contextTokens, undefined);
  assert.match(before.description ?? "", /could hold 40,960 tokens; .* decides how many when it loads it/);
  let refusal: unknown;
  await assert.rejects(api.chat.stream(ask(40_000)), (error) => {
    refusal = error;
    return isApiError(error) && error.kind === "too-large";
  });
  assert.deepEqual(server.chats, [], "nothing was cut");
  const { sentence } = explain(refusal, { service: "Sandbox", kind: "sandbox" });
  assert.match(
    sentence,
    /runs qwen3:8b with a context length of 4096 tokens, and this request has about 100\d\d/,
  );
  assert.match(sentence, /OLLAMA_CONTEXT_LENGTH=16384/);
  // The next request is bounded by it.
  const learned = createLearnedContext(() => before);
  learned.take(before.id, refusal, 10_000);
  assert.equal(learned.cardOf(before.id)?.contextTokens, 4096);
});

test("a prompt that fits is sent; the size stands in the list afterwards, also once the model is unloaded", async (t) => {
  const { api, server, ask, card, clock } = await openOllama(t, 32_768);
  await api.chat.complete(ask(40_000));
  assert.equal(server.chats.length, 1);
  assert.equal((await card()).contextTokens, 32_768);
  server.replies = { ...server.replies, "/api/ps": () => ({ models: [] }) };
  clock.ms += 3_600_000;
  assert.equal((await card()).contextTokens, 32_768);
});

test("a short prompt is sent at once, without loading the model before", async (t) => {
  const { api, server, ask } = await openOllama(t, 4096);
  await api.chat.complete(ask(100));
  assert.ok(!server.asked.some(({ path }) => path === "/api/generate"));
});

test("num_ctx of the model's file is the size, however much the model could hold", async (t) => {
  const { card } = await openOllama(t, 8192, "num_ctx 8192");
  assert.equal((await card()).contextTokens, 8192);
});

test("a server that does not tell its size gets the prompt as it is", async (t) => {
  const { api, server, ask } = await openOllama(t, 0);
  await api.chat.complete(ask(40_000));
  assert.equal(server.chats.length, 1);
});
