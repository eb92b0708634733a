import assert from "node:assert/strict";
import { test } from "node:test";
import { completionModels, toCompletionRequest } from "../../../src/completions/completionModel.ts";
import type { Client } from "../../../src/session/session.ts";
import { type NameLists, noNames } from "../../../src/shared/chat/modelNames.ts";

const model = (id: string, usd: number) => ({
  id,
  type: "text",
  model_spec: {
    name: id,
    availableContextTokens: 1000,
    maxCompletionTokens: 100,
    pricing: { input: { usd }, output: { usd } },
  },
});

function open(names: () => Promise<NameLists> = async () => noNames) {
  let reads = 0;
  const client = {
    connection: { id: "c", name: "One", kind: "live" },
    dialect: { usdPerCredit: [6.25e-7, 7e-7] },
    api: { models: { list: async () => ({ data: [model("cheap", 1), model("dear", 100)] }) } },
    prices: {
      names() {
        reads += 1;
        return names();
      },
    },
  } as unknown as Client;
  return { models: completionModels(client), reads: () => reads };
}

const question = {
  lines: "one",
  before: "let x = ",
  after: "",
  path: "a.ts",
  language: "typescript",
  excerpts: [],
};

test("another name is sent as it is, at the price of the model that it stands for", async () => {
  const { models, reads } = open(async () => ({ traits: {}, mapping: { "gpt-4o": "cheap" } }));
  const { choose, mostUsd } = await models;
  const listed = await choose("cheap");
  assert.equal(reads(), 0, "a listed id needs no other list");
  const card = await choose("gpt-4o");
  assert.deepEqual([card.id, card.inputUsd], ["gpt-4o", 1]);
  const request = toCompletionRequest(card, question as never);
  assert.equal(request.model, "gpt-4o");
  assert.equal(mostUsd(request), mostUsd(toCompletionRequest(listed, question as never)));
});

test("a name without a known model is refused with the setting; unread names with their reason", async () => {
  await assert.rejects((await open().models).choose("gpt-9"), {
    kind: "not-found",
    message: /does not list the model gpt-9 of the setting/,
  });
  const down = open(async () => Promise.reject(new Error("down")));
  await assert.rejects((await down.models).choose("gpt-4o"), { message: "down" });
});
