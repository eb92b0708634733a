// Streams of chunks as services of this kind may send them: all text is read, and the answer can be sent again.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { dialects } from "../../../../../src/api/dialect/dialect.ts";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { toChatRequest } from "../../../../../src/chat/host/answer/answerRequest.ts";
import { askForAnswer } from "../../../../../src/chat/host/answer/answerStream.ts";
import { toTreeNodes } from "../../../../../src/chat/host/history/log/conversation.ts";
import type { ModelToolCall } from "../../../../../src/chat/host/tools/tool.ts";
import type { AnswerMessage, Message } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { Client } from "../../../../../src/session/session.ts";
import { sentToolArguments } from "../../../../../src/shared/chat/toolArguments.ts";
import { beginEvents } from "../../../../loopback/answers.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { clientOf, question, serve } from "../../../api/client.ts";

type Members = Readonly<Record<string, unknown>>;

/** Names that have a meaning at one level: at the others they are unknown. */
const known = new Set([
  ...["choices", "error", "message", "code", "status", "type", "object", "delta", "index", "content", "role"],
  ...["reasoning_content", "refusal", "reasoning_encrypted", "reasoning_details", "thought_signature"],
  ...["tool_calls", "function", "custom", "id", "name", "arguments", "input", "finish_reason", "logprobs"],
  ...["usage", "cost", "service_parameters", "venice_parameters", "search_results", "model", "created"],
]);
/** Like JSON: without -0. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const unknown = fc.dictionary(
  fc.oneof(fc.constantFrom("constructor", "toString", "annotations", "x"), fc.string()),
  json,
  { maxKeys: 2, noNullPrototype: true },
);
const others = unknown.map((members) =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !known.has(name) && name !== "__proto__")),
);
/** Any of these members may be missing, null, or any value. */
const beside = (...names: readonly string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, json])), {
    requiredKeys: [],
    noNullPrototype: true,
  }) as fc.Arbitrary<Members>;

const words = fc.string({ unit: "grapheme", minLength: 1, maxLength: 12 });
const inParts = (text: string, more: Members) => [
  { type: "text", text, ...more },
  { type: "image_url" },
  text,
  null,
];
interface Piece {
  readonly part: "text" | "reasoning" | "refusal" | "none";
  readonly text: string;
  readonly delta: Members | null | undefined;
}
const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc.record({ part: fc.constant("text" as const), text: words }).map((said) => ({
    ...said,
    delta: { content: said.text },
  })),
  fc
    .record({ part: fc.constant("text" as const), text: words, more: others })
    .map(({ part, text, more }) => ({
      part,
      text: text + text,
      delta: { content: inParts(text, more) },
    })),
  fc.record({ part: fc.constant("reasoning" as const), text: words }).map((said) => ({
    ...said,
    delta: { content: null, reasoning_content: said.text },
  })),
  fc.record({ part: fc.constant("refusal" as const), text: words }).map((said) => ({
    ...said,
    delta: { refusal: said.text, tool_calls: null },
  })),
  fc.record({ part: fc.constant("none" as const), text: fc.constant(""), delta: deltas() }),
);

/** Deltas without text whose members must be echoed. */
function deltas(): fc.Arbitrary<Members | null | undefined> {
  const carried = fc.record(
    { reasoning_details: fc.array(json, { maxLength: 3 }), thought_signature: json },
    { requiredKeys: [], noNullPrototype: true },
  );
  return fc.oneof(fc.constantFrom(null, undefined, {}), carried);
}

interface SentCall {
  readonly name: string;
  readonly text: string;
  readonly isCustom: boolean;
  readonly extra: Members;
  readonly within: Members;
}
/** Members with content: null and the empty text have none. */
const telling = others.map((members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== "")),
);
const calls: fc.Arbitrary<readonly SentCall[]> = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,8}$/),
    text: fc.string({ unit: "grapheme", maxLength: 10 }),
    isCustom: fc.boolean(),
    extra: fc
      .tuple(telling, words)
      .map(([more, signature]) => ({ ...more, extra_content: { google: { thought_signature: signature } } })),
    within: telling,
  }),
  { maxLength: 3 },
);

/** A call in two fragments: the second has only the rest of its text. */
function fragments(sent: SentCall, index: number): Members[] {
  const { name, text, isCustom, extra, within } = sent;
  const [member, input] = isCustom ? ["custom", "input"] : ["function", "arguments"];
  const cut = text.length >> 1;
  const first = { [member as string]: { ...within, name, [input as string]: text.slice(0, cut) } };
  const rest = { [member as string]: { [input as string]: text.slice(cut) } };
  const type = isCustom ? "custom" : "function";
  return [
    { index, id: `call ${index}`, type, ...extra, ...first },
    { index, id: null, type: null, ...rest },
  ];
}

const stream = fc.record({
  pieces: fc.array(fc.record({ piece, chunk: besideChunk(), choice: besideChoice(), delta: others }), {
    maxLength: 12,
  }),
  calls,
  end: fc.constantFrom(
    { choices: [{ index: 0, finish_reason: "stop" }] },
    { choices: null, usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: null } },
    { choices: [null] },
    {},
  ),
});

function besideChunk() {
  const names = ["id", "object", "created", "model", "usage", "cost", "service_parameters", "search_results"];
  return fc.tuple(beside(...names), others).map(([one, other]) => ({ ...one, ...other }));
}

function besideChoice() {
  return fc
    .tuple(beside("finish_reason", "logprobs", "stop_reason"), others)
    .map(([a, b]) => ({ ...a, ...b }));
}

type Stream = typeof stream extends fc.Arbitrary<infer Value> ? Value : never;

function eventsOf({ pieces, calls: sent, end }: Stream): Members[] {
  const said = pieces.map(({ piece: { delta: own }, chunk, choice, delta }) => ({
    ...chunk,
    choices: [{ index: 0, ...choice, delta: own && { ...delta, ...own } }],
  }));
  const called = sent
    .flatMap(fragments)
    .map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] }));
  return [...said, ...called, end];
}

interface Received {
  readonly answer: AnswerMessage;
  readonly calls: readonly ModelToolCall[];
}

/** The answer as the chat stores it. */
async function handle(client: Client): Promise<Received> {
  let answer: AnswerMessage = {
    role: "assistant",
    id: "a",
    model: "m",
    text: "",
    reasoning: "",
    state: "done",
    startedAtMs: 0,
    timing: {},
  };
  let asked: readonly ModelToolCall[] = [];
  const end = await askForAnswer(client, question, new AbortController().signal, {
    onText: (_, part, text) => {
      answer = { ...answer, [part]: answer[part] + text };
    },
    onTextWasReasoning: () => assert.fail("there are no tags"),
    onPatch: (_, patch) => {
      answer = { ...answer, ...patch };
    },
    onCalls: (_, more) => {
      asked = more;
    },
  });
  assert.equal(end, "done");
  return { answer, calls: asked };
}

/** The next request, as JSON. */
function nextRequest(answer: AnswerMessage): ChatRequest {
  const path: Message[] = [
    { role: "user", id: "q", text: "?" },
    answer,
    { role: "user", id: "r", text: "And then?" },
  ];
  const request = toChatRequest({
    model: "m",
    card: undefined,
    path,
    parts: new Map(),
    settings: {},
    tools: [],
    choices: 1,
    cacheKey: "c",
  });
  return JSON.parse(JSON.stringify(request));
}

function assertSendable(request: ChatRequest): void {
  const read = ChatRequest.safeParse(request);
  assert.ok(read.success, JSON.stringify(read.error?.issues));
  for (const { id, rules } of Object.values(dialects)) {
    const narrower = rules["POST /chat/completions"]?.safeParse(read.data);
    assert.ok(narrower?.success, `${id}: ${narrower?.error}`);
  }
}

function withResults(answer: AnswerMessage, asked: readonly ModelToolCall[]): AnswerMessage {
  const cards = asked.map((call) => ({ ...call, title: "", says: "", state: "done" as const, result: "" }));
  return cards.length === 0 ? answer : { ...answer, calls: cards };
}

test("no text of the answer is lost among any other members, and the answer can be sent again", async (t) => {
  let events: readonly unknown[] = [];
  const server = await serve(t, (_, response) => {
    beginEvents(response, ...events, "[DONE]");
    response.end();
  });
  const client = { api: clientOf(t, server.origin).api } as unknown as Client;
  await fc.assert(
    fc.asyncProperty(stream, async (sent) => {
      events = eventsOf(sent);
      const received = await handle(client);
      const answer = withResults(received.answer, received.calls);
      assertReceived(sent, received);
      // Also from disk.
      const [stored] = toTreeNodes([JSON.parse(JSON.stringify({ ...answer, parentId: null }))]);
      assert.deepEqual({ ...stored }, { ...JSON.parse(JSON.stringify(answer)), parentId: null });
      const request = nextRequest(stored as unknown as AnswerMessage);
      assertSendable(request);
      const back = request.messages.find(({ role }) => role === "assistant");
      const returned = (back && "tool_calls" in back && back.tool_calls) || [];
      assert.deepEqual(returned, sent.calls.map(asItCame));
    }),
    { numRuns: randomCases(300) },
  );
});

function assertReceived({ pieces }: Stream, { answer }: Received): void {
  const said = pieces.map(({ piece: { part, text } }) => ({ part, text }));
  const first = said.findIndex(({ part }) => part === "refusal");
  const isSpoken = said.slice(0, Math.max(0, first)).some(({ part }) => part === "text");
  const text = said.map((one, at) => {
    if (one.part !== "text" && one.part !== "refusal") return "";
    return at === first && isSpoken ? `\n\n${one.text}` : one.text;
  });
  assert.equal(answer.text, text.join(""));
  assert.equal(answer.reasoning, said.map((one) => (one.part === "reasoning" ? one.text : "")).join(""));
  assert.equal(answer.notes?.includes("The model refused to answer.") ?? false, first >= 0);
}

/** Arguments that are no JSON go back as JSON. */
function asItCame({ name, text, isCustom, extra, within }: SentCall, index: number): Members {
  const made = isCustom
    ? { type: "custom", custom: { ...within, name, input: text } }
    : { type: "function", function: { ...within, name, arguments: sentToolArguments(text) } };
  return { ...extra, id: `call ${index}`, ...made };
}

test("a stored answer with members that no request has can be sent", () => {
  const echo = { audio: { id: "x" }, refusal: "no", reasoning_details: "odd", reasoning_encrypted: 1 };
  const answer: AnswerMessage = {
    role: "assistant",
    id: "a",
    model: "m",
    text: "yes",
    reasoning: "",
    state: "done",
    startedAtMs: 0,
    timing: {},
    echo,
  };
  const request = nextRequest(answer);
  assertSendable(request);
  assert.deepEqual(request.messages[1], { role: "assistant", content: "yes" });
});
