// Log probabilities of the prompt, in the shapes in which services send them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { TokenChances } from "../../../../../src/chat/host/answer/tokenChances.ts";

function promptOf(...values: readonly unknown[]) {
  const chances = new TokenChances();
  chances.add(values.map((prompt_logprobs) => ChatChunk.parse({ choices: [], prompt_logprobs })));
  return chances.prompt;
}

test("an entry of candidates by id is the token with its alternatives; the first token has none", () => {
  const prompt = promptOf(null, [
    null,
    { 11: { logprob: -0.5, rank: 1, decoded_token: " on" } },
    {
      7: { logprob: -4, rank: 9, decoded_token: " rare" },
      9: { logprob: -0.1, rank: 1, decoded_token: " usual" },
    },
    { 3: { logprob: -0.1, rank: 1, decoded_token: null } },
  ]);
  assert.deepEqual(prompt?.tokens, [
    { token: " on", logprob: -0.5, others: [] },
    { token: " rare", logprob: -4, others: [{ token: " usual", logprob: -0.1 }] },
    { token: "#3", logprob: -0.1, others: [] },
  ]);
});

test("entries of the shape of logprobs are read, too; anything else is left out", () => {
  const own = { token: "a", logprob: -1 };
  assert.deepEqual(promptOf({ content: [{ ...own, top_logprobs: [own] }] })?.tokens, [
    { ...own, others: [] },
  ]);
  assert.deepEqual(promptOf([own, 3, "x", { 1: { logprob: null } }, [own]])?.tokens, [
    { ...own, others: [] },
  ]);
  for (const odd of [null, undefined, 1, "x", [], {}, [null], { content: 1 }])
    assert.equal(promptOf(odd), undefined);
});

test("the first list counts, up to a limit", () => {
  const many = Array.from({ length: 150_000 }, () => ({ token: "a", logprob: -1 }));
  const prompt = promptOf(many, [{ token: "b", logprob: -1 }]);
  assert.deepEqual([prompt?.tokens.length, prompt?.isCut], [100_000, true]);
});
