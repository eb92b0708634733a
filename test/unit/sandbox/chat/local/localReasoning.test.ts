// The switches of reasoning reach a server in its own words, and only for a model that reasons.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { toModelCard } from "../../../../../src/session/modelCards.ts";
import { openLocalBench } from "./localBench.ts";

async function open(t: TestContext, name: string, replies: Readonly<Record<string, () => unknown>>) {
  const bench = await openLocalBench(t);
  bench.server.models = [name];
  bench.server.replies = replies;
  const { data } = await bench.api.models.list({});
  const listed = data.find(({ id }) => id === bench.idOf(name));
  assert.ok(listed);
  const card = toModelCard(listed);
  const ask = async (members: object) => {
    const messages = [{ role: "user" as const, content: "Hi" }];
    await bench.api.chat.complete({ model: card.id, messages, ...members });
    const { reasoning_effort, chat_template_kwargs } = bench.server.chats.at(-1) ?? {};
    return { reasoning_effort, chat_template_kwargs };
  };
  return { card, ask };
}

const ollama = (...capabilities: readonly string[]) => ({
  "/api/tags": () => ({ models: [] }),
  "/api/ps": () => ({ models: [] }),
  "/api/show": () => ({ capabilities: ["completion", ...capabilities] }),
});
const off = { service_parameters: { disable_thinking: true } };
const none = { reasoning_effort: undefined, chat_template_kwargs: undefined };

test("Ollama: reasoning is turned off by its effort, and a model without it gets no switch", async (t) => {
  const qwen = await open(t, "qwen3:8b", ollama("thinking"));
  assert.ok(qwen.card.capabilities.includes("reasoning"));
  assert.deepEqual(qwen.card.reasoningEfforts, []);
  assert.deepEqual(await qwen.ask(off), { ...none, reasoning_effort: "none" });
  assert.deepEqual(await qwen.ask({}), none);
  const llama = await open(t, "llama3.2", ollama("tools"));
  assert.deepEqual(await llama.ask({ ...off, reasoning_effort: "low" }), none);
});

test("gpt-oss has levels", async (t) => {
  const { card, ask } = await open(t, "gpt-oss:20b", ollama("thinking", "tools"));
  assert.deepEqual(card.reasoningEfforts, ["low", "medium", "high"]);
  assert.deepEqual(await ask({ reasoning_effort: "high" }), { ...none, reasoning_effort: "high" });
});

test("llama.cpp: the switch of the model's template, if it has one", async (t) => {
  const props = (chat_template: string) => ({
    "/props": () => ({ default_generation_settings: { n_ctx: 8192 }, chat_template }),
  });
  const qwen = await open(t, "gguf", props("{% if enable_thinking is false %}<think></think>{% endif %}"));
  assert.deepEqual(await qwen.ask(off), { ...none, chat_template_kwargs: { enable_thinking: false } });
  const llama = await open(t, "gguf", props("{{ messages }}"));
  assert.ok(!llama.card.capabilities.includes("reasoning"));
  assert.deepEqual(await llama.ask(off), none);
});

test("a cloud model of Ollama is not said to run on this machine", async (t) => {
  const { card } = await open(t, "kimi-k2:1t-cloud", {
    ...ollama("tools"),
    "/api/show": () => ({
      capabilities: ["completion", "tools"],
      remote_host: "https://ollama.com:443",
      model_info: { "general.architecture": "kimi", "kimi.context_length": 262_144 },
    }),
  });
  assert.match(card.description ?? "", /passes each question on to https:\/\/ollama\.com:443/);
  assert.deepEqual([card.privacy, card.contextTokens], [undefined, 262_144]);
});
