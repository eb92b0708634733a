// A model whose context size nobody states: a refusal for its length bounds the next request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "../../../../../src/api/errors/errors.ts";
import { createLearnedContext } from "../../../../../src/chat/host/answer/learnedContext.ts";
import type { ModelCard } from "../../../../../src/shared/chat/chatModels.ts";
import { startModelServer } from "../../../sandbox/modelServer.ts";
import { openChat, openViewWith, serveChat } from "../../chat.ts";

const card: ModelCard = {
  ...{ id: "m", name: "m", capabilities: [], reasoningEfforts: [], traits: [], beta: false, offline: false },
};
const tooLong = (message: string) =>
  new ApiError("too-large", message, { status: 400, serviceCode: "TOO_MANY_TOKENS" });

test("each refusal lowers the size, or states it; other errors and another listed size do not", () => {
  let listed: ModelCard | undefined = card;
  const learned = createLearnedContext(() => listed);
  const size = () => learned.cardOf("m")?.contextTokens;
  learned.take("m", new ApiError("too-large", "the body is too large", { status: 413 }), 1000);
  learned.take("m", new ApiError("unavailable", "context length", { status: 503 }), 1000);
  learned.take("m", new Error("context length"), 1000);
  assert.equal(size(), undefined);
  for (const said of [
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    "request (5,000 tokens) exceeds the available context size (4,096 tokens), try increasing it",
    "the model is loaded with context length of only 4096 tokens, which is not enough",
  ]) {
    learned.take("m", tooLong(said), 10_000);
    assert.equal(size(), 4096, said);
  }
  learned.take("m", tooLong("the context window is exceeded"), 3000);
  assert.equal(size(), 2400);
  listed = { ...card, contextTokens: 32_768 };
  assert.equal(size(), 32_768, "the server was started with another size");
  learned.take("m", tooLong("context length exceeded"), 10_000);
  assert.equal(size(), 8000);
  listed = undefined;
  assert.equal(learned.cardOf("m"), undefined);
});

test("what was refused for its length is sent without the oldest turns", async (t) => {
  const server = await startModelServer();
  t.after(() => server.close());
  const options = { modelServers: [server.url], modelProbeMs: 10_000, testModels: false };
  const service = await serveChat(t, options);
  const view = await openViewWith(openChat(t, service).controller, `${server.slug}/llama3.2`);
  const ask = async (what: string) => {
    const before = server.chats.length;
    await view.say("send", { text: `${what} ${"word ".repeat(2000)}`, revision: Date.now() });
    await view.until(({ busy }) => !busy && server.chats.length > before);
    return JSON.stringify(server.chats.at(-1)?.messages);
  };
  for (const what of ["first", "second", "third"]) await ask(what);
  await view.until(({ context }) => context?.contextTokens === null);
  const message = "the request exceeds the available context size. try increasing the context size";
  // Some versions answer with 500.
  server.script = {
    refusal: { status: 500, body: { error: { message, type: "exceed_context_size_error" } } },
  };
  const refused = await ask("fourth");
  assert.match(view.state.problem?.explanation.sentence ?? "", /cannot fit this into the model's context/);
  assert.match(view.state.draft.text, /^fourth/);
  server.script = {};
  const sent = await ask("fourth");
  assert.ok(sent.length < refused.length * 0.81, `${sent.length} of ${refused.length}`);
  assert.match(sent, /fourth/);
  assert.doesNotMatch(sent, /first/);
});
