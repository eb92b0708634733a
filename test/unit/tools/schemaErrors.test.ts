import assert from "node:assert/strict";
import { test } from "node:test";
import { schemaErrors } from "../../../src/tools/schemaErrors.ts";
import { ended, openChat, openViewWith, serveChat } from "../chat/chat.ts";

const schema = JSON.stringify({
  type: "object",
  required: ["city"],
  properties: { city: { type: "string" }, people: { type: "array", items: { type: "integer" } } },
});

test("a valid answer has no errors; an invalid one names each place", () => {
  assert.deepEqual(schemaErrors(schema, '{"city":"Bern","people":[1]}'), []);
  const [first] = schemaErrors(schema, '{"city":"Bern","people":[1,"two"]}');
  assert.equal(first?.at, "people/1");
  assert.match(first?.message ?? "", /integer/);
  assert.match(schemaErrors(schema, "{}")[0]?.message ?? "", /city/);
  assert.deepEqual(schemaErrors(schema, "no"), [{ at: "", message: "The answer is not JSON." }]);
});

test("at most twenty places of an invalid answer are reported", () => {
  const many = JSON.stringify({ city: "Bern", people: Array.from({ length: 500 }, () => "x") });
  assert.equal(schemaErrors(schema, many).length, 20);
});

const hostile: Readonly<Record<string, readonly [schema: object, answer: string]>> = {
  "a pattern that takes for ever": [{ pattern: "^(a+)+$" }, JSON.stringify(`${"a".repeat(60)}!`)],
  "a pattern that is none": [{ pattern: "(" }, '"a"'],
  "a reference that leads nowhere": [{ $ref: "#/not/there" }, "1"],
  "a reference to itself": [{ $ref: "#" }, "1"],
  "an answer as deep as no stack is": [{ items: { $ref: "#" } }, "[".repeat(100_000) + "]".repeat(100_000)],
};
for (const [name, [bad, answer]] of Object.entries(hostile)) {
  test(`${name} ends, and is reported`, () => {
    const [error, ...more] = schemaErrors(JSON.stringify(bad), answer);
    assert.match(error?.message ?? "", /could not be checked against the schema/);
    assert.deepEqual(more, []);
  });
}

test("an answer ends although its schema is not usable", async (t) => {
  const view = await openViewWith(openChat(t, await serveChat(t)).controller, "guide");
  const bad = JSON.stringify({ ...JSON.parse(schema), properties: { city: { $ref: "#/not/there" } } });
  await view.say("setSettings", { settings: { schema: bad } });
  await view.say("send", { text: "Which city?", revision: 1 });
  await view.until((state) => ended(state) && !state.busy);
  assert.match(view.answer.schemaErrors?.[0]?.message ?? "", /could not be checked/);
});

test("the answer of a model with a schema is validated", async (t) => {
  const service = await serveChat(t);
  const view = await openViewWith(openChat(t, service).controller, "guide");
  await view.say("setSettings", { settings: { schema } });
  const arrived = service.sandbox.nextRequest({ path: "/chat/completions" });
  await view.say("send", { text: "Which city?", revision: 1 });
  assert.deepEqual(
    JSON.parse((await arrived).bodyText).response_format.json_schema.schema,
    JSON.parse(schema),
  );
  await view.until((state) => ended(state) && !state.busy);
  assert.deepEqual(view.answer.schemaErrors, []);
  await view.say("setSettings", { settings: { schema, max_completion_tokens: 3 } });
  await view.say("send", { text: "And which one now?", revision: 2 });
  await view.until((state) => state.messages.length === 4 && ended(state) && !state.busy);
  assert.deepEqual(view.answer.schemaErrors, [{ at: "", message: "The answer is not JSON." }]);
});
