// A model on this machine in the modes that act: one without tools, and one that only reasons.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { AnswerMessage } from "../../../../src/chat/protocol/chatMessages.ts";
import { openLocalBench } from "../../sandbox/chat/local/localBench.ts";
import { openConsents } from "../../session/openConsents.ts";
import { ended, openChat, openViewWith } from "../chat.ts";
import { weather } from "../weatherTool.ts";

async function open(t: TestContext, mode: "agent" | "ask", isFree = true) {
  const bench = await openLocalBench(t, "standard");
  const service = { sandbox: bench.sandbox, remembered: new Map(), consents: openConsents() };
  const chat = openChat(t, service, { tools: [{ ...weather(), kind: "read", origin: "built-in" }] });
  if (isFree) chat.switchTo({ id: "sandbox", name: "Sandbox", kind: "sandbox" });
  const view = await openViewWith(chat.controller, bench.idOf("llama3.2"));
  await view.say("setSettings", { settings: mode === "ask" ? {} : { mode } });
  return { ...bench, view };
}

const answersOf = (messages: readonly { readonly role: string }[]) =>
  messages.filter((message): message is AnswerMessage => message.role === "assistant");

const bodies = ({ server }: Pick<Awaited<ReturnType<typeof open>>, "server">) =>
  server.chats as readonly { readonly tools?: unknown; readonly messages: readonly { content: string }[] }[];

test("a server that refuses tools: one sentence with the way on, and the next request has none once the user says so", async (t) => {
  for (const message of [
    "registry.ollama.ai/library/gemma:2b does not support tools",
    "tools param requires --jinja flag",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ]) {
    const bench = await open(t, "agent");
    const { server, view } = bench;
    server.next.push({ refusal: { status: 400, body: { error: { message, type: "api_error" } } } });
    await view.say("send", { text: "Fix it", revision: Date.now() });
    const { problem } = await view.until((state) => state.problem !== null && !state.busy);
    assert.match(
      problem?.explanation.sentence ?? "",
      /can't call tools \(.*Choose a model that can, or ask without tools\.$/,
    );
    assert.equal(problem?.explanation.actions[0]?.id, "withoutTools");
    assert.ok(bodies(bench)[0]?.tools);
    assert.equal(server.chats.length, 1, "nothing is sent before the user has chosen");
    await view.say("withoutTools", {});
    await view.say("retry", {});
    await view.until((state) => ended(state) && !state.busy);
    assert.equal(bodies(bench)[1]?.tools, undefined);
    assert.equal(view.state.settings.mode, undefined);
    assert.equal(view.answer.text, "Hello there.");
  }
});

test("a model whose server says that it has no tools is not asked in Agent, and answers in Ask", async (t) => {
  const bench = await open(t, "agent");
  const { server, view, sandbox } = bench;
  server.replies = {
    "/api/tags": () => ({ models: [] }),
    "/api/show": () => ({ capabilities: ["completion"] }),
  };
  await sandbox.findLocalModels(new AbortController().signal);
  sandbox.setModelServers([]);
  sandbox.setModelServers([server.url]);
  await view.say("reloadModels", {});
  await view.until(
    ({ models }) =>
      models.status === "ready" &&
      models.cards.some((card) => card.isLocal && !card.capabilities.includes("tools")),
  );
  await view.say("send", { text: "Fix it", revision: Date.now() });
  const { problem } = await view.until((state) => state.problem !== null && !state.busy);
  assert.match(
    problem?.explanation.sentence ?? "",
    /^llama3\.2:latest \(.*\) can't call tools, and the modes/,
  );
  assert.deepEqual(server.chats, []);
  await view.say("withoutTools", {});
  await view.say("retry", {});
  await view.until((state) => ended(state) && !state.busy);
  assert.equal(view.answer.text, "Hello there.");
});

test("a round of a task that is reasoning alone is asked for its answer once, if that costs nothing", async (t) => {
  const bench = await open(t, "agent");
  const { server, view } = bench;
  server.next.push({ reasoning: "I should answer.", words: [] });
  await view.say("send", { text: "Fix it", revision: Date.now() });
  await view.until((state) => ended(state) && !state.busy);
  const [answer, ...others] = answersOf(view.state.messages);
  assert.deepEqual([answer?.text, answer?.reasoning, others.length], ["Hello there.", "I should answer.", 0]);
  assert.equal(answer?.usage?.completionTokens, 6, "both requests are counted");
  assert.match(bodies(bench)[1]?.messages.at(-1)?.content ?? "", /^Your last reply had reasoning only/);
  // Not more than once.
  server.next.push({ reasoning: "Hm.", words: [] }, { reasoning: " Hm.", words: [] });
  await view.say("send", { text: "Again", revision: Date.now() });
  await view.until((state) => ended(state) && !state.busy && state.messages.length === 4);
  assert.equal(server.chats.length, 4);
  assert.equal(view.answer.state, "done");
  // The user may ask for it.
  await view.say("goOn", { answerId: view.answer.id });
  await view.until((state) => ended(state) && !state.busy && view.answer.text !== "");
  assert.equal(view.answer.text, "Hello there.");
  assert.match(bodies(bench)[4]?.messages.at(-1)?.content ?? "", /^Your last reply had reasoning only/);
});

test("in Ask nothing is asked for unasked", async (t) => {
  const bench = await open(t, "ask");
  const { server, view } = bench;
  server.next.push({ reasoning: "Hm.", words: [] });
  await view.say("send", { text: "Hi", revision: Date.now() });
  await view.until((state) => ended(state) && !state.busy);
  assert.equal(server.chats.length, 1);
});
