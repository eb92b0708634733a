import assert from "node:assert/strict";
import type { ChatChunk } from "../../../../src/api/endpoints/chat/chatReply.ts";
import type { ChatRequest } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import { type CallCase, failureOf, type RowSuite, type World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { eventsOf, send } from "../../suite/wire.ts";
import { chatRules } from "./chatRules.ts";

const sample = {
  model: "default",
  messages: [{ role: "user", content: "Say hi" }],
  max_completion_tokens: 16,
};

async function collect({ api }: World, content: string, more: Partial<ChatRequest> = {}) {
  const stream = await api.chat.stream({ model: "echo", messages: [{ role: "user", content }], ...more });
  const chunks: ChatChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return { chunks, end: stream.end, text: joined(chunks, 0, "content") };
}

function joined(
  chunks: readonly ChatChunk[],
  index: number,
  member: "content" | "reasoning_content",
): string {
  return chunks
    .flatMap(({ choices }) => choices.filter((choice) => choice.index === index))
    .map(({ delta }) => delta[member] ?? "")
    .join("");
}

const everywhere: CallCase[] = [
  {
    name: "streams text to its end",
    async run({ api }) {
      const stream = await api.chat.stream({
        ...sample,
        stream_options: { include_usage: true },
      } as ChatRequest);
      const chunks: ChatChunk[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      assert.equal(stream.end, "done");
      assert.notEqual(joined(chunks, 0, "content") + joined(chunks, 0, "reasoning_content"), "");
      assert.ok(chunks.some(({ usage }) => (usage?.total_tokens ?? 0) > 0));
    },
  },
  {
    name: "releases a stream whose reader stops",
    async run({ api }) {
      const stopped = new AbortController();
      const stream = await api.chat.stream(sample as ChatRequest, { signal: stopped.signal });
      stopped.abort();
      const reading = (async () => {
        for await (const _ of stream);
      })();
      assert.equal((await failureOf(reading)).kind, "cancelled");
    },
  },
];

const sandboxed: CallCase<SandboxTarget>[] = [
  {
    name: "streams the text of the whole answer in more than one piece",
    async run(world) {
      const text = "Grüße aus 東京 👩‍👩‍👧, with\n\n```ts\ncode();\n```\n";
      const { chunks, text: streamed, end } = await collect(world, text);
      assert.equal(streamed, text);
      assert.equal(end, "done");
      const pieces = chunks.filter(({ choices }) => choices[0]?.delta.content);
      assert.ok(pieces.length > 5, `${pieces.length} pieces`);
    },
  },
  {
    name: "begins with the role and ends each choice once with a reason",
    async run(world) {
      const { chunks } = await collect(world, "one two three", { n: 2, max_completion_tokens: 2 });
      const ends = chunks.flatMap(({ choices }) => choices).filter(({ finish_reason }) => finish_reason);
      assert.deepEqual(ends.map(({ index, finish_reason }) => [index, finish_reason]).sort(), [
        [0, "length"],
        [1, "length"],
      ]);
      const firsts = [0, 1].map((index) =>
        chunks.flatMap(({ choices }) => choices).find((c) => c.index === index),
      );
      assert.ok(firsts.every((choice) => choice?.delta.role === "assistant"));
      assert.deepEqual([joined(chunks, 0, "content"), joined(chunks, 1, "content")], ["one two", "one two"]);
    },
  },
  {
    name: "sends all reasoning before the answer",
    async run(world) {
      const { chunks } = await collect(world, "ferry", { model: "thinker" });
      const kinds = chunks.flatMap(({ choices }) =>
        choices.flatMap(({ delta }) =>
          delta.reasoning_content ? ["thought"] : delta.content ? ["word"] : [],
        ),
      );
      assert.ok(kinds.includes("thought") && kinds.includes("word"));
      assert.ok(kinds.lastIndexOf("thought") < kinds.indexOf("word"));
    },
  },
  {
    name: "sends usage in a chunk without choices before [DONE] on request; venice always",
    async run(world) {
      const asked = await collect(world, "one two", { stream_options: { include_usage: true } });
      const last = asked.chunks.at(-1);
      assert.deepEqual(last?.choices, []);
      assert.equal(last?.usage?.completion_tokens, 2);
      assert.equal(last?.cost !== undefined, world.target.dialect.id === "venice");
      const unasked = await collect(world, "one two");
      const hasUsage = unasked.chunks.some(({ usage }) => usage);
      assert.equal(hasUsage, world.target.dialect.id === "venice");
      const declined = await collect(world, "one two", { stream_options: { include_usage: false } });
      assert.ok(declined.chunks.every(({ usage }) => !usage));
    },
  },
  {
    name: "streams tool calls in fragments with an index",
    async run(world) {
      const parameters = { type: "object", properties: { q: { type: "string" } }, required: ["q"] };
      const { chunks } = await collect(world, "find_text in the harbour", {
        model: "guide",
        tools: [{ type: "function", function: { name: "find_text", parameters } }],
      });
      const deltas = chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []));
      assert.equal(deltas[0]?.function?.name, "find_text");
      assert.ok(deltas.length > 2 && deltas.every(({ index }) => index === 0));
      const given = deltas.map((delta) => delta.function?.arguments ?? "").join("");
      assert.deepEqual(JSON.parse(given), { q: "find_text in the harbour" });
    },
  },
  {
    name: "includes sources only with include_search_results_in_stream",
    async run(world) {
      const switches = { enable_web_search: "on" } as const;
      const silent = await collect(world, "ferry", { model: "guide", service_parameters: switches });
      assert.ok(silent.chunks.every(({ service_parameters: echoed }) => !echoed));
      const { chunks } = await collect(world, "ferry", {
        model: "guide",
        service_parameters: { ...switches, include_search_results_in_stream: true },
      });
      const cited = chunks.filter(({ service_parameters: echoed }) => echoed?.web_search_citations?.length);
      assert.equal(cited.length, 1);
      assert.deepEqual(cited[0]?.choices, []);
    },
  },
  {
    name: "has the event stream's type without compression; a whole answer is compressed if accepted",
    async run({ target }) {
      const content = "word ".repeat(500);
      const body = { model: "echo", messages: [{ role: "user", content }] };
      const encoded = { headers: { "accept-encoding": "br, gzip" }, path: "/chat/completions" };
      const streamed = await send(target, { ...encoded, body: { ...body, stream: true } });
      assert.match(streamed.headers.get("content-type") ?? "", /^text\/event-stream/);
      assert.equal(streamed.headers.get("content-encoding"), null);
      assert.ok(streamed.text.endsWith("data: [DONE]\n\n"));
      assert.ok(eventsOf(streamed).every(({ object }) => object === "chat.completion.chunk"));
      const whole = await send(target, { ...encoded, body });
      assert.equal(whole.headers.get("content-encoding"), "br");
      const zipped = await send(target, {
        path: encoded.path,
        headers: { "accept-encoding": "gzip, br;q=0" },
        body,
      });
      assert.equal(zipped.headers.get("content-encoding"), "gzip");
      const plain = await send(target, {
        path: encoded.path,
        headers: { "accept-encoding": "identity" },
        body,
      });
      assert.equal(plain.headers.get("content-encoding"), null);
      assert.deepEqual(contentOf(whole.json), content);
      assert.deepEqual(contentOf(zipped.json), content);
      assert.deepEqual(contentOf(plain.json), content);
    },
  },
  {
    name: "stops writing when the caller disconnects",
    async run({ api, target }) {
      target.sandbox.setTokensPerSecond(50);
      const arrived = target.sandbox.nextRequest({ path: "/chat/completions" });
      const stopped = new AbortController();
      const stream = await api.chat.stream(
        { model: "long", messages: [{ role: "user", content: "100 KB" }] },
        { signal: stopped.signal },
      );
      const reading = (async () => {
        for await (const _ of stream) stopped.abort();
      })();
      assert.equal((await failureOf(reading)).kind, "cancelled");
      const request = await arrived;
      await request.ended;
      assert.equal(request.aborted, true);
      target.sandbox.setTokensPerSecond(Number.POSITIVE_INFINITY);
    },
  },
];

function contentOf(json: unknown): string | undefined {
  return (json as { choices: { message: { content: string } }[] }).choices[0]?.message.content;
}

const reply = {
  nullable: [
    ...["id", "object", "created", "model", "choices", "choices.0.index", "choices.0.delta"],
    ...["finish_reason", "delta.role", "delta.content"].map((path) => `choices.0.${path}`),
  ],
  required: [],
  tolerant: [],
};

export const stream: RowSuite = { sample, rules: chatRules, reply, everywhere, sandboxed };
