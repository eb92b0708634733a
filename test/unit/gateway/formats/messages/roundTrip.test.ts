// Conversations of the chat route go through the format and back: what a model must get back is the same.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ChatChunk } from "../../../../../src/api/endpoints/chat/chatReply.ts";
import { ChatRequest } from "../../../../../src/api/endpoints/chat/chatRequest.ts";
import { messagesFormat } from "../../../../../src/gateway/formats/messages/messagesFormat.ts";
import { type Members, membersOf } from "../../../../../src/shared/members.ts";
import { randomCases } from "../../../../runner/cases.ts";
import { question, testContext } from "./scriptedChat.ts";

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ minLength: 1, unit: "grapheme" }) },
  fc.constantFrom("\0", "\ud83d", "\ude00b", "\u2028", '"\\'),
);
const point = { cache_control: { type: "ephemeral" } };
const data = "iVBORw0KGgo=";
const sentPicture = { type: "image", source: { type: "base64", media_type: "image/png", data } };
const chatPicture = { type: "image_url", image_url: { url: `data:image/png;base64,${data}` } };
/** What a user says: texts and pictures, with cache points. */
const asked = fc.array(fc.record({ words: fc.option(text, { nil: undefined }), isPoint: fc.boolean() }), {
  minLength: 1,
  maxLength: 3,
});
type Asked = typeof asked extends fc.Arbitrary<infer Value> ? Value : never;

function blocksOf(parts: Asked): Members[] {
  return parts.map(({ words, isPoint }) => ({
    ...(words === undefined ? sentPicture : { type: "text", text: words }),
    ...(isPoint ? point : {}),
  }));
}

/** The same in the chat route, where one plain text is no part. */
function contentIn(parts: Asked): unknown {
  const [first] = parts;
  if (parts.length === 1 && first?.words !== undefined && !first.isPoint) return first.words;
  return parts.map(({ words, isPoint }) => ({
    ...(words === undefined ? chatPicture : { type: "text", text: words }),
    ...(isPoint ? point : {}),
  }));
}

const result = fc.record({ said: fc.string(), hasPicture: fc.boolean(), isFailed: fc.boolean() });
const json = fc
  .dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 })
  .map((made) => JSON.stringify(made));
const id = fc.oneof(
  fc.stringMatching(/^call_[a-z0-9]{4,12}$/),
  fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
);
const call = fc.record(
  {
    id,
    name: fc.stringMatching(/^[a-z_]{1,20}$/),
    made: json,
    extra_content: fc.dictionary(fc.string({ minLength: 1 }), text, {
      minKeys: 1,
      maxKeys: 2,
      noNullPrototype: true,
    }),
    inner: fc.record({ thought_signature: text }),
  },
  { requiredKeys: ["id", "name", "made"] },
);
const reasoning = fc.record(
  {
    said: fc.array(text, { minLength: 1, maxLength: 3 }),
    details: fc.array(fc.dictionary(fc.string(), text, { minKeys: 1, maxKeys: 2, noNullPrototype: true }), {
      minLength: 1,
      maxLength: 3,
    }),
    signature: fc.oneof(text, fc.dictionary(fc.string(), text, { maxKeys: 2, noNullPrototype: true })),
    isEncrypted: fc.boolean(),
  },
  { requiredKeys: [] },
);
const answer = fc
  .record({
    said: fc.array(text, { minLength: 1, maxLength: 3 }),
    hasText: fc.boolean(),
    reasoning,
    calls: fc.uniqueArray(call, { maxLength: 3, selector: ({ id: unique }) => unique }),
    pieces: fc.integer({ min: 1, max: 4 }),
    isOneChunk: fc.boolean(),
    results: fc.array(result, { minLength: 3, maxLength: 3 }),
    instruction: fc.option(text, { nil: undefined }),
    isFollowed: fc.boolean(),
  })
  .map((made) => ({ ...made, hasText: made.hasText || made.calls.length === 0 }));
type Answer = typeof answer extends fc.Arbitrary<infer Value> ? Value : never;

/** The answer as the chat route streams it. */
function chunksOf({ said, hasText, reasoning: thought, calls, pieces }: Answer): Members[] {
  const encrypted = thought.isEncrypted === undefined ? {} : { reasoning_encrypted: thought.isEncrypted };
  const heads = calls.map(({ id: own, name, made, extra_content, inner }, index) => {
    const head = { index, id: own, type: "function", ...(extra_content ? { extra_content } : {}) };
    return { ...head, function: { name, ...inner, arguments: cut(made, pieces)[0] } };
  });
  const tails = Array.from({ length: pieces - 1 }, (_, piece) =>
    calls.map(({ made }, index) => ({ index, function: { arguments: cut(made, pieces)[piece + 1] } })),
  );
  return [
    ...(thought.said ?? []).map((words) => ({ reasoning_content: words, ...encrypted })),
    { ...encrypted, ...(thought.details ? { reasoning_details: thought.details } : {}) },
    ...(thought.signature === undefined ? [] : [{ thought_signature: thought.signature }]),
    ...(hasText ? said.map((words) => ({ content: words })) : []),
    ...(calls.length > 0 ? [{ tool_calls: heads }, ...tails.map((tool_calls) => ({ tool_calls }))] : []),
  ];
}

function cut(made: string, pieces: number): string[] {
  const size = Math.ceil(made.length / pieces);
  return Array.from({ length: pieces }, (_, piece) => made.slice(piece * size, (piece + 1) * size));
}

/** The same as one chunk, as a service that does not stream gives it. */
function wholeChunk({ said, hasText, reasoning: thought, calls }: Answer): Members {
  const made = calls.map(({ id: own, name, made: written, extra_content, inner }, index) => ({
    ...{ index, id: own, type: "function", ...(extra_content ? { extra_content } : {}) },
    function: { name, ...inner, arguments: written },
  }));
  return {
    ...(thought.said ? { reasoning_content: thought.said.join("") } : {}),
    ...(thought.details ? { reasoning_details: thought.details } : {}),
    ...(thought.signature === undefined ? {} : { thought_signature: thought.signature }),
    ...(thought.isEncrypted === undefined ? {} : { reasoning_encrypted: thought.isEncrypted }),
    ...(hasText ? { content: said.join("") } : {}),
    ...(made.length > 0 ? { tool_calls: made } : {}),
  };
}

/** What the chat route gets back of the answer. */
function expected({ said, hasText, reasoning: thought, calls }: Answer): Members {
  return {
    role: "assistant",
    content: hasText ? said.join("") : null,
    ...(thought.said ? { reasoning_content: thought.said.join("") } : {}),
    ...(thought.details ? { reasoning_details: thought.details } : {}),
    ...(thought.signature === undefined ? {} : { thought_signature: thought.signature }),
    ...(thought.isEncrypted === undefined ? {} : { reasoning_encrypted: thought.isEncrypted }),
    ...(calls.length > 0
      ? {
          tool_calls: calls.map(({ id: own, name, made, extra_content, inner }) => ({
            ...(extra_content ? { extra_content } : {}),
            ...{ id: own, type: "function", function: { ...inner, name, arguments: JSON.parse(made) } },
          })),
        }
      : {}),
  };
}

/** What a client has of the events: the blocks with their deltas joined. */
function accumulated(events: readonly Members[]): Members[] {
  const blocks: { type: unknown; [name: string]: unknown }[] = [];
  for (const { type, content_block, delta } of events) {
    if (type === "content_block_start") blocks.push({ ...(content_block as Members & { type: unknown }) });
    const block = blocks.at(-1);
    if (type !== "content_block_delta" || !block) continue;
    for (const [name, value] of Object.entries(membersOf(delta)))
      if (name !== "type" && typeof value === "string") block[name] = String(block[name] ?? "") + value;
  }
  return blocks.map(({ partial_json: made, ...block }) =>
    typeof made === "string" ? { ...block, input: JSON.parse(made) } : block,
  );
}

function contentOf(made: Answer, isStreamed: boolean, members: Members): unknown {
  const body = question({ ...members, stream: isStreamed });
  const writer = messagesFormat.read(body, testContext()).openWriter();
  const deltas = made.isOneChunk ? [wholeChunk(made)] : chunksOf(made);
  const events = [...writer.begin()];
  for (const delta of deltas) events.push(...writer.add(ChatChunk.parse({ choices: [{ index: 0, delta }] })));
  events.push(...writer.end("done"));
  const read = events.map(({ data }) => membersOf(JSON.parse(data)));
  return isStreamed ? accumulated(read) : membersOf(writer.whole()).content;
}

const conversation = fc.record({
  system: fc.option(text, { nil: undefined }),
  turns: fc.array(fc.record({ asked, answers: fc.array(answer, { minLength: 1, maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 4,
  }),
  isStreamed: fc.boolean(),
  isHidden: fc.boolean(),
});

test("conversations lose nothing on the way to the client and back", () => {
  fc.assert(
    fc.property(conversation, ({ system, turns, isStreamed, isHidden }) => {
      const members = isHidden ? { thinking: { type: "adaptive", display: "omitted" } } : {};
      const sent: Members[] = [];
      const messages: Members[] = system === undefined ? [] : [{ role: "system", content: system }];
      for (const { asked: parts, answers } of turns) {
        sent.push({ role: "user", content: blocksOf(parts) });
        messages.push({ role: "user", content: contentIn(parts) });
        for (const made of answers) addAnswer(made, contentOf(made, isStreamed, members), { sent, messages });
      }
      const body = {
        model: "tiny",
        max_tokens: 1,
        messages: sent,
        ...(system === undefined ? {} : { system }),
      };
      const { request } = messagesFormat.read(body, testContext());
      assert.deepEqual(request.messages.map(withParsedArguments), messages);
      assert.ok(ChatRequest.safeParse(request).success);
    }),
    { numRuns: randomCases(1000) },
  );
});

function addAnswer(
  made: Answer,
  content: unknown,
  { sent, messages }: { readonly sent: Members[]; readonly messages: Members[] },
): void {
  sent.push({ role: "assistant", content });
  messages.push(expected(made));
  const ids = (content as readonly Members[])
    .filter(({ type }) => type === "tool_use")
    .map(({ id: own }) => own);
  const blocks: Members[] = [];
  const shown: Members[] = [];
  for (const [index, { id: own }] of made.calls.entries()) {
    const given = made.results[index] ?? { said: "", hasPicture: false, isFailed: false };
    blocks.push(toolResult(ids[index], given));
    messages.push({ role: "tool", tool_call_id: own, content: toolText(given) });
    const title = { type: "text", text: `Picture 1 of the tool result ${ids[index]}:` };
    if (given.hasPicture) shown.push(title, chatPicture);
  }
  const more = made.isFollowed || blocks.length === 0 ? [{ type: "text", text: "go on" }] : [];
  const rest = [...shown, ...more];
  if (rest.length > 0) messages.push({ role: "user", content: shown.length > 0 ? rest : "go on" });
  sent.push({ role: "user", content: [...blocks, ...more] });
  if (made.instruction === undefined) return;
  sent.push({ role: "system", content: made.instruction });
  messages.push({ role: "system", content: made.instruction });
}

type Given = Answer["results"][number];

function toolResult(id: unknown, { said, hasPicture, isFailed }: Given): Members {
  const content = hasPicture ? [{ type: "text", text: said }, sentPicture] : said;
  return { type: "tool_result", tool_use_id: id, content, ...(isFailed ? { is_error: true } : {}) };
}

/** What the chat route has for the result of a tool. */
function toolText({ said, hasPicture, isFailed }: Given): string {
  const lines = hasPicture ? [...(said === "" ? [] : [said]), "[Picture 1, shown below]"].join("\n") : said;
  const isSaid = !isFailed || /^\W{0,10}(?:error|tool_use_error)\b/i.test(lines);
  return isSaid ? lines : `Error: ${lines}`;
}

function withParsedArguments(message: unknown): Members {
  const { tool_calls: calls, ...others } = membersOf(message);
  if (!Array.isArray(calls)) return others;
  const parsed = calls.map((made) => {
    const inner = membersOf(made.function);
    return { ...made, function: { ...inner, arguments: JSON.parse(String(inner.arguments)) } };
  });
  return { ...others, tool_calls: parsed };
}
