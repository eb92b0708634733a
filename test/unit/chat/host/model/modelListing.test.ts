import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../../../../src/api/endpoints/models.ts";
import { defaultModelId, toModelCard } from "../../../../../src/session/modelCards.ts";
import { ended, openChat, openView, openViewWith, serveChat } from "../../chat.ts";

test("shows the listed models with their properties, and the default selected", async (t) => {
  const view = await openView(openChat(t, await serveChat(t)).controller);
  const { models, modelId } = await view.until((state) => state.models.status === "ready");
  assert.equal(modelId, "guide");
  const cards = models.status === "ready" ? models.cards : [];
  const guide = cards.find(({ id }) => id === "guide");
  assert.deepEqual(
    [guide?.name, guide?.contextTokens, guide?.inputUsd, guide?.outputUsd],
    ["Guide", 131_072, 0.2, 0.8],
  );
  assert.ok(guide?.capabilities.includes("tools") && guide.traits.includes("default"));
});

test("remembers the last model; one that was removed is not requested", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  await openViewWith(chat.controller, "echo");
  const again = await openView(chat.reopen().controller);
  assert.equal((await again.until(({ models }) => models.status === "ready")).modelId, "echo");
  service.remembered.set("model c1", "retired");
  const third = await openView(chat.reopen().controller);
  assert.equal((await third.until(({ models }) => models.status === "ready")).modelId, "guide");
});

test("a failed listing shows the reason and can be repeated", async (t) => {
  const service = await serveChat(t, {
    faults: [{ kind: "status", status: 403, match: { path: "/models" }, times: 1 }],
  });
  const view = await openView(openChat(t, service).controller);
  const { models } = await view.until((state) => state.models.status !== "loading");
  assert.match(models.status === "failed" ? models.problem.sentence : "", /does not allow this/);
  await view.say("reloadModels", {});
  await view.until((state) => state.models.status === "ready");
});

test("a card shows the known properties and omits the others", () => {
  assert.deepEqual(toModelCard(Model.parse({ id: "bare" })), {
    id: "bare",
    name: "bare",
    capabilities: [],
    reasoningEfforts: [],
    traits: [],
    beta: false,
    offline: false,
  });
});

test("a card has what a record says of its origin, its pictures and its successor, in bounded plain text", () => {
  const capabilities = {
    supportsVision: true,
    supportsMultipleImages: true,
    maxImages: 4,
    quantization: "fp8",
  };
  const record = {
    id: "old",
    owned_by: ` X\u202e\nLabs${"s".repeat(200)}`,
    created: 1_780_000_000,
    model_spec: {
      capabilities,
      regionRestrictions: ["EU", "", ...Array.from({ length: 50 }, (_, at) => `R${at}`)],
      deprecation: { removesAt: "2031-01-01", replacementModelId: "new" },
    },
  };
  const card = toModelCard(Model.parse(record));
  assert.deepEqual([card.quantization, card.createdAtMs, card.replacedBy], ["fp8", 1_780_000_000_000, "new"]);
  assert.match(card.owner ?? "", /^X⟨U\+202E⟩⟨U\+000A⟩Labss+…$/);
  assert.ok((card.owner ?? "").length < 90);
  assert.deepEqual(card.restrictedIn, ["EU", "R0", "R1", "R2", "R3", "R4", "R5"]);
  assert.deepEqual([card.takesSeveralImages, card.maxImages], [true, 4]);
});

test("a card has no fact that a record does not state, or that says nothing", () => {
  const bare = toModelCard(Model.parse({ id: "bare" }));
  const empty = (record: object, capabilities: object = {}) =>
    toModelCard(Model.parse({ id: "bare", ...record, model_spec: { capabilities } }));
  assert.deepEqual(empty({ owned_by: " ", created: 0 }, { quantization: "not-available" }), bare);
  assert.deepEqual(
    empty({ created: 1e15 }, { maxImages: 4, supportsMultipleImages: true }),
    bare,
    "no vision",
  );
  const vision = empty({ created: -1 }, { supportsVision: true });
  for (const maxImages of [0, -2, 1.5])
    assert.deepEqual(empty({}, { supportsVision: true, supportsMultipleImages: false, maxImages }), vision);
  // The server of a model on this machine.
  const { owner } = toModelCard(Model.parse({ id: "ollama/qwen", owned_by: "ollama" }));
  assert.equal(owner, undefined);
});

test("the default model is one that can run: by trait, else the first one", () => {
  const card = (id: string, more: object = {}) => ({ ...toModelCard(Model.parse({ id })), ...more });
  assert.equal(defaultModelId([card("a"), card("b", { traits: ["default"] })]), "b");
  assert.equal(defaultModelId([card("a", { offline: true }), card("b")]), "b");
  assert.equal(defaultModelId([card("a", { offline: true })]), "a");
  assert.equal(defaultModelId([]), undefined);
});

const nameRequests = ({ sandbox }: Awaited<ReturnType<typeof serveChat>>) =>
  sandbox.requests.filter(({ path }) => /traits|compatibility_mapping/.test(path)).length;

test("a typed name is kept and read up at its first use; its settings and prices are those of its model", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "guide");
  assert.equal(nameRequests(service), 0, "the lists are not read before a name is used");
  await view.say("pickModel", { modelId: "o3-mini:enable_web_search=off" });
  const { names } = await view.until((state) => state.names.status === "ready");
  assert.equal(names.status === "ready" && names.lists.mapping["o3-mini"], "thinker");
  await view.say("setSettings", { settings: { reasoning_effort: "low", logprobs: true } });
  await view.say("send", { text: "What?", revision: 1 });
  // The gauge follows the end of the answer.
  await view.until((state) => ended(state) && state.context?.contextTokens === 200_000);
  const { bodyText = "" } = service.sandbox.requests.findLast(({ method }) => method === "POST") ?? {};
  const { model, reasoning_effort, logprobs } = JSON.parse(bodyText);
  assert.deepEqual([model, reasoning_effort, logprobs], ["o3-mini:enable_web_search=off", "low", undefined]);
  assert.deepEqual(
    [view.answer.model, view.answer.reply?.model],
    ["o3-mini:enable_web_search=off", "thinker"],
  );
  const again = await openView(chat.reopen().controller);
  const { modelId } = await again.until((state) => state.names.status === "ready");
  assert.equal(modelId, "o3-mini:enable_web_search=off");
  assert.equal(nameRequests(service), 4, "once for each window");
});

test("the names of a service are dropped with its connection, and a failure is said and repeated", async (t) => {
  const service = await serveChat(t, {
    faults: [{ kind: "status", status: 403, match: { path: "/models/traits" }, times: 1 }],
  });
  const chat = openChat(t, service);
  const view = await openViewWith(chat.controller, "gpt-4o");
  const { names } = await view.until((state) => state.names.status === "failed");
  assert.match(names.status === "failed" ? names.problem.sentence : "", /does not allow this/);
  await view.say("readNames", {});
  await view.until((state) => state.names.status === "ready");
  chat.switchTo({ id: "c2", name: "Other" });
  await view.until((state) => state.names.status === "unread");
  await view.until(({ models, modelId }) => models.status === "ready" && modelId === "guide");
});

test("the budget of a chat asks before a model without a known price", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service, { confirms: false });
  const view = await openViewWith(chat.controller, "guide");
  const text = "word ".repeat(2000);
  await view.say("setSettings", { settings: { budgetUsd: 0.0006 } });
  await view.say("pickModel", { modelId: "default" });
  await view.until((state) => state.names.status === "ready");
  await view.say("pickModel", { modelId: "unheard-of" });
  await view.say("draft", { draft: { text, revision: 1 } });
  await view.say("send", { text, revision: 1 });
  assert.equal(chat.questions.length, 1);
});
