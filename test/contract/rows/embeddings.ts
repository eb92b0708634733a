import assert from "node:assert/strict";
import { failureOf, type RowSuite } from "../suite/suite.ts";
import { send } from "../suite/wire.ts";

const sample = { model: "signature", input: "The ferry leaves at nine." };

/** POST /embeddings (api-missing.md). */
export const create: RowSuite = {
  sample,
  rules: {
    model: { good: ["signature"], bad: ["", 7] },
    input: {
      good: ["a", ["a"], Array.from({ length: 2048 }, () => "a")],
      bad: ["", [], [""], 7, [1, 2], [[1]], Array.from({ length: 2049 }, () => "a")],
      unfit: ["word ".repeat(8193)],
    },
    dimensions: { good: [1, 256], bad: [0, 1.5, "8"], unfit: [257] },
    encoding_format: { good: ["float", "base64"], bad: ["hex", 7] },
    user: { good: ["", "someone"], bad: [7] },
  },
  reply: { nullable: ["object", "model", "usage"], required: ["data"], tolerant: ["data"] },
  everywhere: [],
  sandboxed: [
    {
      name: "has a vector for each text, in order, with the tokens of all",
      async run({ api }) {
        const { data, usage, model } = await api.embeddings.create({
          ...sample,
          input: ["one", "two", "one"],
        });
        assert.deepEqual(
          data.map(({ index, embedding }) => [index, embedding.length]),
          [
            [0, 256],
            [1, 256],
            [2, 256],
          ],
        );
        assert.deepEqual(data[0]?.embedding, data[2]?.embedding);
        assert.notDeepEqual(data[0]?.embedding, data[1]?.embedding);
        assert.deepEqual([model, usage?.prompt_tokens, usage?.total_tokens], ["signature", 3, 3]);
      },
    },
    {
      name: "has the same numbers in base64",
      async run({ api }) {
        const wanted = { ...sample, dimensions: 8 };
        const [plain] = (await api.embeddings.create(wanted)).data;
        const [coded] = (await api.embeddings.create({ ...wanted, encoding_format: "base64" })).data;
        const bytes = Buffer.from(String(coded?.embedding), "base64");
        const numbers = Array.from({ length: 8 }, (_, place) => bytes.readFloatLE(place * 4));
        assert.deepEqual(numbers, plain?.embedding);
      },
    },
    {
      name: "refuses an unlisted model",
      async run({ api }) {
        const call = api.embeddings.create({ ...sample, model: "nobody" });
        assert.equal((await failureOf(call)).kind, "not-found");
      },
    },
    {
      name: "counts towards the window of embedding models",
      async run({ target }) {
        const { headers } = await send(target, { path: "/embeddings", body: sample });
        assert.equal(headers.get("x-ratelimit-limit-requests"), "500");
      },
    },
  ],
};
