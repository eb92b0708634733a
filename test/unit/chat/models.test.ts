import assert from "node:assert/strict";
import { test } from "node:test";
import { Model } from "../../../src/api/endpoints/models.ts";
import { defaultModelId, toModelCard } from "../../../src/session/modelCards.ts";
import { openChat, openView, openViewWith, serveChat } from "./chat.ts";

test("the listing is shown with what it says of each model, its default chosen", async (t) => {
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

test("the model chosen last is remembered; one that is gone is not asked", async (t) => {
  const service = await serveChat(t);
  const chat = openChat(t, service);
  await openViewWith(chat.controller, "echo");
  const again = await openView(chat.reopen().controller);
  assert.equal((await again.until(({ models }) => models.status === "ready")).modelId, "echo");
  service.remembered.set("model c1", "retired");
  const third = await openView(chat.reopen().controller);
  assert.equal((await third.until(({ models }) => models.status === "ready")).modelId, "guide");
});

test("a listing that fails says why, and can be asked for again", async (t) => {
  const service = await serveChat(t, {
    faults: [{ kind: "status", status: 403, match: { path: "/models" }, times: 1 }],
  });
  const view = await openView(openChat(t, service).controller);
  const { models } = await view.until((state) => state.models.status !== "loading");
  assert.match(models.status === "failed" ? models.problem.sentence : "", /does not allow this/);
  await view.say("reloadModels", {});
  await view.until((state) => state.models.status === "ready");
});

test("a card holds what is there and leaves out what is not", () => {
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

test("the default is one that runs: by trait, else the first", () => {
  const card = (id: string, more: object = {}) => ({ ...toModelCard(Model.parse({ id })), ...more });
  assert.equal(defaultModelId([card("a"), card("b", { traits: ["default"] })]), "b");
  assert.equal(defaultModelId([card("a", { offline: true }), card("b")]), "b");
  assert.equal(defaultModelId([card("a", { offline: true })]), "a");
  assert.equal(defaultModelId([]), undefined);
});
