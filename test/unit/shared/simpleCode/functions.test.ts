// Opening a file reads code of unknown authors, so the work on it is bounded.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readExplainable } from "../../../../src/shared/simpleCode/explainable.ts";
import { callFunction, newCallBudget, readCode } from "../../../../src/shared/simpleCode/functions.ts";

const script = (name: string, type: string, value: string) =>
  `export function ${name}(a: ${type}): ${type} {\n  return ${value};\n}\n`;

/** Functions that each call the previous one `width` times. */
function chain(depth: number, width: number): string {
  const value = (index: number) =>
    index === 0 ? "a" : Array.from({ length: width }, () => `f${index - 1}(a)`).join(" + ");
  return Array.from({ length: depth }, (_, index) => script(`f${index}`, "number", value(index))).join("\n");
}

test("nested calls share one budget, also over several printed lines", () => {
  const code = readCode(chain(18, 20), "script");
  const budget = newCallBudget();
  const last = code.functions.at(-1);
  assert.ok(last);
  assert.equal(callFunction(last, [1], code.functions, budget), undefined);
  // Once the budget is used up, the rest of each expression on the stack is refused at once.
  assert.ok(budget.calls < 1_000, String(budget.calls));
  assert.equal(readExplainable(`${chain(18, 20)}\nconsole.log(f17(1));\n`, "typescript"), undefined);
  assert.ok(readExplainable(`${chain(4, 3)}\nconsole.log(f3(1));\n`, "typescript"));
});

test("texts that double at each step have no result", () => {
  const steps = Array.from({ length: 100 }, (_, index) => `  const t${index + 1} = t${index} + t${index};`);
  const text = `function f(t0: string): string {\n${steps.join("\n")}\n  return t100;\n}\n`;
  const { functions } = readCode(text, "script");
  const [one] = functions;
  assert.ok(one);
  assert.equal(callFunction(one, ["x"], functions), undefined);
});

test("a long file and a long line are not simple", () => {
  const simple = script("f", "number", "a");
  for (const long of [`// ${"x".repeat(30_000)}\n`, "\n".repeat(500), `function g()${" ".repeat(600)}x\n`])
    assert.deepEqual(readCode(long + simple, "script").functions, []);
  assert.equal(readCode(simple, "script").functions.length, 1);
});
