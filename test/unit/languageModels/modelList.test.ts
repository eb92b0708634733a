import assert from "node:assert/strict";
import { test } from "node:test";
import { sendJson } from "../../loopback/answers.ts";
import type { Answer } from "../../loopback/server.ts";
import { replace } from "../vscodeDouble.ts";
import { live, openModels } from "./editorModels.ts";

const other = { ...live, id: "c-2", name: "Two" };
const sandbox = { ...live, id: "sandbox", name: "Sandbox", kind: "sandbox" as const };

const guide = {
  id: "guide",
  type: "text",
  model_spec: {
    name: "Guide",
    description: "Answers.",
    traits: ["default"],
    availableContextTokens: 100_000,
    maxCompletionTokens: 16_000,
    pricing: { input: { usd: 0.2 }, output: { usd: 0.8 }, cache_input: { usd: 0.05 } },
    capabilities: { supportsVision: true, supportsFunctionCalling: true, supportsReasoningEffort: true },
  },
};
const plain = { id: "plain", model_spec: {} };
const off = { id: "off", model_spec: { offline: true, traits: ["fastest"] } };
const image = { id: "image", type: "image", model_spec: { traits: ["default"] } };

const lists =
  (...data: readonly unknown[]): Answer =>
  (_, response) =>
    sendJson(response, 200, { object: "list", data });

test("the recommended text models of each connection are listed, the active connection first", async (t) => {
  const { models } = await openModels(t, lists(plain, guide, off, image), {
    connections: [other, live, sandbox],
  });
  const listed = await models.list();
  assert.deepEqual(
    listed.map(({ id, name }) => [id, name]),
    [
      ["c-2/guide", "Guide · Two"],
      ["c-1/guide", "Guide · One"],
    ],
  );
  const { id, name, tooltip, ...rest } = listed[1] ?? assert.fail();
  assert.deepEqual(rest, {
    family: "guide",
    version: "1",
    detail: "One · $0.20 in, $0.80 out per million tokens",
    pricing: "$0.20 in, $0.80 out per million tokens",
    maxInputTokens: 84_000,
    maxOutputTokens: 16_000,
    capabilities: { imageInput: true, toolCalling: true },
    connectionId: "c-1",
    modelId: "guide",
    reasoningEfforts: ["low", "medium", "high"],
    isUserSelectable: true,
    isBYOK: true,
    category: { label: "One", order: 1 },
    configurationSchema: {
      type: "object",
      properties: {
        reasoningEffort: {
          type: "string",
          title: "Reasoning Effort",
          description: "More effort takes longer and costs more.",
          enum: ["default", "low", "medium", "high"],
          enumItemLabels: ["Default", "Low", "Medium", "High"],
          default: "default",
          group: "navigation",
        },
      },
    },
  });
  assert.match(
    String(tooltip),
    /^Answers\.\nContext: 100,000 tokens\nLongest answer: 16,000 tokens\nPrice: /,
  );
});

test("a model that is to be retired names the day and its successor", async (t) => {
  const deprecation = { removesAt: "2031-02-03T00:00:00Z", replacementModelId: "guide" };
  const { models } = await openModels(t, lists({ id: "old", model_spec: { deprecation } }));
  const [old] = await models.list();
  assert.match(String(old?.tooltip), /\nRetires: 2031-02-03\nReplaced by: guide\n/);
});

test("the chosen model is listed, and all models by the setting or where the service marks none", async (t) => {
  const ids = async (answer: Answer, chosen?: string) => {
    const { models } = await openModels(t, answer, chosen ? { chosen } : {});
    return (await models.list()).map(({ modelId }) => modelId);
  };
  assert.deepEqual(await ids(lists(guide, plain, { id: "chosen" }), "chosen"), ["guide", "chosen"]);
  assert.deepEqual(await ids(lists(plain, { id: "second" })), ["plain", "second"]);
  replace("workspace", { getConfiguration: () => ({ get: () => true }) }, t);
  assert.deepEqual(await ids(lists(guide, plain)), ["guide", "plain"]);
});

test("ten thousand models with any ids are listed, each id once", async (t) => {
  const ids = [
    "__proto__",
    "constructor",
    "a/b c",
    "模型",
    ...Array.from({ length: 10_000 }, (_, at) => `m${at}`),
  ];
  const { models } = await openModels(
    t,
    lists(...[...ids, "m7", "constructor"].map((id) => ({ id, model_spec: {} }))),
  );
  const listed = await models.list();
  assert.deepEqual(
    listed.map(({ modelId }) => modelId),
    ids,
  );
  assert.equal(new Set(listed.map(({ id }) => id)).size, ids.length);
});

test("the sandbox is listed while it is active, with its play money", async (t) => {
  const { models } = await openModels(t, lists(guide), { connections: [sandbox] });
  const [listed] = await models.list();
  assert.match(String(listed?.detail), /^Sandbox · Play money: .* per million tokens$/);
});

test("a list is read once until a refresh; a connection that fails costs no other its models, and is logged once", async (t) => {
  const broken = { ...live, id: "broken", name: "Broken" };
  const { models, server, warnings } = await openModels(t, lists(guide), { connections: [broken, live] });
  for (let round = 0; round < 2; round++) assert.equal((await models.list()).length, 1);
  assert.equal(server.received.length, 1);
  assert.deepEqual(warnings.length, 1);
  assert.match(warnings[0] ?? "", /^no language models: .*no keyring/);
  models.refresh();
  await models.list();
  assert.equal(server.received.length, 2);
});
