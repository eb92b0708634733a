// Fragments of tool calls as servers send them, in all four places that read answers: they see the same calls.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ChatMode } from "../../../../../src/chat/protocol/agentModes.ts";
import { beginEvents, chunk, frame } from "../../../../loopback/answers.ts";
import type { Answer } from "../../../../loopback/server.ts";
import { clientOf, serve } from "../../../api/client.ts";
import { ask, openModels, user } from "../../../languageModels/editorModels.ts";
import { openLocalBench } from "../../../sandbox/chat/local/localBench.ts";
import { ended, openChat, openView, openViewWith, serveChat, type TestView } from "../../chat.ts";
import { tool } from "../../weatherTool.ts";

type Fragments = readonly (readonly object[])[];
interface Made {
  readonly name: string;
  readonly city: unknown;
}

const [a, b]: [Made, Made] = [
  { name: "get_weather", city: "Bern" },
  { name: "get_tides", city: "Oslo" },
];
const whole = ({ name, city }: Made) => ({ name, arguments: JSON.stringify({ city }) });
const [begin, end] = ['{"ci', 'ty":"Bern"}'];
const [other, last] = ['{"city":', '"Oslo"}'];

const habits: Readonly<Record<string, { readonly sent: Fragments; readonly calls: readonly Made[] }>> = {
  "the same index twice": {
    sent: [[{ index: 0, id: "1", function: whole(a) }], [{ index: 0, id: "2", function: whole(b) }]],
    calls: [a, b],
  },
  "name and id in each fragment": {
    sent: [begin, end].map((text) => [{ index: 0, id: "1", function: { name: a.name, arguments: text } }]),
    calls: [a],
  },
  "an index that counts fragments": {
    sent: [
      [{ index: 0, id: "1", function: { name: a.name, arguments: begin } }],
      [{ index: 1, function: { arguments: end } }],
      [{ index: 2, id: "2", function: whole(b) }],
    ],
    calls: [a, b],
  },
  "no index": {
    sent: [
      [{ id: "1", function: { name: a.name, arguments: begin } }],
      [{ function: { arguments: end } }],
      [{ id: "2", function: whole(b) }],
    ],
    calls: [a, b],
  },
  "no ids": {
    sent: [[{ index: 0, function: whole(a) }], [{ index: 1, function: whole(b) }]],
    calls: [a, b],
  },
  "a new id in each fragment": {
    sent: [
      [{ index: 0, id: "1", function: { name: a.name, arguments: begin } }],
      [{ index: 0, id: "2", function: { arguments: end } }],
    ],
    calls: [a],
  },
  "two calls in turn": {
    sent: [
      [
        { index: 0, id: "1", function: { name: a.name, arguments: begin } },
        { index: 1, id: "2", function: { name: b.name, arguments: other } },
      ],
      [
        { index: 0, function: { arguments: end } },
        { index: 1, function: { arguments: last } },
      ],
    ],
    calls: [a, b],
  },
};

const tools = ["get_weather", "get_tides"].map((name) => tool(name, async () => "Fine."));

/** The calls in the first answer of a chat. */
async function callsIn(view: TestView, mode: ChatMode): Promise<Made[]> {
  await view.say("setSettings", { settings: { mode, tools: tools.map(({ name }) => name) } });
  await view.say("send", { text: "Look", revision: 1 });
  const { messages } = await view.until(({ messages: all }) =>
    all.some((one) => one.role === "assistant" && (one.calls?.length ?? 0) > 0),
  );
  const answer = messages.find((one) => one.role === "assistant");
  const calls = answer?.role === "assistant" ? (answer.calls ?? []) : [];
  const made = calls.map(({ name, arguments: text }) => ({ name, city: JSON.parse(text).city }));
  await view.say("stop", {});
  await view.until((state) => ended(state) && !state.busy);
  return made;
}

/** Sends the fragments in its first answer, and text in each further one. */
function answering(sent: Fragments): Answer {
  let count = 0;
  return (_, response) => {
    count += 1;
    const events = count > 1 ? [chunk("Done.")] : sent.map((tool_calls) => deltaOf({ tool_calls }));
    beginEvents(response, ...events, deltaOf({}, count > 1 ? "stop" : "tool_calls"));
    response.end(frame("[DONE]"));
  };
}

function deltaOf(delta: object, finish: string | null = null) {
  return { ...chunk(""), choices: [{ index: 0, delta, finish_reason: finish }] };
}

async function inChat(t: TestContext, sent: Fragments, mode: ChatMode): Promise<Made[]> {
  const service = await serveChat(t);
  const { api } = await openChat(t, service).client();
  const { origin } = await serve(t, answering(sent));
  const loopback = clientOf(t, origin).api;
  const chat = openChat(t, service, { tools, api: { ...loopback, models: api.models } });
  return callsIn(await openViewWith(chat.controller, "guide"), mode);
}

async function inEditor(t: TestContext, sent: Fragments): Promise<Made[]> {
  const { models } = await openModels(t, answering(sent));
  const offered = tools.map(({ name, description }) => ({
    name,
    description,
    inputSchema: { type: "object" },
  }));
  const parts = await ask(models.respond, [user("Look")], { tools: offered });
  return parts.map((part) => {
    const { name, input } = part as { readonly name: string; readonly input: { readonly city: unknown } };
    return { name, city: input.city };
  });
}

async function throughSandbox(t: TestContext, sent: Fragments): Promise<Made[]> {
  const bench = await openLocalBench(t);
  bench.server.models = ["small"];
  bench.server.script = { deltas: sent.map((tool_calls) => ({ tool_calls })), words: [] };
  const { sandbox, api } = bench;
  const chat = openChat(t, { sandbox, remembered: new Map() }, { tools, api });
  const view = await openView(chat.controller);
  await view.until(({ models }) => models.status === "ready");
  await view.say("pickModel", { modelId: bench.idOf("small") });
  return callsIn(view, "ask");
}

for (const [habit, { sent, calls }] of Object.entries(habits))
  test(`${habit}: the same calls in the chat, for the agent, in the editor's chat and through the sandbox`, async (t) => {
    assert.deepEqual(await inChat(t, sent, "ask"), calls, "chat");
    assert.deepEqual(await inChat(t, sent, "agent"), calls, "agent");
    assert.deepEqual(await inEditor(t, sent), calls, "editor");
    assert.deepEqual(await throughSandbox(t, sent), calls, "sandbox");
  });
