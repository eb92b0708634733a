import assert from "node:assert/strict";
import { test } from "node:test";
import { readSample, sampleCode, sampleParts } from "../../../../src/shared/names/sampleCode.ts";

test("the sample is known by its text alone, whole or in whole parts", () => {
  assert.deepEqual(readSample(sampleCode), ["comment", "function", "call"]);
  assert.deepEqual(readSample(sampleCode.replaceAll("\n", "\r\n")), ["comment", "function", "call"]);
  assert.deepEqual(readSample(`\n${sampleParts.function}\n`), ["function"]);
  for (const other of [
    "",
    "greet",
    `${sampleCode}1`,
    sampleParts.function.slice(1),
    `${sampleParts.call}${sampleParts.function}`,
  ])
    assert.equal(readSample(other), undefined, other);
});
