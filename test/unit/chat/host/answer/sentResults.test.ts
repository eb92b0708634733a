import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { dueSummary, isNearlyFull, summarisedPath } from "../../../../../src/chat/host/answer/compaction.ts";
import { promptRoom } from "../../../../../src/chat/host/answer/promptRoom.ts";
import { sentResultTokens, withSentResults } from "../../../../../src/chat/host/answer/sentResults.ts";
import type { Message } from "../../../../../src/chat/protocol/chatMessages.ts";
import { estimateTokens } from "../../../../../src/shared/chat/tokenEstimate.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { answerWith } from "../../answerMessage.ts";

const resultsOf = (message: Message | undefined) =>
  (message?.role === "assistant" ? (message.calls ?? []) : []).map(({ result = "" }) => result);
const tokensOf = (message: Message) =>
  [message.text, ...resultsOf(message)].reduce((sum, text) => sum + estimateTokens(text), 0);
const round = (id: string, ...results: readonly string[]): Message =>
  answerWith(id, {
    calls: results.map((result, index) => ({
      ...{ id: `c${index}`, name: "read_file", title: "", says: "", arguments: "{}" },
      ...{ kind: "read" as const, state: "done" as const, result },
    })),
  });
const question: Message = { role: "user", id: "q", text: "Go" };
const next = answerWith("next");
const sizes = (contextTokens: number | undefined) => ({ contextTokens, fixed: 1000, tokensOf });
const isShrunk = (text: string) => text.startsWith("[This older result is left out to save context.");

test("older large results shrink to their handles before a task is summarised, those of the last rounds and small ones stay", () => {
  const path = Array.from({ length: 12 }, (_, index) =>
    round(`a${index}`, "A line of a file.\n".repeat(1000), "small"),
  );
  const sent = withSentResults([question, ...path, next], sizes(64_000));
  const rounds = sent.slice(1, -1);
  assert.ok(rounds.slice(0, 5).every((one) => isShrunk(resultsOf(one)[0] ?? "")));
  assert.ok(rounds.slice(-3).every((one) => !isShrunk(resultsOf(one)[0] ?? "")));
  assert.ok(rounds.every((one) => resultsOf(one)[1] === "small"));
  const whole = sent.reduce((sum, message) => sum + tokensOf(message), 1000);
  assert.ok(!isNearlyFull(whole, promptRoom(64_000) ?? 0), `${whole} tokens`);
  const [first] = resultsOf(rounds[0]);
  assert.match(first ?? "", /read_result \{"handle": "[0-9a-f]{8}"\} gives it again, as it was\.\]$/);
  const unbounded = withSentResults([question, ...path, next], sizes(undefined));
  assert.ok(
    unbounded.every((one) => !resultsOf(one).some(isShrunk)),
    "without a known context nothing shrinks",
  );
});

/** How often a task of 30 rounds with so many calls is summarised. Each of its requests must fit. */
function summariesOf(contextTokens: number, count: number): number {
  const fixed = 3_600;
  const room = promptRoom(contextTokens) ?? 0;
  const results = Array<string>(count).fill("some line\n".repeat(800));
  const path: Message[] = [question];
  const asSent = (messages: readonly Message[]) =>
    withSentResults(messages, { contextTokens, fixed, tokensOf });
  let summaries = 0;
  for (let index = 0; index < 30; index++) {
    const answer = answerWith(`a${index}`);
    const due = dueSummary([...path, answer], { room, fixed, tokensOf, asSent });
    const summary = due ? { summary: { ...due.summary, text: "What was done. ".repeat(100) } } : {};
    summaries += due ? 1 : 0;
    const sent = asSent(summarisedPath([...path, { ...answer, ...summary }]));
    const whole = sent.reduce((sum, message) => sum + tokensOf(message), fixed);
    assert.ok(whole <= room, `${whole} of ${room} tokens with ${count} calls in round ${index}`);
    path.push({ ...round(`a${index}`, ...results), ...summary } as Message);
  }
  return summaries;
}

test("a task whose rounds read much goes on in a small context without a summary in each round, and no request is too large", () => {
  const counts = [
    ...[1, 2, 3, 5].map((count) => [16_384, count] as const),
    ...[1, 3, 5, 8].map((count) => [32_768, count] as const),
    ...[8, 27].map((count) => [131_072, count] as const),
  ];
  for (const [contextTokens, count] of counts) {
    const summaries = summariesOf(contextTokens, count);
    assert.ok(summaries <= 3, `${summaries} summaries in 30 rounds of ${count} calls, ${contextTokens}`);
  }
});

test("results shrink in few steps, so most requests begin with the one before", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 1, maxLength: 3 }), {
        minLength: 1,
        maxLength: 60,
      }),
      fc.integer({ min: 8_000, max: 200_000 }),
      (rounds, contextTokens) => {
        const path = rounds.map((lines, index) =>
          round(`a${index}`, ...lines.map((count) => "some line\n".repeat(count))),
        );
        let before: readonly string[] = [];
        let [steps, freed] = [0, 0];
        for (const end of path.keys()) {
          const sent = withSentResults([question, ...path.slice(0, end), next], sizes(contextTokens));
          const texts = sent.map((message) => JSON.stringify(resultsOf(message))).slice(0, -1);
          const changed = before.filter((text, index) => text !== texts[index]);
          if (changed.length > 0) steps += 1;
          for (const text of changed) freed += estimateTokens(text);
          before = texts;
        }
        const step = (promptRoom(contextTokens) ?? 0) * 0.1;
        assert.ok(steps * step <= freed * 1.1, `${steps} steps freed ${freed} tokens`);
      },
    ),
    { numRuns: randomCases(150) },
  );
});

test("one result fills at most a fifth of a small context, and 8,000 tokens of a large one", () => {
  assert.equal(sentResultTokens(undefined), 8_000);
  assert.equal(sentResultTokens(200_000), 8_000);
  assert.equal(sentResultTokens(16_384), 2_457);
  assert.equal(sentResultTokens(4_096), 1_000);
  assert.deepEqual(
    [1, 2, 5, 27].map((count) => sentResultTokens(16_384, count)),
    [2_457, 2_457, 983, 300],
  );
  assert.equal(sentResultTokens(200_000, 8), 8_000);
  const [sent] = withSentResults([round("a", "word word word\n".repeat(4000))], sizes(16_384)).map(resultsOf);
  assert.ok(estimateTokens(sent?.[0] ?? "") < 2_600);
});
