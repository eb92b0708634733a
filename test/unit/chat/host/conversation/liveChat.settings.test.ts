// Which settings of a chat a new one begins with, and which of them a task sends.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type ChatSettings, lastingSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import { usableSettings } from "../../../../../src/chat/protocol/chatUsable.ts";
import type { ModelCard } from "../../../../../src/shared/chat/chatModels.ts";
import { ended, openChat, openViewWith, serveChat } from "../../chat.ts";

const schema = '{"type":"object","properties":{"a":{"type":"number"}},"required":["a"]}';
const whole: ChatSettings = {
  mode: "agent",
  task: { capUsd: 2, asksBeforeEdits: true },
  tools: ["read_page"],
  budgetUsd: 1,
  user_name: "Ada",
  reasoning_effort: "high",
  service: { enable_e2ee: true, character_slug: "pirate", enable_web_search: "on" },
  system: "Talk like a pirate.",
  schema,
  schema_name: "numbers",
  max_completion_tokens: 16_000,
  stop: ["END"],
  temperature: 1.5,
  seed: 3,
  n: 2,
  logprobs: true,
};
const lasting: ChatSettings = {
  mode: "agent",
  task: { capUsd: 2, asksBeforeEdits: true },
  tools: ["read_page"],
  budgetUsd: 1,
  user_name: "Ada",
  reasoning_effort: "high",
  service: { enable_e2ee: true },
};

test("a new chat keeps the mode, the tools and the limits, and nothing that shaped the answers of another chat", async (t) => {
  assert.deepEqual(lastingSettings(whole), lasting);
  assert.deepEqual(lastingSettings({ schema }), {});
  // Without its mode of the workspace, the mode Agent would have more tools than the user chose.
  const narrowed: ChatSettings = { mode: "agent", customMode: "a.agent.md", onlyOwnPrompt: true };
  const other: ChatSettings = { mode: "agent", agent: "Cline" };
  assert.deepEqual(lastingSettings(other), other);
  assert.deepEqual(lastingSettings(narrowed), narrowed);
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: whole });
  await view.say("compare", { modelIds: ["thinker"] });
  const first = view.state.conversationId;
  await view.say("newChat", {});
  await view.until(({ conversationId }) => conversationId !== first);
  assert.deepEqual(view.state.settings, lasting);
  assert.deepEqual(view.state.compareIds, []);
  assert.equal(view.state.modelId, "guide");
});

test("a task sends no JSON schema, and none of its rounds is judged by one", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "guide");
  for (const [mode, isSent] of [
    ["agent", false],
    ["plan", false],
    ["ask", true],
  ] as const) {
    await view.say("newChat", {});
    await view.say("setSettings", { settings: { mode, schema } });
    const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
    await view.say("send", { text: "How do I stop an answer?", revision: Date.now() });
    const request = await arrived;
    await view.until((state) => ended(state) && state.messages.length === 2);
    assert.equal(request.bodyText.includes("json_schema"), isSent, mode);
    const answer = view.state.messages.at(-1);
    assert.equal(answer?.role === "assistant" && answer.schemaErrors !== undefined, isSent, mode);
  }
});

test("an answer is not asked to be longer than the model writes", () => {
  const card = { maxAnswerTokens: 4_000, capabilities: [], reasoningEfforts: [] } as unknown as ModelCard;
  assert.equal(usableSettings({ max_completion_tokens: 16_000 }, card).max_completion_tokens, 4_000);
  assert.equal(usableSettings({ max_completion_tokens: 300 }, card).max_completion_tokens, 300);
  assert.equal(usableSettings({ max_completion_tokens: 16_000 }, undefined).max_completion_tokens, 16_000);
});
