// The vectors of the sandbox: of length 1, the same for the same text, and closer for texts that share words.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { inBase64, vectorOf } from "../../../../src/sandbox/embeddings/vector.ts";
import { randomCases } from "../../../runner/cases.ts";

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);

test("a vector has length 1 and its dimensions, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.integer({ min: 1, max: 300 }), (text, dimensions) => {
      const vector = vectorOf(text, dimensions);
      assert.equal(vector.length, dimensions);
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5);
      assert.deepEqual(vectorOf(text, dimensions), vector);
      const bytes = Buffer.from(inBase64(vector), "base64");
      assert.deepEqual(
        Array.from(vector, (_, place) => bytes.readFloatLE(place * 4)),
        [...vector],
      );
    }),
    { numRuns: randomCases(200) },
  );
});

test("texts that share words are closer than others", () => {
  const [ferry, boat, tax] = [
    "the ferry leaves at nine",
    "when the ferry leaves",
    "a form for income tax",
  ].map((text) => vectorOf(text, 256)) as [Float32Array, Float32Array, Float32Array];
  assert.ok(cosine(ferry, boat) > cosine(ferry, tax) + 0.3);
});
