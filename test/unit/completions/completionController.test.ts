import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dialects } from "../../../src/api/dialect/dialect.ts";
import type { Model } from "../../../src/api/endpoints/models.ts";
import {
  type CompletionSettings,
  type CompletionState,
  createCompletionController,
} from "../../../src/completions/completionController.ts";
import type { CursorContext } from "../../../src/completions/context/cursorContext.ts";
import { createHourCap } from "../../../src/completions/limits/hourCap.ts";
import type { Client } from "../../../src/session/session.ts";
import { noNames } from "../../../src/shared/chat/modelNames.ts";
import { sendJson } from "../../loopback/answers.ts";
import type { Answer } from "../../loopback/server.ts";
import { canary, serve } from "../api/client.ts";
import { createClock } from "../sandbox/clock.ts";
import { connection, openWindow } from "../session/budgetWindow.ts";
import { temporaryFolder } from "../temporaryFolder.ts";

const priced = (id: string, usd: number, traits: readonly string[] = [], capabilities = {}): Model => ({
  id,
  type: "text",
  model_spec: {
    name: id,
    traits: [...traits],
    capabilities,
    pricing: { input: { usd }, output: { usd: 4 * usd } },
  },
});
const listed = [
  priced("large", 5),
  priced("small", 0.5),
  priced("thinker", 0.1, [], { supportsReasoning: true }),
];

const usage = { prompt_tokens: 3_000, completion_tokens: 10, total_tokens: 3_010 };
const completion = (content: string) => ({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "small",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content } }],
  usage,
});

interface Options {
  readonly models?: readonly Model[];
  readonly settings?: Partial<CompletionSettings>;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** A controller with a real client and ledger, and a service that answers completions as the test wants. */
async function open(t: TestContext, answer: Answer, { models = listed, settings = {}, wait }: Options = {}) {
  const server = await serve(t, (request, response) =>
    request.url.includes("/models")
      ? sendJson(response, 200, { object: "list", data: models })
      : answer(request, response),
  );
  const clock = createClock();
  const budgets = { dayUsd: undefined, monthUsd: undefined, hardStop: false };
  const baseUrl = `${server.origin}/api/v1`;
  const folder = temporaryFolder();
  const window = openWindow({ folder, baseUrl, apiKey: canary, budgets, now: clock.now, models });
  const { spend, api } = window;
  t.after(() => assert.deepEqual([window.asked, window.problems], [[], []]));
  const source = { kind: "completion" } as const;
  const named = {
    models: api.models,
    chat: {
      complete: (input: never, options: object) => api.chat.complete(input, { ...options, source }),
    },
  };
  const prices = { names: async () => noNames };
  const client = {
    ...{ connection, api: named, prices },
    root: "",
    dialect: dialects.standard,
  } as unknown as Client;
  const states: CompletionState[] = [];
  const chosen = { model: "", debounceMs: 0, hourUsd: 1, ...settings };
  const controller = createCompletionController({
    client: async () => client,
    consentTo: () => "paid",
    active: () => connection,
    settings: () => chosen,
    cap: createHourCap(async () => spend, clock.now),
    onState: (state) => states.push(state),
    now: clock.now,
    wait: wait ?? (async () => {}),
  });
  const asked = () => server.received.filter(({ url }) => url.includes("/chat/"));
  return { controller, server, asked, states, clock, spend, chosen };
}

function at(before: string, after = "\n"): CursorContext {
  const lines = before.split("\n");
  return {
    uri: "file:///work/a.ts",
    name: "a.ts",
    languageId: "typescript",
    before,
    after,
    line: lines.length - 1,
    character: lines.at(-1)?.length ?? 0,
  };
}
const request = (before: string, isExplicit = false) => ({
  at: at(before),
  isExplicit,
  tabSize: undefined,
  neighbours: () => [],
});
const forever = new AbortController().signal;
const answering =
  (content: string): Answer =>
  (_, response) =>
    sendJson(response, 200, completion(content));

test("the request: a small model, few tokens, temperature 0, the text around the cursor", async (t) => {
  const { controller, asked } = await open(t, answering("1 + 2;"));
  assert.deepEqual(await controller.complete(request("let a = "), forever), { text: "1 + 2;", isNew: true });
  const body = JSON.parse(asked()[0]?.body ?? "");
  assert.equal(body.model, "small");
  assert.deepEqual([body.max_completion_tokens, body.temperature, body.stop], [64, 0.1, ["\n\n"]]);
  assert.match(body.messages[1].content, /File: a\.ts\nLanguage: typescript\n/);
});

test("prefers the model that the service calls the fastest; a reasoning model gets its lowest effort", async (t) => {
  const effort = {
    supportsReasoning: true,
    supportsReasoningEffort: true,
    reasoningEffortOptions: ["low", "high"],
  };
  const models = [...listed, priced("swift", 9, ["fastest"], effort)];
  const { controller, asked } = await open(t, answering("x"), { models });
  await controller.complete(request("let a = "), forever);
  const { model, reasoning_effort, service_parameters } = JSON.parse(asked()[0]?.body ?? "");
  assert.deepEqual([model, reasoning_effort, service_parameters.disable_thinking], ["swift", "low", true]);
});

test("recorded typing: one request, and typing along the completion needs no other", async (t) => {
  const { controller, asked } = await open(t, answering("left + right;"));
  const texts: (string | undefined)[] = [];
  for (const typed of ["", "l", "le", "lef", "left"])
    texts.push((await controller.complete(request(`return ${typed}`), forever))?.text);
  assert.deepEqual(texts, ["left + right;", "eft + right;", "ft + right;", "t + right;", " + right;"]);
  assert.equal(asked().length, 1);
});

test("typing on during the delay sends nothing", async (t) => {
  const waiting = Promise.withResolvers<void>();
  const wait = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      waiting.resolve();
    });
  const { controller, server, states } = await open(t, answering("x"), { wait });
  const typing = new AbortController();
  const completing = controller.complete(request("let a = "), typing.signal);
  await waiting.promise;
  typing.abort();
  assert.equal(await completing, undefined);
  assert.deepEqual([server.received.length, states.length], [0, 0]);
});

test("typing on ends the request down to the socket; its bound counts, because it may be billed", async (t) => {
  const { controller, server, spend, clock, states } = await open(t, () => {});
  const typing = new AbortController();
  const completing = controller.complete(request("let a = "), typing.signal);
  const sent = await server.arrival(1);
  typing.abort();
  assert.equal(await completing, undefined);
  assert.equal(typeof (await sent.closed), "number");
  assert.equal(states.at(-1)?.kind, "ready");
  const [entry] = await spend.completions(connection, clock.now() - 1);
  assert.equal(entry?.cost, undefined);
  assert.equal(entry?.most?.sign, 1);
});

test("a new place ends the request of the one before: one request at a time", async (t) => {
  let count = 0;
  const { controller, server } = await open(t, (_, response) => {
    if (++count > 1) sendJson(response, 200, completion("second"));
  });
  const first = controller.complete(request("let a = "), forever);
  const sent = await server.arrival(1);
  assert.equal((await controller.complete(request("let b = "), forever))?.text, "second");
  assert.equal(await first, undefined);
  await sent.closed;
});

test("after a failure nothing is sent for a while, except on request; success ends the pause", async (t) => {
  let fails = true;
  const { controller, asked, clock } = await open(t, (_, response) =>
    fails ? sendJson(response, 500, { error: "busy" }) : sendJson(response, 200, completion("1;")),
  );
  await controller.complete(request("let a = "), forever);
  assert.equal(controller.state.kind, "failed");
  for (const name of ["b", "c", "d"]) await controller.complete(request(`let ${name} = `), forever);
  assert.equal(asked().length, 1);
  clock.advance(16_000);
  await controller.complete(request("let e = "), forever);
  assert.equal(asked().length, 2);
  clock.advance(16_000);
  await controller.complete(request("let f = "), forever);
  assert.equal(asked().length, 2);
  fails = false;
  assert.equal((await controller.complete(request("let g = ", true), forever))?.text, "1;");
  assert.equal(controller.state.kind, "ready");
});

test("the limit per hour: no request once it could be exceeded, and on with it after an hour", async (t) => {
  const { controller, asked, clock, chosen, spend } = await open(t, answering("1;"));
  await controller.complete(request("let a = "), forever);
  const [first] = await spend.completions(connection, 0);
  assert.ok(first?.cost);
  Object.assign(chosen, { hourUsd: 0.002 });
  await controller.complete(request("let b = "), forever);
  assert.equal(asked().length, 1);
  assert.deepEqual(controller.state, { kind: "capped", untilMs: first.atMs + 3_600_000 });
  clock.advance(3_600_001);
  await controller.complete(request("let c = "), forever);
  assert.equal(asked().length, 2);
});

test("a limit below one completion never resumes; 0 means no limit; a model without a price needs that", async (t) => {
  const unpriced: Model = { id: "free", type: "text", model_spec: { name: "free" } };
  const { controller, asked, chosen } = await open(t, answering("1;"), { models: [...listed, unpriced] });
  Object.assign(chosen, { hourUsd: 0.000_001 });
  await controller.complete(request("let a = "), forever);
  assert.deepEqual(controller.state, { kind: "capped", untilMs: Number.POSITIVE_INFINITY });
  Object.assign(chosen, { model: "free", hourUsd: 1 });
  controller.reset();
  await controller.complete(request("let b = "), forever);
  assert.match(String(controller.state.kind === "failed" && controller.state.error), /no price for free/);
  assert.equal(asked().length, 0);
  Object.assign(chosen, { hourUsd: 0 });
  controller.reset();
  assert.ok(await controller.complete(request("let c = "), forever));
});

test("a model that is not listed is not replaced by another one", async (t) => {
  const { controller, asked } = await open(t, answering("1;"), { settings: { model: "constructor" } });
  await controller.complete(request("let a = "), forever);
  assert.match(
    String(controller.state.kind === "failed" && controller.state.error),
    /does not list the model constructor/,
  );
  assert.equal(asked().length, 0);
});

test("the middle of a line is left alone", async (t) => {
  const { controller, server } = await open(t, answering("1;"));
  const middle = { ...request("let a"), at: at("let a", " = 1;\n") };
  assert.equal(await controller.complete(middle, forever), undefined);
  assert.equal(server.received.length, 0);
});
