// The gateway as OpenAI's own library uses it, and as nobody should.

import assert from "node:assert/strict";
import { chmodSync } from "node:fs";
import { test } from "node:test";
import OpenAI from "openai";
import { exactText } from "../../../../src/shared/money/exact.ts";
import { connection } from "../../session/budgetWindow.ts";
import { billed } from "../../session/spendGateKit.ts";
import { temporaryFolder } from "../../temporaryFolder.ts";
import { type Gateway, openGateway, sendRaw } from "../gatewayKit.ts";

const ask = { model: "echo", messages: [{ role: "user" as const, content: "Say this." }] };
const body = JSON.stringify(ask);

function libraryOf({ baseURL, token }: Gateway): OpenAI {
  return new OpenAI({ baseURL, apiKey: token, maxRetries: 0 });
}

test("openai-node gets an answer, whole and streamed, with its token counts", async (t) => {
  const openai = libraryOf(await openGateway(t));
  const whole = await openai.chat.completions.create(ask);
  assert.equal(whole.choices[0]?.message.content, "Say this.");
  assert.equal(whole.choices[0]?.finish_reason, "stop");
  assert.ok((whole.usage?.completion_tokens ?? 0) > 0);
  const events = [];
  for await (const event of await openai.chat.completions.create({
    ...ask,
    stream: true,
    stream_options: { include_usage: true },
  }))
    events.push(event);
  assert.equal(events.map(({ choices }) => choices[0]?.delta.content ?? "").join(""), "Say this.");
  assert.ok(events.at(-1)?.usage?.total_tokens);
  assert.deepEqual(new Set(events.map(({ object }) => object)), new Set(["chat.completion.chunk"]));
});

test("a stream without include_usage has no event with counts, and the call is recorded with its client", async (t) => {
  const gateway = await openGateway(t);
  const events = [];
  for await (const event of await libraryOf(gateway).chat.completions.create({ ...ask, stream: true }))
    events.push(event);
  assert.ok(events.every(({ choices }) => choices.length > 0));
  const [entry] = await gateway.window.spend.entries(connection);
  assert.deepEqual([entry?.source?.kind, entry?.source?.client], ["gateway", "Codex"]);
});

test("openai-node completes a text, whole and streamed", async (t) => {
  const openai = libraryOf(await openGateway(t));
  const asked = { model: "echo", prompt: "Say this.", max_tokens: 50 };
  const whole = await openai.completions.create(asked);
  assert.deepEqual(
    [whole.object, whole.choices[0]?.text, whole.choices[0]?.finish_reason],
    ["text_completion", "Say this.", "stop"],
  );
  assert.ok((whole.usage?.completion_tokens ?? 0) > 0);
  const texts = [];
  for await (const event of await openai.completions.create({ ...asked, stream: true }))
    texts.push(event.choices[0]?.text);
  assert.equal(texts.join(""), "Say this.");
});

test("openai-node gets a response, whole, streamed and continued", async (t) => {
  const openai = libraryOf(await openGateway(t));
  const first = await openai.responses.create({ model: "echo", input: "Say this." });
  assert.equal(first.output_text, "Say this.");
  assert.ok((first.usage?.output_tokens ?? 0) > 0);
  const stream = openai.responses.stream({
    model: "echo",
    input: "And this.",
    previous_response_id: first.id,
  });
  assert.equal((await stream.finalResponse()).output_text, "And this.");
});

test("openai-node gets vectors of texts, which are charged by their tokens", async (t) => {
  const gateway = await openGateway(t);
  const openai = libraryOf(gateway);
  // The library asks for base64 and decodes it.
  const { data, usage } = await openai.embeddings.create({
    model: "signature",
    input: ["the ferry leaves at nine", "when does the ferry leave"],
  });
  assert.deepEqual(
    data.map(({ index, embedding }) => [index, embedding.length]),
    [
      [0, 256],
      [1, 256],
    ],
  );
  assert.deepEqual(usage, { prompt_tokens: 10, total_tokens: 10 });
  const [entry] = await gateway.window.spend.entries(connection);
  assert.deepEqual([entry?.endpoint, entry?.model], ["embeddings.create", "signature"]);
  assert.equal(exactText(await billed(gateway.sandbox, temporaryFolder())), "0.000001");
  const failed = await sendRaw(gateway, {
    path: "/v1/embeddings",
    body: JSON.stringify({ model: "signature", input: [[1, 2]] }),
  });
  assert.equal(failed.status, 400);
  assert.match(failed.text, /input/);
});

test("openai-node lists the models, makes a picture and a sound", async (t) => {
  const openai = libraryOf(await openGateway(t));
  const models = (await openai.models.list()).data;
  assert.ok(models.some(({ id }) => id === "echo"));
  const picture = await openai.images.generate({ prompt: "a lighthouse", response_format: "b64_json" });
  assert.ok((picture.data?.[0]?.b64_json?.length ?? 0) > 1000);
  const sound = await openai.audio.speech.create({ model: "speaker", voice: "ada", input: "Hello." });
  assert.ok((await sound.arrayBuffer()).byteLength > 100);
});

test("a member that can't be translated is refused by name, and nothing is sent", async (t) => {
  const gateway = await openGateway(t);
  const before = gateway.sandbox.requestCount;
  const sent: readonly [object, string, RegExp][] = [
    [{ functions: [] }, "", /functions/],
    [{ logit_bias: { 5: 1 } }, "", /logit_bias/],
    [{ temperature: 7 }, "temperature", /temperature: .*is 7/],
    [{ messages: [{ role: "user" }] }, "messages.0.content", /messages\.0\.content/],
    [{ stream: "yes" }, "", /stream/],
  ];
  for (const [members, field, said] of sent) {
    const { status, text } = await sendRaw(gateway, { body: JSON.stringify({ ...ask, ...members }) });
    const { error } = JSON.parse(text);
    assert.equal(status, 400, text);
    assert.match(error.message, said);
    assert.match(error.message, /Nothing was sent\.$/);
    assert.equal(error.param ?? "", field);
  }
  assert.equal(gateway.sandbox.requestCount, before);
});

test("members that say nothing, and answers that are sent back as they came, are taken", async (t) => {
  const gateway = await openGateway(t);
  const openai = libraryOf(gateway);
  const { choices } = await openai.chat.completions.create({
    ...ask,
    service_tier: "auto",
    logit_bias: {},
    stop: null,
  });
  const [first] = choices;
  assert.ok(first);
  const again = await openai.chat.completions.create({
    ...ask,
    messages: [...ask.messages, { ...first.message, refusal: null }, { role: "user", content: "And this." }],
  });
  assert.equal(again.choices[0]?.message.content, "And this.");
});

test("what OpenCode and Cline send is taken: a cache key in camel case, and an empty text", async (t) => {
  const gateway = await openGateway(t);
  const content = [
    { type: "text", text: "" },
    { type: "text", text: "Say this." },
  ];
  const sent = { ...ask, promptCacheKey: "session-1", messages: [{ role: "user", content }] };
  const { status, text } = await sendRaw(gateway, { body: JSON.stringify(sent) });
  assert.equal(status, 200, text);
  const [posted] = gateway.sandbox.requests.filter(({ method }) => method === "POST");
  const arrived = JSON.parse(posted?.bodyText ?? "");
  assert.equal(arrived.prompt_cache_key, "session-1");
  assert.deepEqual(arrived.messages[0].content, content.slice(1));
});

test("an answer is not asked to be longer than its model can write", async (t) => {
  const gateway = await openGateway(t);
  for (const members of [{}, { max_tokens: 1_000_000 }, { max_completion_tokens: 1_000_000 }]) {
    const before = gateway.sandbox.requests.length;
    assert.equal((await sendRaw(gateway, { body: JSON.stringify({ ...ask, ...members }) })).status, 200);
    const posted = gateway.sandbox.requests.slice(before).find(({ method }) => method === "POST");
    const { max_tokens, max_completion_tokens } = JSON.parse(posted?.bodyText ?? "");
    assert.deepEqual([max_tokens, max_completion_tokens], [undefined, 32_768]);
  }
});

test("the calls of a subagent count for the session that has started it", async (t) => {
  const gateway = await openGateway(t, { sessionCapUsd: 1 });
  await sendRaw(gateway, { headers: { "x-session-id": "one" }, body });
  await sendRaw(gateway, { headers: { "x-session-id": "two", "x-parent-session-id": "one" }, body });
  assert.deepEqual(
    gateway.sessions.all.map(({ calls }) => calls),
    [2],
  );
});

const refusals: readonly [string, Parameters<typeof sendRaw>[1], number][] = [
  ["the page's own name (DNS rebinding)", { headers: { host: "evil.example:80" } }, 403],
  ["another port in Host", { headers: { host: "127.0.0.1:1" } }, 403],
  ["the page's origin", { headers: { origin: "https://evil.example" } }, 403],
  ["the origin null, as of a sandboxed page", { headers: { origin: "null" } }, 403],
  ["a page without an origin", { headers: { "sec-fetch-site": "cross-site" } }, 403],
  ["a page by its referer", { headers: { referer: "https://evil.example/" } }, 403],
  ["a request for permission", { method: "OPTIONS" }, 404],
  ["a form, which needs no permission", { headers: { "content-type": "text/plain" }, body }, 415],
  ["a compressed body", { headers: { "content-encoding": "gzip" }, body }, 415],
  ["no token", { headers: { authorization: "" }, body }, 401],
  ["another token", { headers: { authorization: `Bearer gw-${"a".repeat(43)}` }, body }, 401],
  ["two tokens that differ", { headers: { "x-api-key": `gw-${"a".repeat(43)}` }, body }, 401],
  ["a body that is no JSON", { body: "{" }, 400],
  ["a list", { body: "[]" }, 400],
  ["a body that is too deep", { body: `{"a":${"[".repeat(5000)}${"]".repeat(5000)}}` }, 400],
  ["another path", { path: "/v1/rerank", body }, 404],
  ["the prototype's path", { path: "/v1/__proto__", body }, 404],
];

test("what no program of this machine sends is refused, and nothing reaches the service", async (t) => {
  const gateway = await openGateway(t);
  const before = gateway.sandbox.requestCount;
  for (const [name, request, status] of refusals) {
    const token = request.headers?.authorization === "" ? "" : gateway.token;
    const answer = await sendRaw({ ...gateway, token }, request);
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
    assert.equal(answer.headers["access-control-allow-origin"], undefined);
    assert.match(JSON.parse(answer.text).error.message, /\.$/, name);
  }
  assert.equal(gateway.sandbox.requestCount, before);
});

test("a body over the limit is refused with its size, and the connection ends", async (t) => {
  const gateway = await openGateway(t);
  const big = JSON.stringify({ ...ask, messages: [{ role: "user", content: "x".repeat(35_000_000) }] });
  const { status, text } = await sendRaw(gateway, { body: big });
  assert.equal(status, 413);
  assert.match(text, /over 34 MB/);
});

test("a revoked token is refused at once, also by a window that has read it before", async (t) => {
  const gateway = await openGateway(t);
  assert.equal((await sendRaw(gateway, { body })).status, 200);
  await gateway.clients.revoke(gateway.client.id);
  const { status, text } = await sendRaw(gateway, { body });
  assert.equal(status, 401);
  assert.match(text, /revoked/);
});

test("a session spends at most its cap, by the ledger and by the bill, and another one has a cap of its own", async (t) => {
  const gateway = await openGateway(t, { sessionCapUsd: 0.001 });
  const call = (session: string) =>
    sendRaw(gateway, {
      headers: { session_id: session },
      body: JSON.stringify({ ...ask, max_completion_tokens: 10_000 }),
    });
  const answers = await Promise.all(Array.from({ length: 12 }, () => call("one")));
  const refused = answers.filter(({ status }) => status === 402);
  assert.ok(refused.length > 0 && refused.length < 12, String(refused.length));
  const { error } = JSON.parse(refused[0]?.text ?? "");
  assert.match(error.message, /more than the cap of this session has left.*Use with Other Agents…/);
  assert.equal(error.code, "insufficient_quota");
  assert.equal((await call("two")).status, 200);
  const entries = await gateway.window.spend.entries(connection);
  assert.equal(entries.length, 13 - refused.length);
  assert.equal(new Set(entries.map(({ source }) => source?.task)).size, 2);
  const bill = Number(exactText(await billed(gateway.sandbox, temporaryFolder())));
  assert.ok(bill > 0 && bill <= 0.002, String(bill));
});

test("on the Responses route a refusal that stays has the status after which Codex does not repeat it", async (t) => {
  const gateway = await openGateway(t, { sessionCapUsd: 0.000_000_1 });
  const path = "/v1/responses";
  const sent = JSON.stringify({ model: "echo", input: "Say this.", stream: true });
  const capped = await sendRaw(gateway, { path, body: sent });
  assert.equal(capped.status, 400);
  const { error } = JSON.parse(capped.text);
  assert.deepEqual([error.type, error.code], ["insufficient_quota", "insufficient_quota"]);
  assert.match(error.message, /more than the cap of this session has left/);
  for (const session of gateway.sessions.all) session.refusal = "The user stopped this session.";
  assert.equal((await sendRaw(gateway, { path, body: sent })).status, 400);
  // On this one a client signs in again.
  assert.equal(
    (await sendRaw({ ...gateway, token: `gw-${"a".repeat(43)}` }, { path, body: sent })).status,
    401,
  );
});

test("a client that goes away ends its call at the service", async (t) => {
  const gateway = await openGateway(t, {}, { tokensPerSecond: 50 });
  const arrived = gateway.sandbox.nextRequest({ method: "POST" });
  const leaving = new AbortController();
  const openai = libraryOf(gateway);
  const question = {
    model: "long",
    messages: [{ role: "user" as const, content: "20 KB" }],
    stream: true as const,
  };
  const stream = await openai.chat.completions.create(question, { signal: leaving.signal });
  for await (const _ of stream) break;
  leaving.abort();
  const logged = await arrived;
  await logged.ended;
  assert.equal(logged.aborted, true);
});

test("a limit of the service is passed on with its time, and nothing is sent again", async (t) => {
  const gateway = await openGateway(t, {}, {
    faults: [{ kind: "status", status: 429, headers: { "retry-after": "7" }, path: "/chat/completions" }],
  } as never);
  const { status, headers, text } = await sendRaw(gateway, { body });
  assert.equal(status, 429, text);
  assert.ok(Number(headers["retry-after"]) >= 6, JSON.stringify(headers));
  const posts = gateway.sandbox.requests.filter(({ path }) => path.endsWith("/chat/completions"));
  assert.equal(posts.length, 1);
});

test("a stopped session is refused with the way to go on", async (t) => {
  const gateway = await openGateway(t);
  await sendRaw(gateway, { body });
  for (const session of gateway.sessions.all) session.refusal = "The user stopped this session.";
  const { status, text } = await sendRaw(gateway, { body });
  assert.equal(status, 403);
  assert.match(text, /The user stopped this session/);
});

test("a client for private models alone gets no other one", async (t) => {
  const gateway = await openGateway(t, { isPrivateOnly: true });
  const models = await gateway.window.prices.models();
  const isPrivate = models.get("echo")?.model_spec?.privacy === "private";
  const { status, text } = await sendRaw(gateway, { body });
  assert.equal(status, isPrivate ? 200 : 403, text);
  const unknown = await sendRaw(gateway, { body: JSON.stringify({ ...ask, model: "nobody-knows-it" }) });
  assert.equal(unknown.status, 403);
  assert.match(unknown.text, /private/);
  const before = gateway.sandbox.requests.filter(({ method }) => method === "POST").length;
  for (const [path, input] of [
    ["/v1/images/generations", { prompt: "a lighthouse" }],
    ["/v1/images/generations", { prompt: "a lighthouse", model: "nobody-knows-it" }],
    ["/v1/audio/speech", { input: "Hello.", model: "nobody-knows-it" }],
  ] as const)
    assert.equal((await sendRaw(gateway, { path, body: JSON.stringify(input) })).status, 403, path);
  assert.equal(gateway.sandbox.requests.filter(({ method }) => method === "POST").length, before);
});

test("a token whose file others can read is refused with the step, and nothing is sent", async (t) => {
  if (process.platform === "win32") return;
  const gateway = await openGateway(t);
  const before = gateway.sandbox.requestCount;
  chmodSync(gateway.clients.tokenFile(gateway.client.id), 0o644);
  const { status, text } = await sendRaw(gateway, { body });
  assert.equal(status, 403);
  assert.match(
    JSON.parse(text).error.message,
    /choose the agent, and then “New Token”\. Nothing was sent\.$/,
  );
  assert.equal(gateway.sandbox.requestCount, before);
});
