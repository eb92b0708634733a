import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChosenModels } from "../../../src/session/chosenModels.ts";
import { requestedModel } from "../../../src/session/requestModel.ts";
import type { Client } from "../../../src/session/session.ts";
import { noNames } from "../../../src/shared/chat/modelNames.ts";

const guide = {
  id: "guide",
  model_spec: { name: "Guide", traits: ["default"], availableContextTokens: 1000 },
};
const thinker = { id: "thinker", model_spec: { name: "Thinker", availableContextTokens: 2000 } };

function choose(name: string, isTyped: boolean, names = async () => noNames) {
  const client = {
    connection: { id: "c" },
    api: { models: { list: async () => ({ data: [guide, thinker] }) } },
    prices: { names },
  } as unknown as Client;
  const chosen: ChosenModels = { get: () => name, isTyped: () => isTyped, set() {} };
  return requestedModel(client, chosen, new AbortController().signal);
}

test("a typed name is sent as it is, with the context of the model that it stands for", async () => {
  const names = async () => ({ traits: {}, mapping: { "o3-mini": "thinker" } });
  const model = await choose("o3-mini:disable_thinking=true", true, names);
  assert.deepEqual(
    [model.id, model.name, model.contextTokens, model.model?.id],
    ["o3-mini:disable_thinking=true", "o3-mini:disable_thinking=true", 2000, "thinker"],
  );
});

test("a typed name without a known model is sent, too; a listed model that is gone is not", async () => {
  const typed = await choose("gpt-9", true, async () => Promise.reject(new Error("down")));
  assert.deepEqual([typed.id, typed.contextTokens, typed.model], ["gpt-9", undefined, undefined]);
  assert.equal((await choose("gone", false)).id, "guide");
  assert.equal((await choose("thinker", false)).name, "Thinker");
});
