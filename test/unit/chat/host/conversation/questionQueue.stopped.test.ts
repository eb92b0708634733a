// A question that is typed in the moment of a stop: one that comes before it is kept, one that comes after it is answered.
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import {
  ended,
  type OpenOptions,
  openChat,
  openViewWith,
  serveChat,
  type TestChat,
  type TestView,
} from "../../chat.ts";
import { weather } from "../../weatherTool.ts";

const questions = ({ messages }: ChatState) =>
  messages.filter(({ role }) => role === "user").map(({ text }) => text);
let revision = Date.now();
const send = (view: TestView, text: string) => view.say("send", { text, revision: ++revision });
const lastCalls = ({ messages }: ChatState) => {
  const last = messages.at(-1);
  return (last?.role === "assistant" && last.calls) || [];
};
const isStreaming = ({ messages }: ChatState) => {
  const last = messages.at(-1);
  return last?.role === "assistant" && last.state === "streaming";
};
/** The page shows nothing that goes on. */
const looksStopped = (state: ChatState) =>
  ended(state) && lastCalls(state).every((call) => !["asks", "waits", "runs"].includes(call.state));

interface Opened {
  readonly chat: TestChat;
  readonly view: TestView;
}

async function open(
  t: TestContext,
  model: string,
  options: OpenOptions = {},
  tokensPerSecond = 1e6,
): Promise<Opened> {
  const service = await serveChat(t, { tokensPerSecond });
  const chat = openChat(t, service, options);
  return { chat, view: await openViewWith(chat.controller, model) };
}

/** A chat in the mode Agent whose model has called a tool. */
async function withCall(t: TestContext, called: ChatTool): Promise<Opened> {
  const opened = await open(t, "guide", { tools: [called] });
  await opened.view.say("setSettings", { settings: { mode: "agent" } });
  await send(opened.view, "Please use get_weather for Bern");
  await opened.view.until((state) => !state.busy && lastCalls(state).length === 1);
  return opened;
}

/** A chat whose model has called a tool that runs. */
const withRunning = (kind: ChatTool["kind"], run: (stopped: Promise<void>) => Promise<string>) => {
  return async (t: TestContext): Promise<Opened> => {
    const begun = Promise.withResolvers<void>();
    const opened = await withCall(t, {
      ...weather(),
      kind,
      // So that each kind asks.
      alwaysAsks: () => true,
      run(_, signal) {
        begun.resolve();
        return run(new Promise((resolve) => signal.addEventListener("abort", () => resolve())));
      },
    });
    const { id, calls } = opened.view.answer;
    await opened.view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
    await begun.promise;
    return opened;
  };
};

/** What is stopped, by name. */
const moments: Readonly<Record<string, (t: TestContext) => Promise<Opened>>> = {
  async "an answer that waits"(t) {
    const opened = await open(t, "echo");
    await send(opened.view, "one");
    return opened;
  },
  async "an answer that streams"(t) {
    const opened = await open(t, "echo", {}, 50);
    await send(opened.view, "one ".repeat(400));
    await opened.view.until(isStreaming);
    return opened;
  },
  "a call that asks": (t) => withCall(t, { ...weather(), kind: "command" }),
  "a command that runs": withRunning("command", async (stopped) => {
    await stopped;
    return "stopped";
  }),
  "a command that ends some time after its stop": withRunning("command", async (stopped) => {
    await stopped;
    await nextTurn();
    return "stopped";
  }),
  "an edit that is written some time after its stop": withRunning("edit", async (stopped) => {
    await stopped;
    await nextTurn();
    return "written";
  }),
  "a call that does not heed its stop": withRunning("read", () => new Promise(() => {})),
};

const ways: Readonly<Record<string, (opened: Opened) => unknown>> = {
  "on the page": ({ view }) => view.say("stop", {}),
  "by the command": ({ chat }) => chat.controller.stop(),
};

for (const [what, openMoment] of Object.entries(moments))
  for (const [way, stop] of Object.entries(ways)) {
    test(`${what}, stopped ${way}: a question typed before is queued and not sent, or sent and stopped`, async (t) => {
      const opened = await openMoment(t);
      const { view } = opened;
      const { busy } = view.state;
      await send(view, "typed");
      await stop(opened);
      assert.equal(view.state.busy, false);
      assert.deepEqual(
        [view.state.queue.map(({ text, isHeld }) => [text, isHeld]), questions(view.state).slice(1)],
        busy ? [[["typed", true]], []] : [[], ["typed"]],
      );
    });

    test(`${what}, stopped ${way}: a question typed in the same moment is answered`, async (t) => {
      const opened = await openMoment(t);
      const { view } = opened;
      await Promise.all([stop(opened), send(view, "typed")]);
      assert.deepEqual([view.state.queue, questions(view.state).slice(1)], [[], ["typed"]]);
      await view.until((state) => ended(state) && !state.busy);
      assert.equal(view.answer.state, "done");
    });

    test(`${what}, stopped ${way}: a question typed when it looks stopped is answered`, async (t) => {
      const opened = await openMoment(t);
      const { view } = opened;
      const stopped = view.until(looksStopped).then(() => send(view, "typed"));
      void stop(opened);
      await stopped;
      assert.deepEqual([view.state.queue, questions(view.state).slice(1)], [[], ["typed"]]);
      await view.until((state) => ended(state) && !state.busy);
      assert.equal(view.answer.state, "done");
    });
  }

/** What asks the user something before it sends a request, in a chat with two questions. */
const actions: Readonly<Record<string, (view: TestView) => Promise<void>>> = {
  "a question": (view) => send(view, "two"),
  "an edited question": (view) =>
    view.say("edit", { questionId: view.state.messages[2]?.id ?? "", text: "two" }),
  "another answer": (view) => view.say("retry", { answerId: view.answer.id }),
  "the rest of an answer": (view) => view.say("goOn", { answerId: view.answer.id }),
};
const asks: Readonly<Record<string, (opened: Opened) => unknown>> = {
  "another service": ({ chat }) =>
    chat.switchTo({ id: "c2", name: "Other", baseUrl: "https://other.example.com/api/v1" }),
  "a budget": ({ view }) => view.say("setSettings", { settings: { budgetUsd: 1e-9 } }),
};

for (const [what, act] of Object.entries(actions))
  for (const [why, makeAsk] of Object.entries(asks))
    test(`${what} that waits for the user's word about ${why} is not sent after a stop, and the next question is`, async (t) => {
      let isAsked = false;
      const opened = await open(t, "echo", {
        chooses: "Send All",
        async onConfirm() {
          if (isAsked) return;
          isAsked = true;
          await opened.view.say("stop", {});
        },
      });
      const { view } = opened;
      for (const text of ["zero", "one"]) {
        await send(view, text);
        await view.until((state) => ended(state) && !state.busy);
      }
      const before = view.state.messages;
      await makeAsk(opened);
      await view.until(({ models }) => models.status === "ready");
      await act(view);
      assert.equal(isAsked, true);
      assert.deepEqual([view.state.messages, view.state.queue, view.state.busy], [before, [], false]);
      await send(view, "three");
      await view.until((state) => ended(state) && !state.busy);
      assert.deepEqual(questions(view.state), ["zero", "one", "three"]);
    });

test("results that wait for the user's word about another service are not sent after a stop", async (t) => {
  let asked = 0;
  const service = await serveChat(t, {});
  const chat = openChat(t, service, {
    tools: [{ ...weather(), kind: "command" }],
    chooses: "Send All",
    onConfirm: async () => {
      asked += 1;
      await view.say("stop", {});
    },
  });
  const view = await openViewWith(chat.controller, "guide");
  await view.say("setSettings", { settings: { mode: "agent" } });
  await send(view, "Please use get_weather for Bern");
  await view.until((state) => !state.busy && lastCalls(state).length === 1);
  chat.switchTo({ id: "c2", name: "Other", baseUrl: "https://other.example.com/api/v1" });
  const { id, calls } = view.answer;
  await view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
  await view.until((state) => lastCalls(state)[0]?.state === "done");
  await nextTurn();
  assert.deepEqual([asked, view.state.messages.length, view.state.busy], [1, 2, false]);
});

for (const kind of ["command", "edit"] as const) {
  test(`a question after the stop of ${kind === "edit" ? "an edit" : "a command"} is sent once all is known of it`, async (t) => {
    const begun = Promise.withResolvers<void>();
    const over = Promise.withResolvers<void>();
    let output = "";
    const service = await serveChat(t, {});
    const called: ChatTool = {
      ...weather(),
      kind,
      alwaysAsks: () => true,
      async run(_, __, { began }) {
        if (kind === "command") began(() => ({ output }));
        begun.resolve();
        await over.promise;
        return "written late";
      },
    };
    const chat = openChat(t, service, { tools: [called] });
    const view = await openViewWith(chat.controller, "guide");
    await view.say("setSettings", { settings: { mode: "agent" } });
    await send(view, "Please use get_weather for Bern");
    await view.until((state) => !state.busy && lastCalls(state).length === 1);
    const { id, calls } = view.answer;
    await view.say("decideCall", { answerId: id, callId: calls?.[0]?.id ?? "", decision: "once" });
    await begun.promise;
    await view.say("stop", {});
    const toModel = () =>
      service.sandbox.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
    const before = toModel();
    await send(view, "What was done?");
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    assert.deepEqual([view.answer.state, toModel()], ["waiting", before]);
    const sent = service.sandbox.nextRequest({ path: "/chat/completions" });
    output = "written late";
    over.resolve();
    assert.match((await sent).bodyText, /written late/);
    await view.until((state) => ended(state) && !state.busy);
    assert.equal(view.answer.state, "done");
  });
}

test("a question that waits for the end of a stopped command can be stopped", async (t) => {
  const opened = await withRunning("command", () => new Promise(() => {}))(t);
  const { view } = opened;
  await view.say("stop", {});
  await send(view, "What was done?");
  assert.equal(view.answer.state, "waiting");
  await view.say("stop", {});
  assert.deepEqual([view.answer.state, view.state.busy], ["stopped", false]);
});
