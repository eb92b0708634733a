// The older format of OpenAI: a prompt becomes a conversation, and the answer becomes text again.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type OpenAI from "openai";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { completionsFormat } from "../../../../../src/gateway/formats/completions/completionsFormat.ts";
import type { Members } from "../../../../../src/shared/members.ts";
import { randomCases } from "../../../../runner/cases.ts";

const context = { client: "a", now: () => 5000, newId: (prefix: string) => `${prefix}1` };
const read = (body: Members) => completionsFormat.read(body, context);
const plain = { model: "m", prompt: "Once" };
const chunk = (index: number, delta: Members, finish_reason: string | null = null, logprobs?: unknown) =>
  ChatChunk.parse({ id: "c", created: 7, choices: [{ index, delta, finish_reason, logprobs }] });

test("the prompt is the user's message, and what the chat route has is passed on", () => {
  const { request, isStreamed } = read({
    ...plain,
    max_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    n: 2,
    best_of: 2,
    stop: "\n",
    seed: 3,
    logprobs: 2,
    user: "u",
    stream: true,
    stream_options: { include_usage: true },
    logit_bias: {},
    suffix: null,
  });
  const { messages, service_parameters: _, ...others } = ChatRequest.parse(request);
  assert.deepEqual(messages[1], { role: "user", content: "Once" });
  assert.deepEqual(others, {
    model: "m",
    max_completion_tokens: 9,
    temperature: 0,
    top_p: 0.5,
    n: 2,
    stop: ["\n"],
    seed: 3,
    logprobs: true,
    top_logprobs: 2,
    user: "u",
  });
  assert.ok(isStreamed);
});

test("a request that names no length gets that of the format", () => {
  assert.equal(read(plain).request.max_completion_tokens, 16);
});

test("a text with an ending is two parts of a message", () => {
  const { messages } = ChatRequest.parse(read({ ...plain, suffix: "end" }).request);
  assert.deepEqual(messages[1]?.content, [
    { type: "text", text: "Once" },
    { type: "text", text: "end" },
  ]);
});

const refused: readonly [Members, string, RegExp][] = [
  [{ model: "m" }, "prompt", /is missing/],
  [{ ...plain, prompt: "" }, "prompt", /one text/],
  [{ ...plain, prompt: ["a", "b"] }, "prompt", /one text/],
  [{ ...plain, prompt: [1, 2] }, "prompt", /tokens/],
  [{ ...plain, prompt: [[1]] }, "prompt", /tokens/],
  [{ prompt: "a" }, "model", /is missing/],
  [{ ...plain, best_of: 3 }, "best_of", /same as n/],
  [{ ...plain, logprobs: 6 }, "logprobs", /at most 5, and is 6/],
  [{ ...plain, logprobs: 1, echo: true }, "logprobs", /echo/],
  [{ ...plain, logit_bias: { 5: 1 } }, "logit_bias", /can't be translated/],
  [{ ...plain, temperature: 7 }, "temperature", /7/],
  [{ ...plain, max_tokens: 0 }, "max_tokens", /0/],
  [{ ...plain, stop: ["1", "2", "3", "4", "5"] }, "stop", /at most 4 texts, and has 5/],
  [{ ...plain, stream: "yes" }, "stream", /true or false/],
  [{ ...plain, odd: 1 }, "odd", /can't be translated/],
];

test("what can't be translated is refused by name", () => {
  for (const [body, field, said] of refused)
    assert.throws(
      () => read(body),
      (error) => {
        assert.ok(isApiError(error) && error.kind === "invalid-request", String(error));
        const issue = error.details.issues?.find((one) => one.field === field);
        assert.match(issue?.message ?? "", said);
        return true;
      },
    );
});

const part = fc.record({ index: fc.nat({ max: 2 }), text: fc.string({ unit: "binary", maxLength: 8 }) });

test("streamed and whole answers have the same text, whatever the pieces", () => {
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 30 }), fc.boolean(), (parts, echo) => {
      const expected = new Map<number, string>();
      for (const { index, text } of parts)
        expected.set(index, (expected.get(index) ?? (echo ? "Once" : "")) + text);
      const chunks = [
        ...parts.map(({ index, text }) => chunk(index, { content: text, reasoning_content: "no" })),
        ...[...expected.keys()].map((index) => chunk(index, {}, "length")),
      ];
      const streamed = new Map<number, string>();
      const writer = read({ ...plain, echo, stream: true }).openWriter();
      const events = [...writer.begin(), ...chunks.flatMap((one) => writer.add(one)), ...writer.end("done")];
      assert.equal(events.pop()?.data, "[DONE]");
      for (const { data } of events)
        for (const { index, text } of (JSON.parse(data) as OpenAI.Completion).choices)
          streamed.set(index, (streamed.get(index) ?? "") + text);
      assert.deepEqual(streamed, expected);

      const joined = read({ ...plain, echo }).openWriter();
      for (const one of chunks) joined.add(one);
      joined.end("done");
      const whole = joined.whole() as OpenAI.Completion;
      assert.deepEqual(new Map(whole.choices.map(({ index, text }) => [index, text])), expected);
      assert.ok(whole.choices.every(({ finish_reason: reason }) => reason === "length"));
      assert.deepEqual([whole.object, whole.id, whole.created], ["text_completion", "c", 7]);
    }),
    { numRuns: randomCases(300) },
  );
});

test("the chances of tokens are four lists, with the place of each token", () => {
  const chance = (token: string) => ({ token, logprob: -1, top_logprobs: [{ token: "x", logprob: -2 }] });
  const writer = read({ ...plain, logprobs: 1 }).openWriter();
  writer.add(chunk(0, { content: "a bc" }, null, { content: [chance("a"), chance(" bc")] }));
  writer.add(chunk(0, { content: "d" }, "stop", { content: [chance("d"), { token: 5 }] }));
  writer.end("done");
  const [choice] = (writer.whole() as OpenAI.Completion).choices;
  assert.deepEqual(choice?.logprobs, {
    tokens: ["a", " bc", "d"],
    token_logprobs: [-1, -1, -1],
    top_logprobs: [{ x: -2 }, { x: -2 }, { x: -2 }],
    text_offset: [0, 1, 4],
  });
});

test("an answer that was cut off, and one that failed, end with an error", () => {
  const writer = read({ ...plain, stream: true }).openWriter();
  assert.match(writer.end("truncated")[0]?.data ?? "", /before it was complete/);
  assert.match(writer.fail({ status: 500, sentence: "It broke." })[0]?.data ?? "", /It broke\./);
});
