// A model on this machine stands before the sandbox's own programs wherever models are listed or one is chosen.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Model } from "../../../src/api/endpoints/models.ts";
import { groupModels } from "../../../src/chat/page/model/modelGroups.ts";
import { completionModels } from "../../../src/completions/completionModel.ts";
import type { ChosenModels } from "../../../src/session/chosenModels.ts";
import { defaultModelId, toModelCards } from "../../../src/session/modelCards.ts";
import { requestedModel } from "../../../src/session/requestModel.ts";
import type { Client } from "../../../src/session/session.ts";
import "../vscodeDouble.ts";

const { recommendedModels } = await import("../../../src/languageModels/modelList.ts");

interface Facts {
  readonly traits?: readonly string[];
  readonly privacy?: "private";
  readonly tools?: boolean;
  readonly code?: boolean;
  readonly usd?: number;
}

function model(id: string, { traits = [], privacy, tools = true, code = false, usd = 0 }: Facts): Model {
  const price = { usd, diem: usd };
  const capabilities = { supportsFunctionCalling: tools, optimizedForCode: code };
  const pricing = { input: price, output: price };
  return {
    id,
    type: "text",
    model_spec: { name: id, traits, capabilities, pricing, ...(privacy ? { privacy } : {}) },
  } as unknown as Model;
}

const here = { privacy: "private" } as const;
const listed = [
  model("guide", { traits: ["default"], usd: 0.2, ...here }),
  model("thinker", { traits: ["most_intelligent"], usd: 1.2, ...here }),
  model("ollama/gemma@2b", { ...here, tools: false }),
  model("ollama/llama3.2", here),
  model("ollama/qwen2.5-coder@7b", { ...here, code: true }),
  // Ollama sends what it gets on to another machine.
  model("ollama/kimi-k2@1t-cloud", {}),
];
const sandbox = { kind: "sandbox" } as const;
const local = ["ollama/gemma@2b", "ollama/llama3.2", "ollama/qwen2.5-coder@7b"];

test("models on this machine come first, and only they are marked", () => {
  const cards = toModelCards(listed, sandbox);
  assert.deepEqual(
    cards.map(({ id }) => id),
    [...local, "guide", "thinker", "ollama/kimi-k2@1t-cloud"],
  );
  assert.deepEqual(
    cards.filter(({ isLocal }) => isLocal).map(({ id }) => id),
    local,
  );
  // A live service has slashes in its ids, too.
  const live = toModelCards([model("meta/llama", here), ...listed], { kind: "live" });
  assert.deepEqual([live[0]?.id, live.some(({ isLocal }) => isLocal)], ["meta/llama", false]);
});

test("without a choice the first model on this machine that calls tools is used, else the default", () => {
  assert.equal(defaultModelId(toModelCards(listed, sandbox)), "ollama/llama3.2");
  assert.equal(defaultModelId(toModelCards([...listed.slice(0, 3)], sandbox)), "ollama/gemma@2b");
  assert.equal(defaultModelId(toModelCards([listed[0], listed[5]] as Model[], sandbox)), "guide");
});

test("the picker groups them above what was used and what is recommended; favourites stay on top", () => {
  const cards = toModelCards(listed, sandbox);
  const recentIds = ["guide", "ollama/qwen2.5-coder@7b"];
  const groups = groupModels(cards, "", { favouriteIds: [], recentIds });
  assert.deepEqual(
    groups.map(({ title, cards: members }) => [title, ...members.map(({ id }) => id)]),
    [
      ["On this machine", "ollama/qwen2.5-coder@7b", "ollama/gemma@2b", "ollama/llama3.2"],
      ["Recently used", "guide"],
      ["Recommended", "thinker"],
      ["All models", "ollama/kimi-k2@1t-cloud"],
    ],
  );
  const [first, second] = groupModels(cards, "", { favouriteIds: ["thinker"], recentIds });
  assert.deepEqual([first?.title, second?.title], ["Favourites", "On this machine"]);
});

function client(): Client {
  return {
    connection: { id: "s", name: "Sandbox", ...sandbox },
    dialect: { usdPerCredit: [6.25e-7, 7e-7] },
    api: { models: { list: async () => ({ data: listed }) } },
  } as unknown as Client;
}

test("completions take a model for code on this machine, then the others on it", async () => {
  const { cards } = await completionModels(client());
  assert.deepEqual(
    cards.slice(0, 3).map(({ id }) => id),
    ["ollama/qwen2.5-coder@7b", "ollama/gemma@2b", "ollama/llama3.2"],
  );
});

test("the editor's own chat lists them first, and edits use one unless another model is chosen", async () => {
  const shown = recommendedModels(toModelCards(listed, sandbox), undefined);
  assert.deepEqual(
    shown.map(({ id }) => id),
    [...local, "guide", "thinker"],
  );
  const none = { get: () => undefined, isTyped: () => false } as unknown as ChosenModels;
  const { signal } = new AbortController();
  assert.equal((await requestedModel(client(), none, signal)).id, "ollama/llama3.2");
  const guide = { get: () => "guide", isTyped: () => false } as unknown as ChosenModels;
  assert.equal((await requestedModel(client(), guide, signal)).id, "guide");
});
