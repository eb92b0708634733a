import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../../../../src/api/endpoints/models.ts";
import { defaultModelId, toModelCard } from "../../../../../src/session/modelCards.ts";
import { openChat, openView, openViewWith, serveChat } from "../../chat.ts";

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

test("the default model is one that can run: by trait, else the first one", () => {
  const card = (id: string, more: object = {}) => ({ ...toModelCard(Model.parse({ id })), ...more });
  assert.equal(defaultModelId([card("a"), card("b", { traits: ["default"] })]), "b");
  assert.equal(defaultModelId([card("a", { offline: true }), card("b")]), "b");
  assert.equal(defaultModelId([card("a", { offline: true })]), "a");
  assert.equal(defaultModelId([]), undefined);
});
