import assert from "node:assert/strict";
import { failureOf, type RowSuite } from "../suite/suite.ts";

const type = {
  good: ["asr", "embedding", "image", "music", "text", "tts", "upscale", "inpaint", "video", "all", "code"],
  bad: [],
  // New types may appear at any time.
  unfit: ["telepathy"],
};

/** Most of a record may be missing; an invalid one never fails the list (wire.md section 4). */
const reply = {
  nullable: [
    ...["object", "type", "owned_by", "created", "context_length", "model_spec"],
    ...[
      ...["name", "description", "privacy", "offline", "traits", "availableContextTokens"],
      ...["maxCompletionTokens", "constraints", "pricing", "capabilities", "capabilities.supportsVision"],
      ...["capabilities.optimizedForCode", "capabilities.quantization"],
    ].map((path) => `model_spec.${path}`),
  ].map((path) => `data.0.${path}`),
  required: ["data"],
  tolerant: ["data"],
};
/** One odd entry never fails the map: it is left out. */
const mapReply = { nullable: ["object", "data.default"], required: ["data"], tolerant: [] };

/** GET /models (wire.md section 4). */
export const list: RowSuite = {
  sample: {},
  rules: { type },
  reply,
  everywhere: [
    {
      name: "lists text models by default",
      async run({ api }) {
        const { data } = await api.models.list({});
        assert.ok(data.length > 0);
        assert.deepEqual([...new Set(data.map((model) => model.type))], ["text"]);
      },
    },
    {
      name: "lists one type on request",
      async run({ api }) {
        const { data } = await api.models.list({ type: "tts" });
        assert.ok(data.every((model) => model.type === "tts"));
      },
    },
  ],
  sandboxed: [
    {
      name: "returns limits, prices and capabilities of each text model",
      async run({ api }) {
        const { data } = await api.models.list({ type: "text" });
        for (const { id, context_length, model_spec } of data) {
          assert.ok((context_length ?? 0) > 0, id);
          assert.equal(typeof model_spec?.capabilities?.supportsVision, "boolean", id);
          const input = model_spec?.pricing?.input as { usd?: unknown };
          assert.equal(typeof input.usd, "number", id);
        }
      },
    },
    {
      name: "marks a model to be retired with its successor",
      async run({ api }) {
        const { data } = await api.models.list({});
        const retired = data.filter(({ model_spec }) => model_spec?.deprecation);
        assert.equal(retired.length, 1);
        const successor = retired[0]?.model_spec?.deprecation?.replacementModelId;
        assert.ok(data.some(({ id }) => id === successor));
      },
    },
    {
      name: "knows every type: all is the union of them",
      async run({ api }) {
        const { data } = await api.models.list({ type: "all" });
        const types = new Set(data.map((model) => model.type));
        assert.deepEqual(types, new Set(["text", "image", "inpaint", "embedding", "tts"]));
      },
    },
  ],
};

/** GET /models/{id} (spec E7). */
export const read: RowSuite = {
  sample: { id: "speaker" },
  only: "standard",
  rules: { id: { good: ["speaker", "guide", "canvas"], bad: [""] } },
  reply: { nullable: ["model_spec", "model_spec.voices"], required: ["id"], tolerant: [] },
  everywhere: [],
  sandboxed: [
    {
      name: "is the record of the list, with the voices of a speech model",
      async run({ api }) {
        const { data } = await api.models.list({ type: "all" });
        for (const model of data) assert.deepEqual(await api.models.read({ id: model.id }), model);
        const { model_spec } = await api.models.read({ id: "speaker" });
        assert.deepEqual(model_spec?.voices, ["ada", "ben", "cleo"]);
      },
    },
    {
      name: "is not found for a model that is not listed",
      async run({ api }) {
        assert.equal((await failureOf(api.models.read({ id: "no-such/model" }))).kind, "not-found");
      },
    },
  ],
};

/** GET /models/traits. */
export const traits: RowSuite = {
  sample: {},
  rules: { type },
  reply: mapReply,
  everywhere: [
    {
      name: "maps traits to listed models",
      async run({ api }) {
        const [map, listing] = await Promise.all([api.models.traits({}), api.models.list({})]);
        const ids = new Set(listing.data.map(({ id }) => id));
        assert.ok(Object.keys(map.data).length > 0);
        for (const [trait, id] of Object.entries(map.data)) assert.ok(ids.has(id), `${trait} → ${id}`);
      },
    },
  ],
  sandboxed: [
    {
      name: "has traits of other types too",
      async run({ api }) {
        const { data } = await api.models.traits({ type: "image" });
        assert.equal(data.default, "canvas");
      },
    },
  ],
};

/** GET /models/compatibility_mapping. */
export const compatibilityMapping: RowSuite = {
  sample: {},
  rules: { type },
  reply: { ...mapReply, nullable: ["object", "data.gpt-4o"] },
  everywhere: [
    {
      name: "maps foreign names to listed models",
      async run({ api }) {
        const [map, listing] = await Promise.all([api.models.compatibilityMapping({}), api.models.list({})]);
        const ids = new Set(listing.data.map(({ id }) => id));
        for (const [name, id] of Object.entries(map.data)) assert.ok(ids.has(id), `${name} → ${id}`);
      },
    },
  ],
  sandboxed: [
    {
      name: "has foreign names for text models only",
      async run({ api }) {
        const images = await api.models.compatibilityMapping({ type: "image" });
        const texts = await api.models.compatibilityMapping({});
        assert.deepEqual(images.data, {});
        assert.equal(texts.data["gpt-4o"], "guide");
      },
    },
  ],
};
