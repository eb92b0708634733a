import assert from "node:assert/strict";
import { test } from "node:test";
import { typedAmount } from "../../../../src/shared/money/typedAmount.ts";

test("an amount may have a decimal point or a decimal comma", () => {
  for (const [text, read] of [
    ["5", "5"],
    ["0", "0"],
    ["0.25", "0.25"],
    ["0,25", "0.25"],
    [" 0,50 ", "0.50"],
    [",5", "0.5"],
    [".5", "0.5"],
    ["0,125", "0.125"],
    ["1.000", "1.000"],
    ["1000,5", "1000.5"],
  ] as const)
    assert.equal(typedAmount(text), read, text);
});

test("what is no decimal number, or can be read in two ways, is no amount", () => {
  for (const text of [
    "",
    " ",
    ".",
    ",",
    "5.",
    "5,",
    "1,000",
    "12,345",
    "1.000,50",
    "1,000.50",
    "1 000",
    "-1",
    "+1",
  ])
    assert.equal(typedAmount(text), undefined, text);
  for (const text of ["1e3", "0x10", "Infinity", "five", "$5", "٥"])
    assert.equal(typedAmount(text), undefined, text);
});
