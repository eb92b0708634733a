// What a chat model answered and was told comes back to it as it was, through the items of the Responses format.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { createResponsesFormat } from "../../../../../src/gateway/formats/responses/responsesFormat.ts";
import type { Members } from "../../../../../src/shared/members.ts";
import { randomCases } from "../../../../runner/cases.ts";

let ids = 0;
const context = { client: "a", now: () => 0, newId: (prefix: string) => `${prefix}${++ids}` };

const tools = [
  { type: "function", name: "read" },
  { type: "custom", name: "patch" },
  { type: "tool_search", execution: "client", description: "Finds tools.", parameters: { type: "object" } },
  { type: "namespace", name: "mail", tools: [{ type: "function", name: "send" }] },
];
/** The same tools in the chat route. */
const flatNames = ["read", "patch", "tool_search", "mail__send"];

interface Call {
  readonly id: string;
  readonly name: string;
  readonly text: string;
  readonly extras: Members;
}
interface Answer {
  readonly content: string | undefined;
  readonly reasoning: string | undefined;
  readonly details: readonly unknown[];
  readonly signature: unknown;
  readonly isEncrypted: boolean | undefined;
  readonly calls: readonly Call[];
  /** Where the texts are cut, and what comes before what. */
  readonly size: number;
  readonly isLate: boolean;
}

const words = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, maxLength: 30, unit: "binary" }) },
  fc.constantFrom("\0", "\ud83d", "\ude00b", "\u2028", '"\\'),
);
const extra = fc.constantFrom(
  {},
  { extra_content: { google: { thought_signature: "s" } } },
  { odd: [1, null] },
);
const call = fc.record({
  name: fc.constantFrom(...flatNames),
  input: words,
  note: fc.constantFrom("", "more"),
  extras: extra,
});
const answer = fc.record({
  content: fc.option(words, { nil: undefined }),
  reasoning: fc.option(words, { nil: undefined }),
  details: fc.array(
    words.map((data) => ({ type: "reasoning.text", data })),
    { maxLength: 3 },
  ),
  signature: fc.constantFrom(undefined, "sig", { a: 1 }),
  isEncrypted: fc.constantFrom(undefined, true, false),
  calls: fc.array(call, { maxLength: 3 }),
  size: fc.integer({ min: 1, max: 12 }),
  isLate: fc.boolean(),
});
/** A picture as an item has it, and as the chat route has it. */
const image = { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" };
const chatImage = { type: "image_url", image_url: { url: image.image_url } };
const turn = fc.record({
  question: words,
  hasPicture: fc.boolean(),
  showsPicture: fc.boolean(),
  answers: fc.array(answer, { minLength: 1, maxLength: 3 }),
  output: words,
});
const conversation = fc.record({
  instructions: fc.option(words, { nil: undefined }),
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
  isStreamed: fc.boolean(),
  isStored: fc.boolean(),
});

type Made = (typeof answer extends fc.Arbitrary<infer Value> ? Value : never) & {};

/** The calls with ids, and arguments as a model writes them. */
function withIds({ calls, ...others }: Made, seed: string): Answer {
  const made = calls.map(({ name, input, note, extras }, index) => ({
    id: `call_${seed}_${index}`,
    name,
    // White space of the model's, too.
    text: JSON.stringify(note ? { input, note } : { input }, null, note ? 1 : 0),
    extras,
  }));
  return { ...others, calls: made };
}

const pieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );

function chunksOf({ content, reasoning, details, signature, isEncrypted, calls, size, isLate }: Answer) {
  const thoughts = [
    ...pieces(reasoning ?? "", size).map((text) => ({ reasoning_content: text })),
    ...details.map((detail) => ({ reasoning_details: [detail] })),
  ];
  const marks = [
    ...(signature === undefined ? [] : [{ thought_signature: signature }]),
    ...(isEncrypted === undefined ? [] : [{ reasoning_encrypted: isEncrypted }]),
  ];
  const said = pieces(content ?? "", size).map((text) => ({ content: text }));
  const made = calls.flatMap(({ id, name, text, extras }, index) =>
    pieces(text, size).map((piece, position) => ({
      tool_calls: [
        position === 0
          ? { index, id, type: "function", function: { name, arguments: piece }, ...extras }
          : { index, function: { arguments: piece } },
      ],
    })),
  );
  const deltas = isLate
    ? [...said, ...thoughts, ...made, ...marks]
    : [...marks, ...thoughts, ...said, ...made];
  const reason = calls.length > 0 ? "tool_calls" : "stop";
  return [...deltas, {}].map((delta, index) =>
    ChatChunk.parse({
      choices: [{ index: 0, delta, finish_reason: index === deltas.length ? reason : null }],
    }),
  );
}

/** The message that the chat route should get back. */
function messageOf({ content, reasoning, details, signature, isEncrypted, calls }: Answer): Members {
  return {
    role: "assistant",
    ...(content !== undefined ? { content } : calls.length === 0 ? { content: "" } : {}),
    ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(signature === undefined ? {} : { thought_signature: signature }),
    ...(isEncrypted === undefined ? {} : { reasoning_encrypted: isEncrypted }),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id, name, text, extras }) => ({
            ...extras,
            id,
            type: "function",
            function: { name, arguments: text },
          })),
        }
      : {}),
  };
}

/** An answer without anything has no items, and can't come back. */
const isEmpty = ({ content, reasoning, details, signature, isEncrypted, calls }: Answer) =>
  content === undefined &&
  reasoning === undefined &&
  details.length === 0 &&
  signature === undefined &&
  isEncrypted === undefined &&
  calls.length === 0;

/** A client's conversation with the format, and what the chat route should get of it. */
class Dialogue {
  readonly #format = createResponsesFormat();
  readonly #head: Members;
  readonly #isStored: boolean;
  readonly #sent: unknown[] = [];
  readonly #shown: unknown[] = [];
  readonly #expected: unknown[] = [];
  #pending: unknown[] = [];
  #previous: string | undefined;

  constructor(head: Members, isStored: boolean) {
    this.#head = head;
    this.#isStored = isStored;
    if (head.instructions) this.#expected.push({ role: "system", content: head.instructions });
  }

  say(role: string, text: string, hasPicture = false): void {
    this.#endOutputs();
    const parts = [{ type: "input_text", text }, image];
    this.#pending.push({ role, content: hasPicture ? parts : text });
    this.#expected.push({ role, content: hasPicture ? [{ type: "text", text }, chatImage] : text });
  }

  /** Pictures of tools follow all outputs, in a message of the user. */
  #endOutputs(): void {
    if (this.#shown.length > 0) this.#expected.push({ role: "user", content: this.#shown.splice(0) });
  }

  ask(made: Answer): void {
    this.#endOutputs();
    this.#sent.push(...this.#pending);
    const turn =
      this.#isStored && this.#previous !== undefined
        ? { input: this.#pending, previous_response_id: this.#previous }
        : { input: this.#sent, store: this.#isStored };
    // As it comes from the wire.
    const body = JSON.parse(JSON.stringify({ ...this.#head, ...turn }));
    const { request, openWriter } = this.#format.read(body, context);
    assert.deepEqual(ChatRequest.parse(request).messages, this.#expected);
    this.#pending = [];
    const writer = openWriter();
    writer.begin();
    for (const chunk of chunksOf(made)) writer.add(chunk);
    writer.end("done");
    const { id, output } = writer.whole() as { readonly id: string; readonly output: readonly unknown[] };
    this.#previous = id;
    this.#sent.push(...output);
    if (!isEmpty(made)) this.#expected.push(messageOf(made));
  }

  tell({ id, name }: Call, output: string, showsPicture: boolean): void {
    const type = name === "patch" ? "custom_tool_call_output" : "function_call_output";
    const found = { type: "tool_search_output", execution: "client", call_id: id, tools: [] };
    const isSearch = name === "tool_search";
    const shown = showsPicture ? [{ type: "input_text", text: output }, image] : output;
    this.#pending.push(isSearch ? found : { type, call_id: id, output: shown });
    if (showsPicture && !isSearch) this.#shown.push(chatImage);
    const content = isSearch ? "No tool was found." : output;
    this.#expected.push({ role: "tool", tool_call_id: id, content });
  }

  get hasNothingToSay(): boolean {
    return this.#pending.length === 0;
  }
}

test("random conversations come back to the chat route as they were answered, kept by the client or by the store", () => {
  fc.assert(
    fc.property(conversation, ({ instructions, turns, isStreamed, isStored }) => {
      const head = { model: "m", tools, stream: isStreamed, ...(instructions ? { instructions } : {}) };
      const dialogue = new Dialogue(head, isStored);
      for (const [place, { question, hasPicture, answers, output, showsPicture }] of turns.entries()) {
        dialogue.say("user", question, hasPicture);
        for (const [index, one] of answers.entries()) {
          const made = withIds(one, `${place}_${index}`);
          // Items do not say where an answer ends, so that two of them need something between.
          if (dialogue.hasNothingToSay) dialogue.say("developer", "go on");
          dialogue.ask(made);
          for (const call of made.calls) dialogue.tell(call, output, showsPicture);
        }
      }
    }),
    { numRuns: randomCases(1000) },
  );
});

test("members of a call that came back never replace its name, id or arguments", () => {
  const token = {
    echo: {},
    calls: [
      {
        id: "c1",
        members: { id: "x", type: "custom", custom: {}, kept: 1 },
        function: { name: "y", arguments: "z", also: 2 },
      },
    ],
  };
  const encrypted = `iw1.${Buffer.from(JSON.stringify(token)).toString("base64url")}`;
  const input = [
    { type: "function_call", call_id: "c1", name: "read", arguments: "{}" },
    { type: "reasoning", summary: [], encrypted_content: encrypted },
  ];
  const [message] = createResponsesFormat().read({ model: "m", input }, context).request.messages;
  assert.ok(message?.role === "assistant");
  assert.deepEqual(message.tool_calls, [
    { kept: 1, id: "c1", type: "function", function: { also: 2, name: "read", arguments: "{}" } },
  ]);
});
