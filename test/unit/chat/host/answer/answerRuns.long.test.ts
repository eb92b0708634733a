// Answers with very many small members: linear work, and bounded storage.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { mostDetails } from "../../../../../src/api/stream/chatAnswer.ts";
import { mostCalls } from "../../../../../src/api/stream/toolCallMerger.ts";
import { askForAnswer } from "../../../../../src/chat/host/answer/answerStream.ts";
import { emptyState } from "../../../../../src/chat/host/start/emptyState.ts";
import type { ModelToolCall } from "../../../../../src/chat/host/tools/tool.ts";
import { createViewLink } from "../../../../../src/chat/host/view/viewLink.ts";
import type { AnswerPatch } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { ToView } from "../../../../../src/chat/protocol/chatProtocol.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { question } from "../../../api/client.ts";

interface Received {
  readonly patches: readonly AnswerPatch[];
  readonly calls: readonly ModelToolCall[];
  readonly notes: readonly string[];
}

/** Receives chunks one by one. */
async function handle(chunks: Iterable<object>): Promise<Received> {
  const stream = {
    end: "done",
    async *batches() {
      for (const chunk of chunks) yield [ChatChunk.parse(chunk)];
    },
  };
  const client = { api: { chat: { stream: async () => stream } } } as unknown as Client;
  const patches: AnswerPatch[] = [];
  const calls: ModelToolCall[] = [];
  await askForAnswer(client, question, new AbortController().signal, {
    onTextWasReasoning() {},
    onText() {},
    onPatch: (_, patch) => void patches.push(patch),
    onCalls: (_, asked) => void calls.push(...asked),
  });
  return { patches, calls, notes: patches.findLast(({ notes }) => notes)?.notes ?? [] };
}

function* chunksOf(count: number, delta: object, logprobs?: object): Generator<object> {
  for (let made = 0; made < count; made++) yield { choices: [{ index: 0, delta, logprobs }] };
}

/** Array elements that are read during `work`: copying a list reads it. */
async function walkedBy(work: () => Promise<unknown>): Promise<number> {
  const prototype = Object.getPrototypeOf([][Symbol.iterator]());
  const { next } = prototype;
  let steps = 0;
  prototype.next = function count(this: Iterator<unknown>) {
    steps += 1;
    return next.call(this);
  };
  try {
    await work();
  } finally {
    prototype.next = next;
  }
  return steps;
}

const chance = { token: "a", logprob: -1, top_logprobs: [{ token: "b", logprob: -2 }] };
const fragment = { index: 0, id: "c", function: { name: "", arguments: "x" }, extra_content: { a: 1 } };
const kinds: Readonly<Record<string, readonly [delta: object, logprobs?: object]>> = {
  reasoning_details: [{ reasoning_details: [{ type: "reasoning.text", text: "hm" }] }],
  logprobs: [{ content: "a" }, { content: [chance] }],
  "logprobs beside calls": [{ tool_calls: [fragment] }, { content: [chance] }],
  tool_calls: [{ tool_calls: [fragment] }],
  "tool_calls without an index": [{ tool_calls: [{ ...fragment, index: null }] }],
};

for (const [name, [delta, logprobs]] of Object.entries(kinds)) {
  test(`the work for ${name} grows linearly with their number`, async () => {
    const walked = (count: number) => walkedBy(() => handle(chunksOf(count, delta, logprobs)));
    const [once, twice, fourTimes] = [await walked(500), await walked(1000), await walked(2000)];
    assert.ok(once > 500, `${once} steps: nothing was counted`);
    assert.ok(twice < once * 2.1, `${once} steps become ${twice}`);
    assert.ok(fourTimes < twice * 2.1, `${twice} steps become ${fourTimes}`);
  });
}

test("reasoning details are kept completely, or not at all above a limit, which is reported", async () => {
  const detail = { type: "reasoning.encrypted", data: "x".repeat(1024 * 1024) };
  const some = await handle(chunksOf(7, { reasoning_details: [detail] }));
  const stored = some.patches.find(({ echo }) => echo)?.echo?.reasoning_details;
  assert.deepEqual(stored, Array(7).fill(detail));
  assert.deepEqual(some.notes, []);
  const many = await handle(chunksOf(mostDetails / 1024 / 1024, { reasoning_details: [detail] }));
  assert.equal(
    many.patches.find((patch) => patch.echo),
    undefined,
  );
  assert.deepEqual(many.notes, ["The data of its reasoning is too large to be sent with the next question."]);
});

test("call members above the limit for echoing are omitted, which is reported", async () => {
  const extra_content = { data: "x".repeat(mostDetails) };
  const { calls, notes } = await handle(chunksOf(1, { tool_calls: [{ ...fragment, extra_content }] }));
  assert.equal(calls.length, 1);
  assert.equal(calls[0]?.echo, undefined);
  assert.equal(notes.length, 1);
});

test("token probabilities are kept up to a limit, which is reported", async () => {
  const top_logprobs = Array.from({ length: 19 }, (_, at) => ({ token: `t${at}`, logprob: -at }));
  const all = { content: Array.from({ length: 6000 }, () => ({ token: "a", logprob: -1, top_logprobs })) };
  const { patches, notes } = await handle(chunksOf(1, { content: "a" }, all));
  assert.equal(patches.find(({ tokens }) => tokens)?.tokens?.length, 5000);
  assert.deepEqual(notes, ["The token probabilities are those of the first 5000 tokens."]);
  const few = await handle(chunksOf(40_000, { content: "a" }, { content: [{ token: "a", logprob: -1 }] }));
  assert.equal(few.patches.find(({ tokens }) => tokens)?.tokens?.length, 40_000);
  assert.deepEqual(few.notes, []);
  const prompt_logprobs = Array.from({ length: 100_001 }, () => ({ token: "a", logprob: -1 }));
  const [first, ...rest] = chunksOf(1, { content: "a" });
  const long = await handle([{ ...first, prompt_logprobs } as typeof first & object, ...rest]);
  assert.deepEqual(long.notes, ["The probabilities of the prompt are those of its first 100000 tokens."]);
});

test("calls above the maximum number are omitted, which is reported", async () => {
  const tool_calls = Array.from({ length: mostCalls + 1 }, (_, index) => ({
    ...fragment,
    index,
    id: `${index}`,
  }));
  const { calls, notes } = await handle(chunksOf(1, { tool_calls }));
  assert.equal(calls.length, mostCalls);
  assert.deepEqual(notes, [`It asked for more than ${mostCalls} calls. The others were dropped.`]);
});

test("data that is only echoed to the service is not sent to the page", () => {
  const echo = { reasoning_details: [{ data: "a megabyte" }] };
  const call = { id: "c", name: "n", title: "", says: "", arguments: "{}", state: "done" as const, echo };
  const answer = {
    ...{ role: "assistant" as const, id: "a", model: "m", text: "", reasoning: "", state: "done" as const },
    ...{ startedAtMs: 0, timing: {}, echo, calls: [call] },
  };
  const posted: ToView[] = [];
  const link = createViewLink(
    (message) => void posted.push(message),
    () => ({ ...emptyState, messages: [answer], beside: [answer] }),
  );
  link.hydrate();
  link.push(
    [
      { op: "message", message: answer },
      { op: "beside", message: answer },
      { op: "earlier", messages: [answer], earlierCount: 0 },
      { op: "patch", id: "a", patch: { echo, calls: [call] } },
    ],
    true,
  );
  link.pause();
  assert.equal(posted.length, 2);
  assert.doesNotMatch(JSON.stringify(posted), /megabyte|echo/);
  assert.match(JSON.stringify(posted[1]), /"calls":\[\{"id":"c"/);
});
