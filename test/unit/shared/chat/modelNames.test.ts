import assert from "node:assert/strict";
import { test } from "node:test";
import { toModelCard } from "../../../../src/session/modelCards.ts";
import type { Models } from "../../../../src/shared/chat/chatModels.ts";
import { type ModelNames, namedModel, standsForText } from "../../../../src/shared/chat/modelNames.ts";

const card = (id: string, traits: readonly string[] = []) =>
  toModelCard({ id, model_spec: { name: id.toUpperCase(), traits: [...traits] } });
const models: Models = { status: "ready", cards: [card("guide", ["default"]), card("llama3:8b")] };
const names: ModelNames = {
  status: "ready",
  lists: { traits: { default: "guide", rare: "hidden" }, mapping: { "gpt-4o": "llama3:8b" } },
};
const says = (name: string, known: ModelNames = names) =>
  standsForText(namedModel(models, known, name), known.status);

test("a name is a listed id, else a trait, else another vendor's name, and its suffix is said in words", () => {
  assert.equal(says("guide"), "GUIDE");
  assert.equal(says("default"), "trait of GUIDE");
  assert.equal(says("gpt-4o"), "stands for LLAMA3:8B");
  assert.equal(
    says("default:enable_web_search=auto&disable_thinking=true&character_slug=ada"),
    "trait of GUIDE · Web search: auto · No thinking: on · Persona: ada",
  );
  assert.equal(says("rare"), "trait of hidden", "a model that is not listed");
});

test("an id with a colon is no suffix, and a switch that does not exist belongs to the name", () => {
  assert.equal(says("llama3:8b"), "LLAMA3:8B");
  assert.equal(says("guide:enable_magic=on"), "not in the service's list");
  assert.equal(says("constructor"), "not in the service's list");
});

test("a name without a known model has no card, whatever the state of the lists", () => {
  assert.equal(namedModel(models, names, "gpt-9").card, undefined);
  assert.equal(namedModel({ status: "loading" }, names, "default").card, undefined);
  assert.equal(says("gpt-4o", { status: "loading" }), "looked up at the service…");
  assert.equal(
    says("gpt-4o", { status: "failed", problem: { sentence: "", actions: [] } }),
    "the service's names can't be read",
  );
});

test("traits of the cards are known before the lists of names are", () => {
  const named = namedModel(models, { status: "unread" }, "default");
  assert.deepEqual([named.by, named.card?.id], ["trait", "guide"]);
});
