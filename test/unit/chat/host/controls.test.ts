import assert from "node:assert/strict";
import { test } from "node:test";
import { readPresets, withPreset } from "../../../../src/chat/host/controls.ts";
import { ChatSettings } from "../../../../src/chat/protocol/chatSettings.ts";
import { usableSettings, uselessBecause } from "../../../../src/chat/protocol/chatUsable.ts";
import type { ModelCard } from "../../../../src/shared/chat/chatModels.ts";
import {
  ended,
  openChat,
  openView,
  openViewWith,
  serveChat,
  type TestService,
  type TestView,
} from "../chat.ts";

async function bodyOf(service: TestService, view: TestView, text = "Hi") {
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text, revision: Date.now() });
  const body = JSON.parse((await arrived).bodyText);
  await view.until((state) => ended(state) && !state.busy);
  return body;
}

test("each setting is sent to the service under its own name", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "thinker");
  const settings: ChatSettings = {
    system: "Be brief.",
    temperature: 0.3,
    top_p: 0.9,
    top_k: 40,
    min_p: 0.05,
    frequency_penalty: 0.1,
    presence_penalty: -0.1,
    repetition_penalty: 1.1,
    seed: 7,
    stop: ["END"],
    max_completion_tokens: 100,
    reasoning_effort: "low",
    verbosity: "low",
    prompt_cache_retention: "24h",
    service: { enable_web_search: "auto", disable_thinking: true, enable_web_citations: true },
  };
  await view.say("setSettings", { settings });
  const body = await bodyOf(service, view);
  const { system, verbosity, service: switches, ...members } = settings;
  const expected = {
    ...members,
    messages: [
      { role: "system", content: system },
      { role: "user", content: "Hi" },
    ],
    text: { verbosity },
    prompt_cache_key: view.state.conversationId,
    service_parameters: { include_venice_system_prompt: false, ...switches },
  };
  for (const [name, value] of Object.entries(expected)) assert.deepEqual(body[name], value, name);
});

test("settings that the model does not support are not sent", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("setSettings", {
    settings: {
      reasoning_effort: "high",
      schema: '{"type":"object"}',
      temperature: 1,
      service: { enable_web_search: "on", enable_e2ee: true },
    },
  });
  const body = await bodyOf(service, view);
  assert.equal(body.temperature, 1);
  for (const name of ["reasoning_effort", "response_format"]) assert.ok(!(name in body), name);
  assert.deepEqual(body.service_parameters, { include_venice_system_prompt: false });
});

test("a reasoning level that the model does not list is omitted", () => {
  const card: ModelCard = {
    id: "m",
    name: "M",
    capabilities: ["reasoning"],
    reasoningEfforts: ["low", "high"],
    traits: [],
    beta: false,
    offline: false,
  };
  assert.deepEqual(usableSettings({ reasoning_effort: "max" }, card), {});
  assert.deepEqual(usableSettings({ reasoning_effort: "low" }, card), { reasoning_effort: "low" });
  assert.equal(
    uselessBecause("reasoning_effort", { ...card, reasoningEfforts: [] }),
    "M doesn't support reasoning levels.",
  );
  assert.equal(uselessBecause("enable_x_search", undefined), undefined);
});

test("several answers are requested at once and shown side by side", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("setSettings", { settings: { n: 3 } });
  const body = await bodyOf(service, view, "three times");
  assert.equal(body.n, 3);
  const answers = [view.answer, ...view.state.beside];
  assert.deepEqual(
    answers.map(({ text, state }) => [text, state]),
    Array.from({ length: 3 }, () => ["three times", "done"]),
  );
  assert.equal(view.state.spent.answers, 1);
});

test("token probabilities are stored with the answer", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "echo");
  await view.say("setSettings", { settings: { logprobs: true, top_logprobs: 2 } });
  await bodyOf(service, view, "one two three");
  assert.equal(view.answer.tokens?.map(({ token }) => token).join(""), "one two three");
  assert.ok(view.answer.tokens?.every(({ logprob }) => logprob <= 0));
});

test("the sandbox's model for it gives probabilities of answer and prompt, which are stored", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "probable");
  await view.say("setSettings", { settings: { logprobs: true, top_logprobs: 3 } });
  await bodyOf(service, view, "What can you do?");
  const joined = ({ answer }: typeof view) => answer.promptTokens?.map(({ token }) => token).join("");
  assert.equal(joined(view), " can you do?", "nothing predicts the first token");
  assert.ok(view.answer.tokens?.every(({ others }) => others.length === 2));
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  await again.until(({ messages }) => messages.length === 2);
  assert.equal(joined(again), " can you do?");
});

test("settings are stored with their conversation, and a new conversation starts with those that last", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await view.say("setSettings", { settings: { reasoning_effort: "high", temperature: 0.5 } });
  const first = view.state.conversationId;
  await view.say("newChat", {});
  assert.deepEqual(view.state.settings, { reasoning_effort: "high" });
  await view.say("setSettings", { settings: { reasoning_effort: "high", temperature: 0.7 } });
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(again.state.settings, { reasoning_effort: "high", temperature: 0.7 });
  assert.notEqual(again.state.conversationId, first);
});

test("invalid settings are not applied", () => {
  for (const wrong of [
    { temperature: 3 },
    { top_k: 1.5 },
    { stop: ["a", "b", "c", "d", "e"] },
    { n: 9 },
    { schema: "[]" },
    { budgetUsd: 0 },
    { unknown: 1 },
  ]) {
    assert.equal(ChatSettings.safeParse(wrong).success, false, JSON.stringify(wrong));
  }
});

test("asks before a budget would be exceeded; declining sends nothing", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { confirms: false });
  const view = await openViewWith(chat.controller, "guide");
  await bodyOf(service, view, "What is chat?");
  assert.ok(view.state.spent.usd > 0);
  await view.say("setSettings", { settings: { budgetUsd: view.state.spent.usd } });
  await view.say("draft", { draft: { text: "And more?", revision: 1e15 } });
  const before = view.state.messages.length;
  await view.say("send", { text: "And more?", revision: 1e15 });
  assert.equal(chat.questions.length, 1);
  assert.match(chat.questions[0] ?? "", /has cost \$.* of its budget of \$/);
  assert.equal(view.state.messages.length, before);
  assert.equal(view.state.draft.text, "And more?");
});

test("reads presets from the editor's settings, with a message for each invalid one", async (t) => {
  const service = await serveChat(t);
  const written = [
    { name: "Terse", model: "echo", system: "Be brief." },
    { name: "Hot", temperature: 9 },
  ];
  service.remembered.set("presets", JSON.stringify(written));
  const view = await openView(openChat(t, service).controller);
  await view.until(({ models }) => models.status === "ready");
  assert.deepEqual(
    view.state.presets.map(({ name }) => name),
    ["Terse"],
  );
  assert.match(view.state.presetProblems[0] ?? "", /of your settings.*1\.temperature/);
  await view.say("applyPreset", { name: "Terse" });
  assert.deepEqual(view.state.settings, { system: "Be brief." });
  assert.equal(view.state.modelId, "echo");
});

test("saving a preset replaces the one of its name and leaves the others", () => {
  const others = [{ name: "Odd", nonsense: true }, { name: "A" }];
  const preset = { name: "A", settings: { seed: 1 } };
  assert.deepEqual(withPreset(others, preset), [others[0], { name: "A", seed: 1 }]);
  assert.deepEqual(withPreset(undefined, preset), [{ name: "A", seed: 1 }]);
  assert.match(readPresets({}).problems[0] ?? "", /must be a list/);
});

test("remembers favourites and the recently used models", async (t) => {
  const chat = openChat(t, await serveChat(t));
  const view = await openViewWith(chat.controller, "echo");
  await view.say("favour", { modelId: "guide", isFavourite: true });
  await view.say("send", { text: "Hi", revision: 1 });
  await view.until(ended);
  chat.controller.dispose();
  const again = await openView(chat.reopen().controller);
  assert.deepEqual(again.state.favouriteIds, ["guide"]);
  assert.deepEqual(again.state.recentIds, ["echo"]);
  await again.say("favour", { modelId: "guide", isFavourite: false });
  assert.deepEqual(again.state.favouriteIds, []);
});
