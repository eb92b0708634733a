import assert from "node:assert/strict";
import { test } from "node:test";
import { askForm, questionsOf } from "../../../../../../src/tools/mcp/client/ask/elicitationForm.ts";

const form = (properties: object, required: readonly string[] = []) =>
  questionsOf({ type: "object", properties, required }, "Please answer");

test("each kind of field is a question, with its default", async () => {
  const questions = form(
    {
      name: { type: "string", title: "Name", default: "Ann", maxLength: 5 },
      age: { type: "integer", minimum: 18, default: 30 },
      on: { type: "boolean", default: true },
      one: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"], default: "b" },
      titled: { type: "string", oneOf: [{ const: "x", title: "X" }] },
      some: { type: "array", items: { anyOf: [{ const: "p", title: "P" }] }, default: ["p"] },
    },
    ["name"],
  );
  assert.ok(typeof questions !== "string");
  const kinds = questions.map(({ field }) => field.kind);
  assert.deepEqual(kinds, ["text", "text", "switch", "choice", "choice", "choices"]);
  const answers = await askForm(questions, async ({ field }) => {
    if (field.kind === "text") return field.read(field.default).value ?? null;
    return field.kind === "choices" ? [...field.default] : (field.default ?? null);
  });
  assert.deepEqual(answers, { name: "Ann", age: 30, on: true, one: "b", some: ["p"] });
  const [name, age] = questions;
  assert.ok(name?.field.kind === "text" && age?.field.kind === "text");
  assert.equal(name.field.read("longer").problem, "At most 5 characters");
  assert.equal(age.field.read("17").problem, "At least 18");
  assert.equal(age.field.read("20.5").problem, "A whole number");
  assert.equal(await askForm(questions, async () => undefined), undefined);
});

test("a form that asks for a secret is declined, and one that can't be shown", () => {
  for (const [name, field] of [
    ["password", { type: "string" }],
    ["x", { type: "string", title: "API key" }],
    ["x", { type: "string", description: "Your access token" }],
    ["x", { type: "string", description: "The seed phrase of the wallet" }],
  ] as const)
    assert.match(String(form({ [name]: field })), /asks for a secret/);
  assert.match(String(questionsOf({ properties: { a: { type: "string" } } }, "Enter your PIN")), /secret/);
  assert.match(String(form({ a: { type: "object" } })), /unknown type/);
  const many = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`f${index}`, { type: "string" }]),
  );
  assert.match(String(form(many)), /more than 10/);
});
