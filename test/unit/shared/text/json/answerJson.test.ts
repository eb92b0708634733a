// Numbers of an answer keep their digits, whatever their form.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseAnswer } from "../../../../../src/shared/text/json/answerJson.ts";

describe("a number beyond 2^53", () => {
  for (const [text, value] of [
    ["9007199254740993.0", 9_007_199_254_740_993n],
    ["-90071992547409.93e2", -9_007_199_254_740_993n],
    ["1E400", 10n ** 400n],
    ["-1.5e+400", -15n * 10n ** 399n],
    ["12345678901234567890.5", "12345678901234567890.5"],
    ["1e5000", "1e5000"],
    // No digit is lost of these.
    ["0.5e21", 5e20],
    ["1e23", 1e23],
    ["1.50E+30", 1.5e30],
    ["1e300", 1e300],
    ["9007199254740992.0", 9_007_199_254_740_992],
    ["0.10000000000000000001", 0.1],
    ["1e-400", 0],
  ] as const)
    test(`${text} keeps its digits`, () => {
      assert.deepEqual(parseAnswer(`[${text}]`), [value]);
      assert.deepEqual(parseAnswer(`{"a":${text}}`), { a: value });
      assert.deepEqual(parseAnswer(text), value);
    });

  test("has its digits in time", () => {
    // Patterns that go back would take seconds.
    for (const text of ["1".repeat(200_000), `1.${"0".repeat(200_000)}1e400`, `[${"1.1,".repeat(100_000)}1]`])
      assert.ok(parseAnswer(text) !== undefined);
  });
});
