// What a service says about an answer beside its text, in whatever chunks it comes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { askForAnswer } from "../../../../../src/chat/host/answer/answerStream.ts";
import type { AnswerPatch } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { beginEvents, frame } from "../../../../loopback/answers.ts";
import { clientOf, question, serve } from "../../../api/client.ts";

type Chunk = Readonly<Record<string, unknown>>;
const head = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1_790_000_000,
  model: "big-model",
};
const text = (content: string, more: Chunk = {}) => ({
  ...head,
  choices: [{ index: 0, delta: { content }, finish_reason: null, ...more }],
});
const tail = (more: Chunk) => ({ ...head, choices: [], ...more });

/** The answer with all patches that these chunks lead to. */
async function answerOf(t: Parameters<typeof serve>[0], chunks: readonly Chunk[]) {
  const server = await serve(t, (_, response) => {
    response.setHeader("x-request-id", "req-77");
    beginEvents(response, ...chunks);
    response.end(frame("[DONE]"));
  });
  const { api, events } = clientOf(t, server.origin);
  const answer: Record<string, unknown> = {};
  const onPatch = (_: number | undefined, patch: AnswerPatch) => Object.assign(answer, patch);
  const nothing = () => {};
  await askForAnswer({ api } as unknown as Client, question, new AbortController().signal, {
    onPatch,
    onText: nothing,
    onTextWasReasoning: nothing,
    onCalls: nothing,
  });
  return { answer: answer as AnswerPatch, charges: events.filter(({ type }) => type === "charged") };
}

test("the model that answered, the ids, the time and the effective switches are kept", async (t) => {
  const { answer } = await answerOf(t, [
    text("Hello"),
    text("", { finish_reason: "stop", stop_reason: "###" }),
    tail({
      service_parameters: { enable_web_search: "on", include_venice_system_prompt: false, character: null },
    }),
  ]);
  assert.deepEqual(answer.reply, {
    requestId: "req-77",
    model: "big-model",
    id: "chatcmpl-1",
    createdAtMs: 1_790_000_000_000,
    switches: { enable_web_search: "on", include_venice_system_prompt: "false" },
  });
  assert.deepEqual([answer.finishReason, answer.stopReason], ["stop", '"###"']);
});

test("what a service says there is bounded, and on one line", async (t) => {
  const many = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [`switch${index}`, "x\n".repeat(1000)]),
  );
  const { answer } = await answerOf(t, [
    { ...text("a"), model: `m\n${"m".repeat(9000)}`, created: 1e300 },
    text("", { stop_reason: 13 }),
    tail({ service_parameters: many, created: 1e300 }),
  ]);
  assert.equal(Object.keys(answer.reply?.switches ?? {}).length, 24);
  assert.ok(JSON.stringify(answer.reply).length < 24 * 450 + 1000, `${JSON.stringify(answer.reply).length}`);
  assert.doesNotMatch(JSON.stringify(answer.reply), /\\n/);
  assert.equal(answer.reply?.createdAtMs, undefined);
  assert.equal(answer.stopReason, "13");
});

test("sources of all chunks are kept, whatever a later one lacks", async (t) => {
  const source = (name: string) => ({ url: `https://${name}.example/`, title: name });
  const { answer } = await answerOf(t, [
    tail({ service_parameters: { web_search_citations: [source("a"), source("b")] } }),
    text("Hello"),
    tail({ search_results: [source("c")] }),
    tail({ service_parameters: { enable_web_search: "on" } }),
    tail({ service_parameters: { web_search_citations: [] } }),
  ]);
  assert.deepEqual(
    answer.sources?.map(({ url }) => url),
    ["https://a.example/", "https://b.example/", "https://c.example/"],
  );
});

const usage = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
const orders: readonly (readonly Chunk[])[] = [
  [{ usage }, { cost: { usd: 0.25 } }],
  [{ cost: { usd: 0.25 } }, { usage }],
  [{ usage, cost: { usd: 0.25 } }],
  [{ usage, cost: { usd: 0.25 } }, { usage }],
];

for (const order of orders)
  test(`usage and cost in ${order.map((one) => Object.keys(one).join(" and ")).join(", then ")} are one charge`, async (t) => {
    const { answer, charges } = await answerOf(t, [text("Hello"), ...order.map(tail)]);
    assert.deepEqual(
      [answer.usage?.promptTokens, answer.usage?.completionTokens, answer.usage?.costUsd],
      [3, 5, 0.25],
    );
    assert.equal(charges.length, 1);
    assert.match(JSON.stringify(charges), /0\.25/);
  });
