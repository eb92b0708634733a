import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createApi } from "../../../../src/api/call/client.ts";
import { dialects } from "../../../../src/api/dialect/dialect.ts";
import type { ChatRequest } from "../../../../src/api/endpoints/chat/chatRequest.ts";
import { isApiError } from "../../../../src/api/errors/errors.ts";
import { collect } from "../../../../src/api/stream/chatAnswer.ts";
import { table } from "../../../../src/api/table.ts";
import { createHostTransport } from "../../../../src/api/transport/host.ts";
import { startTestSandbox } from "../../../serviceKit/testSandbox.ts";
import { type ModelServer, startModelServer } from "../modelServer.ts";

interface Bench {
  readonly server: ModelServer;
  readonly sandbox: Awaited<ReturnType<typeof startTestSandbox>>;
  readonly api: ReturnType<typeof apiOf>;
  /** Milliseconds to add to the clock. */
  readonly clock: { ms: number };
}

function apiOf({ baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string }) {
  return createApi(table, createHostTransport(), {
    baseUrl,
    apiKey: async () => apiKey,
    dialect: dialects.venice,
    timeouts: { headersMs: 30_000, idleMs: 30_000 },
  });
}

function withServer(name: string, run: (bench: Bench) => Promise<void>, modelProbeMs = 10_000): void {
  test(name, async () => {
    const server = await startModelServer();
    const clock = { ms: Date.UTC(2026, 5, 1) };
    const sandbox = await startTestSandbox({
      dialect: "venice",
      modelServers: [server.url],
      modelProbeMs,
      testModels: false,
      limits: "none",
      clock: () => clock.ms,
      balances: { usd: 0, diemPerDay: 0 },
    });
    try {
      await run({ server, sandbox, api: apiOf(sandbox), clock });
    } finally {
      await sandbox.close();
      await server.close();
    }
  });
}

const question = (model: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  model,
  messages: [{ role: "user", content: "Refactor this." }],
  ...more,
});

async function allOf<T>(batches: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const batch of batches) all.push(...batch);
  return all;
}

const idsOf = async ({ api }: Bench) => (await api.models.list({})).data.map(({ id }) => id);

withServer(
  "text models of a local server stand before the sandbox's own, with its name and no price",
  async (bench) => {
    const { server, api, sandbox } = bench;
    assert.equal(server.listings, 0);
    const { data } = await api.models.list({});
    assert.deepEqual(
      data.map(({ id }) => id),
      [
        `${server.slug}/llama3.2`,
        `${server.slug}/qwen2.5-coder@7b`,
        "guide",
        "thinker",
        "scripted",
        "probable",
        "viewer",
      ],
    );
    const spec = data[1]?.model_spec;
    assert.equal(spec?.name, `qwen2.5-coder:7b (${server.url.slice("http://".length)})`);
    assert.match(spec?.description ?? "", /Runs on this machine and costs nothing/);
    assert.deepEqual(spec?.pricing?.input, { usd: 0, diem: 0 });
    assert.equal(spec?.capabilities?.optimizedForCode, true);
    await api.models.list({});
    assert.equal(server.listings, 1);
    sandbox.setModelServers([]);
    assert.deepEqual(await idsOf(bench), ["guide", "thinker", "scripted", "probable", "viewer"]);
  },
);

withServer(
  "an answer streams through, with reasoning and usage, and costs nothing",
  async ({ server, api }) => {
    server.script = { words: ["Use", " a map."], reasoning: "Let me see." };
    const id = `${server.slug}/qwen2.5-coder@7b`;
    // Not listed yet, as after a reload of the window.
    const stream = await api.chat.stream(
      question(id, {
        max_completion_tokens: 50,
        service_parameters: { include_venice_system_prompt: false },
      }),
    );
    const chunks = await allOf(stream.batches());
    const deltas = chunks.flatMap(({ choices }) => choices.map(({ delta }) => delta));
    assert.equal(deltas.map(({ content }) => content ?? "").join(""), "Use a map.");
    assert.equal(deltas.map(({ reasoning_content }) => reasoning_content ?? "").join(""), "Let me see.");
    assert.equal(stream.end, "done");
    const last = chunks.at(-1);
    assert.equal(last?.usage?.completion_tokens, 3);
    assert.deepEqual(last?.cost, { usd: 0, diem: 0 });
    assert.deepEqual(server.chats, [
      {
        model: "qwen2.5-coder:7b",
        messages: [{ role: "user", content: "Refactor this." }],
        stream: true,
        stream_options: { include_usage: true },
        max_tokens: 50,
      },
    ]);
    // The account was empty from the start, and a local answer is no entry on its bill.
    const { data } = await api.billing.history({});
    assert.deepEqual(data, []);
  },
);

withServer(
  "a whole answer comes in one piece; a server that does not count is counted for",
  async (bench) => {
    const { server, api } = bench;
    server.script = { usage: false };
    const answer = await api.chat.complete(question(`${server.slug}/llama3.2`));
    assert.equal(answer.choices[0]?.message.content, "Hello there.");
    assert.ok((answer.usage?.completion_tokens ?? 0) > 0);
    assert.ok((answer.usage?.prompt_tokens ?? 0) > 0);
  },
);

withServer("tools, schemas and earlier calls reach the server as they are", async ({ server, api }) => {
  const tools = [
    { type: "function" as const, function: { name: "read_file", parameters: { type: "object" } } },
  ];
  const call = { id: "c1", type: "function" as const, function: { name: "read_file", arguments: "{}" } };
  await api.chat.complete({
    model: `${server.slug}/llama3.2`,
    tools,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: [{ type: "text", text: "Read it." }] },
      { role: "assistant", content: null, tool_calls: [call] },
      { role: "tool", tool_call_id: "c1", content: "text" },
    ],
  });
  const [sent] = server.chats;
  assert.deepEqual(sent?.tools, tools);
  assert.deepEqual(sent?.messages, [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Read it." },
    { role: "assistant", content: "", tool_calls: [call] },
    { role: "tool", tool_call_id: "c1", content: "text" },
  ]);
});

for (const [end, words] of [
  ["die", /broke off|closed the connection/],
  ["error", /the runner ran out of memory/],
] as const) {
  withServer(
    `a server that ends an answer by "${end}" is told of, after what it said`,
    async ({ server, api }) => {
      server.script = { end };
      const stream = await api.chat.stream(question(`${server.slug}/llama3.2`));
      let said = "";
      await assert.rejects(
        async () => {
          for await (const chunks of stream.batches())
            for (const { choices } of chunks) said += choices[0]?.delta.content ?? "";
        },
        (error) => isApiError(error) && error.kind === "unavailable" && words.test(error.message),
      );
      assert.equal(said, "Hello there.");
    },
  );
}

withServer("hanging up on an answer closes the socket to the local server", async ({ server, api }) => {
  server.script = { end: "hang" };
  const stop = new AbortController();
  const stream = await api.chat.stream(question(`${server.slug}/llama3.2`), { signal: stop.signal });
  const closed = once(server.events, "closed");
  await assert.rejects(
    async () => {
      for await (const _ of stream.batches()) stop.abort();
    },
    (error) => isApiError(error) && error.kind === "cancelled",
  );
  await closed;
});

withServer("the server's own refusal is told with its name and words", async ({ server, api }) => {
  const model = `${server.slug}/llama3.2`;
  const message = "llama3.2:latest does not support tools";
  server.script = { refusal: { status: 400, body: { error: { message, type: "api_error" } } } };
  await assert.rejects(
    () => api.chat.stream(question(model)),
    (error) => isApiError(error) && error.kind === "invalid-request" && error.message.includes(message),
  );
  server.script = { refusal: { status: 200, body: "<html>Sign in</html>" } };
  await assert.rejects(
    () => api.chat.stream(question(model)),
    (error) => isApiError(error) && /answered with text\/html, not with a stream/.test(error.message),
  );
});

withServer("a page in place of models offers none, and says why when asked", async (bench) => {
  bench.server.models = "html";
  assert.deepEqual(await idsOf(bench), ["guide", "thinker", "scripted", "probable", "viewer"]);
  const { problems } = await bench.sandbox.findLocalModels(new AbortController().signal);
  assert.match(problems.join(), /answers, but not with a list of models/);
});

withServer(
  "a server that never answers does not keep the listing, and its socket is closed",
  async (bench) => {
    bench.server.models = "silent";
    const closed = once(bench.server.events, "closed");
    assert.deepEqual(await idsOf(bench), ["guide", "thinker", "scripted", "probable", "viewer"]);
    await closed;
  },
  50,
);

withServer("a look that is cancelled closes its socket", async ({ server, sandbox }) => {
  server.models = "silent";
  const stop = new AbortController();
  const [listing, closed] = [once(server.events, "listing"), once(server.events, "closed")];
  const look = sandbox.findLocalModels(stop.signal);
  await listing;
  stop.abort();
  await assert.rejects(look);
  await closed;
});

withServer("a failed server is let be for longer and longer, unless someone asks for it", async (bench) => {
  const { server, clock, sandbox } = bench;
  server.models = "html";
  const asks = async (afterMs: number) => {
    clock.ms += afterMs;
    const before = server.listings;
    await idsOf(bench);
    return server.listings - before;
  };
  assert.equal(await asks(0), 1);
  assert.equal(await asks(4_000), 0);
  assert.equal(await asks(2_000), 1);
  assert.equal(await asks(6_000), 0);
  assert.equal(await asks(5_000), 1);
  server.models = ["llama3.2"];
  const { models } = await sandbox.findLocalModels(new AbortController().signal);
  assert.deepEqual(
    models.map(({ name }) => name),
    ["llama3.2"],
  );
  assert.ok((await idsOf(bench)).includes(`${server.slug}/llama3.2`));
});

withServer(
  "a chosen model whose server is gone is refused with the way on",
  async ({ server, sandbox, api }) => {
    const model = `${server.slug}/llama3.2`;
    sandbox.setModelServers([server.url]);
    await server.close();
    const gone = (error: unknown) =>
      isApiError(error) &&
      error.kind === "unavailable" &&
      /is not running.*Start it, or choose/.test(error.message);
    await assert.rejects(() => api.chat.complete(question(model)), gone);
    Object.assign(server, { close: async () => {} });
  },
);

test("without an address in its options a sandbox asks no server", async () => {
  const sandbox = await startTestSandbox({ limits: "none" });
  assert.deepEqual(await sandbox.findLocalModels(new AbortController().signal), { models: [], problems: [] });
  await sandbox.close();
});

withServer(
  "files of a question reach a model of this machine as their text, as at the service",
  async (bench) => {
    const { server, api } = bench;
    const id = `${server.slug}/llama3.2`;
    const fixture = (name: string) =>
      readFileSync(new URL(`../../fixtures/documents/${name}`, import.meta.url));
    const file = (name: string, data = fixture(name).toString("base64")) => ({
      type: "file" as const,
      file: { file_data: `data:application/octet-stream;base64,${data}`, filename: name },
    });
    const ask = (...content: readonly object[]) =>
      api.chat.complete(
        question(id, {
          messages: [{ role: "user", content: [...content, { type: "text", text: "How many?" }] as never }],
        }),
      );
    await ask(file("harvest.pdf"), file("harvest.docx"));
    const [{ messages }] = server.chats as [{ messages: [{ content: string }] }];
    assert.match(messages[0].content, /^harvest\.pdf:\nHarvest report\nThe orchard gave 1,250 kg/);
    assert.match(messages[0].content, /harvest\.docx:\n# Harvest report/);
    assert.match(messages[0].content, /How many\?$/);
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    await ask(image, file("harvest.pdf"));
    const mixed = server.chats.at(-1)?.messages as [{ content: { type: string }[] }];
    assert.deepEqual(
      mixed[0].content.map(({ type }) => type),
      ["image_url", "text", "text"],
    );
    for (const [part, words] of [
      [file("locked.pdf"), /locked with a password/],
      [file("scanned.pdf"), /no text/],
      [file("odd.bin", "%%%"), /must be base64/],
    ] as const)
      await assert.rejects(
        ask(part),
        (error) =>
          isApiError(error) &&
          error.details.status === 400 &&
          words.test(JSON.stringify(error.details.issues)),
      );
    assert.equal(server.chats.length, 2);
    assert.deepEqual((await api.billing.history({})).data, []);
  },
);

withServer(
  "a server that ignores `stream` sends one answer: its calls and its reasoning are read",
  async ({ server, api }) => {
    const call = (id: string, path: string) => ({
      index: 0,
      id,
      type: "function",
      function: { name: "read_file", arguments: JSON.stringify({ path }) },
    });
    const tool_calls = [call("a", "a.txt"), call("b", "b.txt")];
    const message = { role: "assistant", content: "<think>\nBoth.\n</think>\n\nI read.", tool_calls };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: "tool_calls" }] });
    server.script = { refusal: { status: 200, body } };
    const { answer, truncated } = await collect(await api.chat.stream(question(`${server.slug}/llama3.2`)));
    const said = answer.choices[0]?.message;
    assert.deepEqual([said?.content, said?.reasoning_content, truncated], ["I read.", "Both.", false]);
    assert.deepEqual(
      said?.tool_calls?.map((one) => one.function?.arguments),
      tool_calls.map((one) => one.function.arguments),
    );
  },
);

withServer("the words of a server in place of a stream are told", async ({ server, api }) => {
  server.script = { refusal: { status: 200, body: "the runner has\nno memory left" } };
  await assert.rejects(
    async () => allOf((await api.chat.stream(question(`${server.slug}/llama3.2`))).batches()),
    (error) => isApiError(error) && /not with a stream: the runner has no memory left/.test(error.message),
  );
});

const page =
  "<!DOCTYPE html><html><head><title>Sign in to the\n portal</title></head><body>Hello</body></html>";
const out = "the runner has no memory left";
for (const [name, body, words] of [
  ["words", "no healthy upstream", /^http:[^ ]+ answered with \S+, not with a stream: no healthy upstream/],
  ["a page", page, /not with a stream: Sign in to the portal/],
  [
    "a JSON error",
    JSON.stringify({ error: { message: out } }),
    /not with a stream: the runner has no memory/,
  ],
  [
    "an error in words",
    JSON.stringify({ error: out }, null, 2),
    /not with a stream: the runner has no memory/,
  ],
  ["an error of FastAPI", JSON.stringify({ detail: out }), /not with a stream: the runner has no memory/],
  ["an error of vLLM", JSON.stringify({ object: "error", message: out }), /stream: the runner has no memory/],
] as const)
  for (const type of ["text/event-stream", "text/plain; charset=utf-8"])
    withServer(
      `${name} of a local server as ${type} in place of an answer is told`,
      async ({ server, api }) => {
        server.script = { refusal: { status: 200, body, type } };
        await assert.rejects(
          async () => allOf((await api.chat.stream(question(`${server.slug}/llama3.2`))).batches()),
          (error) =>
            isApiError(error) && words.test(error.message) && !/middle|before the answer/.test(error.message),
        );
      },
    );

for (const [name, body, words] of [
  ["nothing", "", /broke off before the answer began/],
  ["only comments", ": keep-alive\n\n: keep-alive\n\n", /broke off before the answer began/],
  [
    "an error event",
    `data: ${JSON.stringify({ error: { message: out } })}\n\n`,
    /no memory.*before the answer/,
  ],
  ["an event of words", "data: upstream timed out\n\n", /not JSON \(upstream timed out\) before the answer/],
  ["a cut event", 'data: {"choices":[{"delta":{"content":"private', /not JSON before the answer began/],
] as const)
  withServer(`a stream of a local server with ${name} says so`, async ({ server, api }) => {
    server.script = { refusal: { status: 200, body, type: "text/event-stream" } };
    await assert.rejects(
      async () => allOf((await api.chat.stream(question(`${server.slug}/llama3.2`))).batches()),
      (error) => isApiError(error) && words.test(error.message) && !/private/.test(error.message),
    );
  });

withServer(
  "a whole answer that a local server calls an event stream is an answer",
  async ({ server, api }) => {
    const choices = [{ index: 0, message: { role: "assistant", content: "Hi." }, finish_reason: "stop" }];
    const body = JSON.stringify({ choices }, null, 2);
    server.script = { refusal: { status: 200, body, type: "text/event-stream" } };
    const { answer } = await collect(await api.chat.stream(question(`${server.slug}/llama3.2`)));
    assert.equal(answer.choices[0]?.message.content, "Hi.");
  },
);

withServer("arguments of calls go to the server as JSON objects", async ({ server, api }) => {
  const call = (id: string, text: string) => ({
    id,
    type: "function" as const,
    function: { name: "list", arguments: text },
  });
  const tool_calls = ["", '{"a":1}', '{"text":"one\ntwo"}', "{oops"].map((text, index) =>
    call(`c${index}`, text),
  );
  const custom = { id: "c4", type: "custom" as const, custom: { name: "list", input: "a text" } };
  const results = [...tool_calls, custom].map(({ id }) => ({
    role: "tool" as const,
    tool_call_id: id,
    content: "done",
  }));
  const messages = [
    { role: "user" as const, content: "?" },
    { role: "assistant" as const, content: null, tool_calls: [...tool_calls, custom] },
    ...results,
  ];
  await api.chat.complete({ model: `${server.slug}/llama3.2`, messages });
  const sent = (
    (server.chats.at(-1)?.messages ?? []) as readonly { readonly tool_calls?: typeof tool_calls }[]
  )[1];
  assert.deepEqual(
    sent?.tool_calls?.map((one) => one.function.arguments),
    ["{}", '{"a":1}', '{"text":"one\\ntwo"}', '{"invalid_arguments":"{oops"}', '{"input":"a text"}'],
  );
});
