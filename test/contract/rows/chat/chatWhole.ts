import assert from "node:assert/strict";
import type { ChatRequest } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import { type CallCase, failureOf, type RowSuite, type World } from "../../suite/suite.ts";
import type { SandboxTarget } from "../../suite/target.ts";
import { chatRules } from "./chatRules.ts";

const sample = {
  model: "default",
  messages: [{ role: "user", content: "Say hi" }],
  max_completion_tokens: 16,
};

/** Requests a complete answer of a sandbox model. */
async function ask({ api }: World, content: string, more: Partial<ChatRequest> = {}) {
  const reply = await api.chat.complete({ model: "echo", messages: [{ role: "user", content }], ...more });
  const [choice] = reply.choices;
  assert.ok(choice);
  return { reply, choice, answer: choice.message.content };
}

const everywhere: CallCase[] = [
  {
    name: "answers with text and token counts",
    async run({ api }) {
      const { object, choices, usage } = await api.chat.complete(sample as ChatRequest);
      assert.equal(object, "chat.completion");
      const { content, reasoning_content } = choices[0]?.message ?? {};
      // Reasoning may use all sixteen tokens.
      assert.notEqual(`${content ?? ""}${reasoning_content ?? ""}`, "");
      assert.ok(usage && usage.prompt_tokens > 0);
      assert.equal(usage.total_tokens, usage.prompt_tokens + usage.completion_tokens);
    },
  },
  {
    name: "refuses an unlisted model",
    async run({ api, target }) {
      const error = await failureOf(
        api.chat.complete({ ...sample, model: "no-such-model-0" } as ChatRequest),
      );
      target.failed();
      assert.equal(error.kind, "not-found");
    },
  },
];

const sandboxed: CallCase<SandboxTarget>[] = [
  {
    name: "echoes the last user message exactly",
    async run(world) {
      const text = "  a\n\tb ✓ 東京 👩‍👩‍👧 \u0000 “c” ";
      const { answer, choice } = await ask(world, text);
      assert.equal(answer, text);
      assert.equal(choice.finish_reason, "stop");
    },
  },
  {
    name: "counts prompt, answer and the service's own prompt unless that is off",
    async run(world) {
      const off = await ask(world, "one two three", {
        service_parameters: { include_venice_system_prompt: false },
      });
      const on = await ask(world, "one two three");
      assert.equal(off.reply.usage?.completion_tokens, 3);
      const own = (on.reply.usage?.prompt_tokens ?? 0) - (off.reply.usage?.prompt_tokens ?? 0);
      assert.ok(own >= 1100 && own <= 1750, `${own} tokens`);
    },
  },
  {
    name: "stops at the first stop sequence and names it",
    async run(world) {
      const { answer, choice } = await ask(world, "one two three two one", { stop: ["three", "two"] });
      assert.equal(answer, "one ");
      assert.equal(choice.finish_reason, "stop");
      assert.equal(choice.stop_reason, "two");
    },
  },
  {
    name: "stops at max_completion_tokens with length",
    async run(world) {
      const { answer, choice, reply } = await ask(world, "one two three four", { max_completion_tokens: 2 });
      assert.equal(answer, "one two");
      assert.equal(choice.finish_reason, "length");
      assert.equal(reply.usage?.completion_tokens, 2);
    },
  },
  {
    name: "ignores max_tokens below 1, and prefers max_completion_tokens",
    async run(world) {
      assert.equal((await ask(world, "one two three", { max_tokens: 0 })).answer, "one two three");
      assert.equal((await ask(world, "one two three", { max_tokens: -3 })).answer, "one two three");
      assert.equal((await ask(world, "one two three", { max_tokens: 1 })).answer, "one");
      const both = await ask(world, "one two three", { max_tokens: 1, max_completion_tokens: 2 });
      assert.equal(both.answer, "one two");
    },
  },
  {
    name: "returns n choices and charges all",
    async run(world) {
      const { reply } = await ask(world, "one two", { n: 3 });
      assert.deepEqual(
        reply.choices.map(({ index }) => index),
        [0, 1, 2],
      );
      assert.equal(reply.usage?.completion_tokens, 6);
    },
  },
  {
    name: "reasons before the answer unless disabled; reasoning_effort overrides reasoning.effort",
    async run(world) {
      const of = async (more: Partial<ChatRequest>) =>
        (await ask(world, "ferry", { model: "thinker", ...more })).choice.message.reasoning_content;
      assert.ok(await of({}));
      assert.equal(await of({ service_parameters: { disable_thinking: true } }), null);
      assert.equal(await of({ reasoning: { effort: "none" } }), null);
      assert.ok(await of({ reasoning_effort: "low", reasoning: { effort: "none" } }));
      assert.equal(await of({ reasoning_effort: "none", reasoning: { effort: "high" } }), null);
    },
  },
  {
    name: "strips the reasoning on request and charges it all the same",
    async run(world) {
      const shown = await ask(world, "ferry", { model: "thinker" });
      const stripped = await ask(world, "ferry", {
        model: "thinker",
        service_parameters: { strip_thinking_response: true },
      });
      assert.equal(stripped.choice.message.reasoning_content, null);
      assert.equal(stripped.answer, shown.answer);
      assert.equal(stripped.reply.usage?.completion_tokens, shown.reply.usage?.completion_tokens);
    },
  },
  {
    name: "counts reasoning towards max_completion_tokens",
    async run(world) {
      const { answer, choice, reply } = await ask(world, "ferry", {
        model: "thinker",
        max_completion_tokens: 3,
      });
      assert.equal(answer, "");
      assert.equal(choice.finish_reason, "length");
      assert.equal(reply.usage?.completion_tokens_details?.reasoning_tokens, 3);
    },
  },
  {
    name: "accepts a trait, another vendor's name and a feature suffix as model",
    async run(world) {
      for (const model of ["fastest", "echo", "echo:enable_web_search=off"]) {
        assert.equal((await ask(world, "same", { model })).reply.model, "echo", model);
      }
      assert.equal((await ask(world, "hi", { model: "o3-mini" })).reply.model, "thinker");
      const { choice } = await ask(world, "ferry", { model: "thinker:disable_thinking=true" });
      assert.equal(choice.message.reasoning_content, null);
      const both = await ask(world, "ferry", {
        model: "thinker:disable_thinking=true",
        service_parameters: { disable_thinking: false },
      });
      assert.ok(both.choice.message.reasoning_content, "the body's parameter wins");
    },
  },
  {
    name: "returns log probabilities of each token with alternatives",
    async run(world) {
      const { reply, choice } = await ask(world, "one two", { logprobs: true, top_logprobs: 2 });
      const { content } = choice.logprobs as { content: { token: string; top_logprobs: unknown[] }[] };
      assert.deepEqual(
        content.map(({ token }) => token),
        ["one", " two"],
      );
      assert.ok(content.every((entry) => entry.top_logprobs.length === 2));
      const prompt = reply.prompt_logprobs as readonly (object | null)[];
      assert.deepEqual([prompt.length, prompt[0], Object.keys(prompt[1] ?? {}).length], [2, null, 2]);
    },
  },
];

const reply = {
  nullable: [
    ...["id", "object", "created", "model", "choices.0.index", "choices.0.message"],
    ...["usage.prompt_tokens", "usage.completion_tokens", "usage.total_tokens"],
    ...["usage", "usage.prompt_tokens_details", "usage.prompt_tokens_details.cached_tokens"],
    ...["usage.completion_tokens_details", "service_parameters", "prompt_logprobs"],
    ...[
      ...["finish_reason", "stop_reason", "logprobs", "message.role"],
      ...["message.content", "message.reasoning_content", "message.tool_calls"],
    ].map((path) => `choices.0.${path}`),
  ],
  required: [],
  tolerant: [],
};

export const complete: RowSuite = { sample, rules: chatRules, reply, everywhere, sandboxed };
