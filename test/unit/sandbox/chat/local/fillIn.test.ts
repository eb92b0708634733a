// Completions of code between a prefix and a suffix, by what each server has for it.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { isApiError } from "../../../../../src/api/errors/errors.ts";
import { toCompletionRequest } from "../../../../../src/completions/completionModel.ts";
import { codeFamilyOf } from "../../../../../src/sandbox/chat/local/codeFamilies.ts";
import { toModelCard } from "../../../../../src/session/modelCards.ts";
import { Status } from "../../modelServer.ts";
import { type LocalBench, openLocalBench } from "./localBench.ts";

const place = {
  name: "src/sum.py",
  languageId: "python",
  before: "def add(a, b):\n    return ",
  after: "\n\nprint(add(1, 2))",
  lines: "one",
  excerpts: [{ name: "src/twice.py", text: "def twice(a):\n    return 2 * a" }],
} as const;

const limits = { max_tokens: 64, temperature: 0.1, stream: false };

/** Completes at the place with this model. */
async function complete({ api, idOf }: LocalBench, name: string, at: typeof place = place) {
  const { data } = await api.models.list({});
  const model = data.find(({ id }) => id === idOf(name));
  assert.ok(model, `${name} is listed`);
  const reply = await api.chat.complete(toCompletionRequest(toModelCard(model), at));
  const [choice] = reply.choices;
  return {
    text: choice?.message.content,
    usage: reply.usage,
    finish: choice?.finish_reason,
    cost: reply.cost,
  };
}

async function open(t: TestContext, model: string, replies: LocalBench["server"]["replies"]) {
  const bench = await openLocalBench(t);
  bench.server.models = [model];
  bench.server.replies = replies;
  return bench;
}

/** The requests that were no questions about the models. */
const filled = ({ server }: LocalBench) =>
  server.asked.filter(({ path }) => ["/v1/completions", "/infill", "/api/generate"].includes(path));

function bodyOf<Body>(bench: LocalBench, index = 0): Body {
  const sent = filled(bench)[index];
  assert.ok(sent);
  return sent.body as Body;
}

const usage = { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 };
const completion = (text: string) => ({
  id: "cmpl-1",
  object: "text_completion",
  choices: [{ index: 0, text, finish_reason: "stop" }],
  usage,
});
const ollama = (capabilities: readonly string[]) => ({
  "/api/tags": () => ({ models: [] }),
  "/api/ps": () => ({ models: [] }),
  "/api/show": () => ({ capabilities }),
});

test("Ollama fills in a model that can insert, with prefix and suffix, for nothing", async (t) => {
  const bench = await open(t, "qwen2.5-coder:7b", {
    ...ollama(["completion", "tools", "insert"]),
    "/v1/completions": () => completion("a + b"),
  });
  const answer = await complete(bench, "qwen2.5-coder:7b");
  assert.equal(answer.text, "a + b");
  assert.equal(answer.usage?.completion_tokens, 5);
  assert.deepEqual(answer.cost, { usd: 0, diem: 0 });
  assert.deepEqual(filled(bench), [
    {
      path: "/v1/completions",
      body: {
        model: "qwen2.5-coder:7b",
        prompt: place.before,
        suffix: place.after,
        stop: ["\n\n"],
        ...limits,
      },
    },
  ]);
  assert.deepEqual(bench.server.chats, [], "no chat prompt");
  // At the end of a file there is no suffix, and without one it would chat.
  await complete(bench, "qwen2.5-coder:7b", { ...place, after: "" } as never);
  assert.equal(bodyOf<{ suffix: string }>(bench, 1).suffix, "\n");
});

test("Ollama with a model whose template can't insert gets the tokens of its family, not a chat", async (t) => {
  const bench = await open(t, "qwen3-coder:30b", {
    ...ollama(["completion", "tools"]),
    "/api/generate": () => ({
      response: "a + b",
      done: true,
      done_reason: "stop",
      prompt_eval_count: 9,
      eval_count: 4,
    }),
  });
  const answer = await complete(bench, "qwen3-coder:30b");
  assert.deepEqual([answer.text, answer.usage?.prompt_tokens], ["a + b", 9]);
  const { prompt, raw, options } = bodyOf<{ prompt: string; raw: boolean; options: { num_predict: number } }>(
    bench,
  );
  assert.deepEqual([raw, options.num_predict], [true, 64]);
  assert.equal(
    prompt,
    "<|file_sep|>src/twice.py\ndef twice(a):\n    return 2 * a\n<|file_sep|>src/sum.py\n" +
      `<|fim_prefix|>${place.before}<|fim_suffix|>${place.after}<|fim_middle|>`,
  );
});

test("llama.cpp fills in by /infill, with parts of other files", async (t) => {
  const bench = await open(t, "gguf", {
    "/props": () => ({ default_generation_settings: { n_ctx: 8192 } }),
    "/infill": () => ({ content: "a + b", stop_type: "limit", tokens_evaluated: 12, tokens_predicted: 64 }),
  });
  const answer = await complete(bench, "gguf");
  assert.deepEqual([answer.text, answer.finish, answer.usage?.prompt_tokens], ["a + b", "length", 12]);
  const body = bodyOf<Record<string, unknown>>(bench);
  assert.equal(body.input_prefix, place.before);
  assert.equal(body.input_suffix, place.after);
  assert.deepEqual(body.input_extra, [{ filename: "src/twice.py", text: "def twice(a):\n    return 2 * a" }]);
  assert.equal(body.n_predict, 64);
});

test("LM Studio and vLLM fill in a model of a known family by its tokens", async (t) => {
  const bench = await open(t, "deepseek-coder-6.7b-base", { "/v1/completions": () => completion("a + b") });
  assert.equal((await complete(bench, "deepseek-coder-6.7b-base")).text, "a + b");
  const { prompt, stop } = bodyOf<{ prompt: string; stop: string[] }>(bench);
  assert.equal(prompt, `<｜fim▁begin｜>${place.before}<｜fim▁hole｜>${place.after}<｜fim▁end｜>`);
  assert.ok(stop.includes("\n\n") && stop.length <= 4);
});

test("a model of no such family, and one whose server refuses, is asked by a chat; the refusal is remembered for half an hour", async (t) => {
  const chatty = await open(t, "llama3.2", { "/v1/completions": () => completion("never") });
  chatty.server.script = { words: ["a + b"] };
  assert.equal((await complete(chatty, "llama3.2")).text, "a + b");
  assert.deepEqual(filled(chatty), []);
  const bench = await open(t, "gguf", {
    "/props": () => ({ default_generation_settings: { n_ctx: 8192 } }),
    "/infill": () =>
      new Status(501, {
        error: { code: 501, message: "Infill is not supported by this model", type: "not_supported_error" },
      }),
  });
  bench.server.script = { words: ["a + b"] };
  for (const count of [1, 2]) {
    assert.equal((await complete(bench, "gguf")).text, "a + b");
    assert.equal(bench.server.chats.length, count);
  }
  assert.equal(filled(bench).length, 1);
  bench.clock.ms += 31 * 60_000;
  await complete(bench, "gguf");
  assert.equal(filled(bench).length, 2);
});

test("an odd reply is asked again as a chat", async (t) => {
  const bench = await open(t, "starcoder2:3b", { "/v1/completions": () => ({ choices: [] }) });
  bench.server.script = { words: ["a + b"] };
  assert.equal((await complete(bench, "starcoder2:3b")).text, "a + b");
  assert.equal(bench.server.chats.length, 1);
});

test("a cancelled completion closes its request", async (t) => {
  const bench = await openLocalBench(t);
  const stop = new AbortController();
  bench.server.models = ["starcoder2:3b"];
  bench.server.replies = {
    "/v1/completions": () => {
      stop.abort();
      return completion("late");
    },
  };
  const card = toModelCard({ id: bench.idOf("starcoder2:3b") });
  await assert.rejects(
    bench.api.chat.complete(toCompletionRequest(card, place), { signal: stop.signal }),
    (error) => isApiError(error) && error.kind === "cancelled",
  );
  assert.deepEqual(bench.server.chats, []);
});

test("names of models lead to the tokens that they were trained with", () => {
  const markOf = (name: string) =>
    codeFamilyOf(name)?.prompt({ ...place, before: "B", after: "A", excerpts: [] });
  for (const [names, prompt] of [
    [
      ["qwen2.5-coder:1.5b", "Qwen/Qwen2.5-Coder-7B", "qwen3-coder-30b-a3b-instruct", "codegemma:2b"],
      "<|fim_prefix|>B<|fim_suffix|>A<|fim_middle|>",
    ],
    [
      ["starcoder2:7b", "bigcode/starcoder2-3b", "stable-code:3b", "granite-code:8b", "granite-8b-code-base"],
      "<fim_prefix>B<fim_suffix>A<fim_middle>",
    ],
    [["codellama:7b-code", "CodeLlama-13b-hf"], "<PRE> B <SUF>A <MID>"],
    [["deepseek-coder-v2:16b"], "<｜fim▁begin｜>B<｜fim▁hole｜>A<｜fim▁end｜>"],
    [["codestral:22b", "mistralai/Codestral-22B-v0.1"], "[SUFFIX]A[PREFIX]B"],
    [
      ["llama3.2", "codellama:34b", "codellama:7b-python", "qwen3:8b", "gpt-oss:20b", "deepseek-r1"],
      undefined,
    ],
  ] as const)
    for (const name of names) assert.equal(markOf(name), prompt, name);
});
