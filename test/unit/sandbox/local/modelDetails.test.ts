// What servers on this machine say about their models: the size of the context, and what a model can do.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { createLocalModels } from "../../../../src/sandbox/local/localModels.ts";
import {
  factsOfEntry,
  factsOfLlamaCpp,
  factsOfLmStudio,
  factsOfLmStudioV1,
  factsOfOllama,
} from "../../../../src/sandbox/local/modelFacts.ts";

type Reply = unknown | "silent" | "broken" | ((body: { readonly model?: string }) => unknown);

/** A server with a reply for each path; 404 for others. */
async function serve(t: TestContext, replies: Readonly<Record<string, Reply>>, asked: string[] = []) {
  const server = createServer(async (message, res) => {
    const url = message.url ?? "";
    asked.push(url);
    const reply = replies[url];
    if (reply === "silent") return;
    if (reply === undefined) return void res.writeHead(404).end("{}");
    const body = message.method === "POST" ? JSON.parse(await text(message)) : {};
    const value = typeof reply === "function" ? reply(body) : reply;
    res.writeHead(value === undefined ? 500 : 200).end(value === "broken" ? "{" : JSON.stringify(value));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function listed(t: TestContext, replies: Readonly<Record<string, Reply>>, probeMs = 10_000) {
  const address = await serve(t, replies);
  const models = createLocalModels({ addresses: [address], now: () => 0, onScan() {}, probeMs });
  t.after(() => models.close());
  const found = await models.scan(new AbortController().signal);
  return Object.fromEntries(
    found.models.map(({ name, model: { record } }) => {
      const {
        availableContextTokens: context,
        maxCompletionTokens: longest,
        capabilities,
      } = record.model_spec;
      assert.equal(record.context_length, context);
      const { supportsVision, supportsFunctionCalling, supportsReasoning } = capabilities ?? {};
      const can = [
        supportsVision && "vision",
        supportsFunctionCalling && "tools",
        supportsReasoning && "thinks",
      ];
      return [name, [context, longest, can.filter(Boolean).join(" ")]];
    }),
  );
}

const list = (...entries: readonly (string | object)[]) => ({
  object: "list",
  data: entries.map((entry) => (typeof entry === "string" ? { id: entry, object: "model" } : entry)),
});

test("Ollama: the size it runs with, else that of the model's file, else that of its settings; and what it can do", async (t) => {
  const info = (architecture: string, length: number) => ({
    "general.architecture": architecture,
    [`${architecture}.context_length`]: length,
    "other.context_length": 777,
  });
  const shown: Readonly<Record<string, object>> = {
    "llama3.2:latest": { model_info: info("llama", 131_072), capabilities: ["completion", "tools"] },
    "llava:7b": {
      model_info: info("llama", 32_768),
      parameters:
        'stop                           "USER:"\nnum_ctx                        8192\nnum_predict 1000',
      capabilities: ["completion", "vision"],
    },
    "qwen3:8b": { model_info: info("qwen3", 40_960), capabilities: ["completion", "tools", "thinking"] },
    "old:1b": { model_info: info("phi", 2048), parameters: "num_predict -1" },
    "embedder:1b": { model_info: info("bert", 512), capabilities: ["embedding"] },
  };
  const replies = {
    "/v1/models": list(...Object.keys(shown), "gone:1b"),
    "/api/tags": { models: [] },
    "/api/ps": { models: [{ name: "qwen3:8b", context_length: 4096 }, { name: "old:1b" }] },
    "/api/show": ({ model = "" }) => shown[model],
  };
  assert.deepEqual(await listed(t, replies), {
    // Its settings gave qwen3 less than it could hold.
    "llama3.2:latest": [4096, undefined, "tools"],
    "llava:7b": [8192, 1000, "vision"],
    "qwen3:8b": [4096, undefined, "tools thinks"],
    "old:1b": [2048, undefined, "tools"],
    "gone:1b": [undefined, undefined, "tools"],
  });
});

test("LM Studio, both versions of its list", async (t) => {
  const old = {
    "/v1/models": list("a", "b", "c", "older", "text-embedding-d"),
    "/api/v0/models": {
      data: [
        {
          id: "a",
          type: "llm",
          max_context_length: 32_768,
          loaded_context_length: 4096,
          capabilities: ["tool_use"],
        },
        { id: "b", type: "vlm", state: "not-loaded", max_context_length: 8192 },
        { id: "older", type: "llm", max_context_length: 8192 },
        { id: "text-embedding-d", type: "embeddings", max_context_length: 2048 },
      ],
    },
  };
  const expected = {
    a: [4096, undefined, "tools"],
    // It is known once LM Studio has loaded the model.
    b: [undefined, undefined, "vision tools"],
    c: [undefined, undefined, "tools"],
    older: [8192, undefined, "tools"],
  };
  assert.deepEqual(await listed(t, old), expected);
  const capabilities = { vision: true, trained_for_tool_use: false };
  const models = [
    {
      type: "llm",
      key: "a",
      max_context_length: 32_768,
      loaded_instances: [{ id: "a", config: { context_length: 4096 } }],
    },
    { type: "llm", key: "b", max_context_length: 8192, loaded_instances: [], capabilities },
    {
      type: "llm",
      key: "older",
      max_context_length: 8192,
      loaded_instances: [{ id: "older", config: { context_length: 8192 } }],
    },
    { type: "embedding", key: "text-embedding-d", max_context_length: 2048 },
  ];
  // It answers unknown paths, too.
  const error = { error: "Unexpected endpoint or method. (GET /props)" };
  const others = { "/props": error, "/api/tags": error, "/api/v0/models": error, "/info": error };
  assert.deepEqual(
    await listed(t, { ...others, "/v1/models": old["/v1/models"], "/api/v1/models": { models } }),
    expected,
  );
});

test("llama.cpp, though it also answers Ollama's questions; KoboldCpp; Text Generation Inference; lists with sizes", async (t) => {
  const ofOllama = {
    "/api/tags": { models: [{ name: "gpt" }] },
    "/api/show": { model_info: { "llama.context_length": 999 }, capabilities: ["completion"] },
  };
  const props = {
    default_generation_settings: { n_ctx: 16_384, params: { n_predict: -1 } },
    modalities: { vision: true },
  };
  const meta = { n_ctx_train: 131_072 };
  const own = { "/v1/models": list({ id: "gpt", meta }) };
  assert.deepEqual(await listed(t, { ...ofOllama, ...own, "/props": props }), {
    gpt: [16_384, undefined, "vision tools"],
  });
  assert.deepEqual(await listed(t, own), { gpt: [131_072, undefined, "tools"] });
  const kobold = { "/v1/models": list("gpt"), "/api/extra/true_max_context_length": { value: 6144 } };
  assert.deepEqual(await listed(t, { ...ofOllama, ...kobold }), { gpt: [6144, undefined, "tools"] });
  const inference = { "/v1/models": list("gpt"), "/info": { max_total_tokens: 3000 } };
  assert.deepEqual(await listed(t, inference), { gpt: [3000, undefined, "tools"] });
  const sizes = list(
    { id: "vllm", max_model_len: 4096, owned_by: "vllm" },
    {
      id: "router",
      context_length: 8192,
      top_provider: { max_completion_tokens: 9000 },
      supported_parameters: [],
    },
    {
      id: "other",
      context_window: "32768",
      max_output_tokens: 512,
      capabilities: { vision: true, function_calling: false },
    },
  );
  assert.deepEqual(await listed(t, { "/v1/models": sizes }), {
    vllm: [4096, undefined, "tools"],
    router: [8192, 8192, ""],
    other: [32_768, 512, "vision"],
  });
});

test("a server that is silent or odd about details lists its models without them", async (t) => {
  for (const reply of ["silent", "broken", null, [], 7, { data: 7, models: 7 }] as const) {
    const paths = [
      "/api/tags",
      "/api/ps",
      "/api/show",
      "/api/v0/models",
      "/api/v1/models",
      "/props",
      "/info",
    ];
    const odd = Object.fromEntries(paths.map((path) => [path, reply]));
    const found = await listed(t, { ...odd, "/v1/models": list("gpt") }, 200);
    assert.deepEqual(found, { gpt: [undefined, undefined, "tools"] }, JSON.stringify(reply));
  }
});

test("a model is asked about once, until it changes; the size that Ollama runs with is read each time", async (t) => {
  const asked: string[] = [];
  const entry = { id: "gpt", created: 1 };
  let running: object[] = [];
  const address = await serve(
    t,
    {
      "/v1/models": () => list(entry),
      "/api/tags": { models: [] },
      "/api/ps": () => ({ models: running }),
      "/api/show": { parameters: "num_ctx 9000" },
    },
    asked,
  );
  let nowMs = 0;
  const models = createLocalModels({ addresses: [address], now: () => nowMs, onScan() {}, probeMs: 10_000 });
  t.after(() => models.close());
  const scan = async () => {
    const { models: found } = await models.scan(new AbortController().signal);
    return found[0]?.model.record.context_length;
  };
  assert.equal(await scan(), 9000);
  running = [{ name: "gpt", context_length: 4096 }];
  assert.equal(await scan(), 9000, "cached");
  const [server] = [models.serverOf(`${address.slice(7).replace(":", "-")}/gpt`)];
  if (server) models.renew(server);
  assert.equal(await scan(), 4096, "after an answer");
  assert.equal(asked.filter((url) => url === "/api/show").length, 1);
  assert.equal(asked.filter((url) => url === "/props").length, 1, "other products are not asked again");
  entry.created = 2;
  nowMs += 60_000;
  await scan();
  assert.equal(asked.filter((url) => url === "/api/show").length, 2);
});

test("no reply makes a size that is none", () => {
  const number = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.string(),
    fc.constantFrom(null, "8192", 1e300, -1, 0, true, []),
  );
  const name = fc.constantFrom(
    "n_ctx",
    "context_length",
    "max_model_len",
    "meta",
    "top_provider",
    "model_info",
    "parameters",
  );
  const other = fc.constantFrom(
    "default_generation_settings",
    "capabilities",
    "type",
    "max_total_tokens",
    "loaded_instances",
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof({ depthSize: "small" }, number, fc.dictionary(fc.oneof(name, other), tie("value"))),
  }));
  fc.assert(
    fc.property(value, (reply) => {
      for (const read of [factsOfEntry, factsOfOllama, factsOfLmStudio, factsOfLmStudioV1, factsOfLlamaCpp]) {
        const { contextTokens = 256, completionTokens = 1 } = read(reply);
        assert.ok(Number.isInteger(contextTokens) && contextTokens >= 256 && contextTokens <= 1e8);
        assert.ok(Number.isInteger(completionTokens) && completionTokens >= 1 && completionTokens <= 1e8);
      }
    }),
  );
});
