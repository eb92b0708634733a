// The names that differ between the dialects, in requests and replies (wire.md section 2).
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dialectOf, dialects, fromWire, toWire } from "../../../../src/api/dialect/dialect.ts";
import { dialectWanted } from "../../../../src/api/dialect/dialectSigns.ts";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { beginEvents, chunk, completion, sendJson } from "../../../loopback/answers.ts";
import { clientOf, drain, question, serve } from "../client.ts";

const citation = { title: "A page", url: "https://example.com/a" };
const echoed = { enable_web_search: "on", web_search_citations: [citation, { title: "no address" }] };

for (const [id, member] of [
  ["standard", "service_parameters"],
  ["venice", "venice_parameters"],
] as const) {
  const other = id === "standard" ? "venice_parameters" : "service_parameters";

  test(`${id}: sends the service parameters as ${member}`, async (t) => {
    const server = await serve(t, (_, response) => sendJson(response, 200, completion("ok")));
    const { api } = clientOf(t, server.origin, { dialect: dialects[id] });
    const service_parameters = { enable_web_search: "auto", include_venice_system_prompt: false } as const;
    await api.chat.complete({ ...question, service_parameters });
    const body = JSON.parse(server.received[0]?.body ?? "");
    assert.deepEqual(body, { ...question, [member]: service_parameters });
  });

  for (const spelled of [member, other]) {
    test(`${id}: reads service parameters named ${spelled}, in complete and streamed answers`, async (t) => {
      const server = await serve(t, ({ body }, response) => {
        const answer = { [spelled]: echoed };
        if (!JSON.parse(body).stream) return sendJson(response, 200, { ...completion("ok"), ...answer });
        beginEvents(response, { ...chunk("ok"), ...answer }, "[DONE]");
        response.end();
      });
      const { api } = clientOf(t, server.origin, { dialect: dialects[id] });
      const whole = await api.chat.complete(question);
      assert.deepEqual(whole.service_parameters?.web_search_citations, [citation]);
      const { events } = await drain(await api.chat.stream(question));
      assert.deepEqual(events[0]?.service_parameters?.web_search_citations, [citation]);
    });
  }
}

test("auto detects the dialect by the base URL", () => {
  const venice = ["https://api.venice.ai/api/v1", "https://venice.ai", "https://API.Venice.AI"];
  const standard = [
    "https://api.example.com",
    "https://notvenice.ai",
    "https://venice.ai.example.com",
    "junk",
  ];
  for (const url of venice) assert.equal(dialectOf("auto", url).id, "venice", url);
  for (const url of standard) assert.equal(dialectOf("auto", url).id, "standard", url);
  assert.equal(dialectOf("standard", "https://api.venice.ai").id, "standard");
  assert.equal(dialectOf("venice", "https://api.example.com").id, "venice");
});

test("only a refusal of a dialect's name or word suggests the other dialect", () => {
  const refused = (field: string, message: string, status = 400) => {
    const error = new ApiError("invalid-request", message, { status, issues: [{ field, message }] });
    return dialectWanted(dialects.standard, error)?.id;
  };
  assert.equal(refused("", 'Unrecognized key: "service_parameters"'), "venice");
  assert.equal(refused("", 'Unrecognized key: "venice_parameters"'), undefined);
  assert.equal(refused("service_parameters.enable_web_search", "Invalid option"), undefined);
  assert.equal(refused("search_provider", "Invalid option: expected one of brave|google"), "venice");
  assert.equal(refused("search_provider", "Invalid option", 422), undefined);
  assert.equal(refused("query", "search_provider"), undefined);
  assert.equal(refused("", 'Unrecognized key: "service_parameters"', 502), undefined, "may have been billed");
  assert.equal(dialectWanted(dialects.standard, undefined), undefined);
});

test("encoding and decoding in a dialect is lossless", () => {
  const parameters = fc.option(fc.dictionary(fc.string(), fc.jsonValue()), { nil: undefined });
  const bodies = fc.record(
    { model: fc.string(), service_parameters: parameters, n: fc.jsonValue() },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(bodies, fc.constantFrom(...Object.values(dialects)), (body, dialect) => {
      const wire = toWire(dialect, body);
      assert.deepEqual(fromWire(wire), body);
      assert.ok(!Object.hasOwn(wire, dialect.id === "venice" ? "service_parameters" : "venice_parameters"));
    }),
  );
});
