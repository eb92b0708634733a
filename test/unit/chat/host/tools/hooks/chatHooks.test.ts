// What hooks can do to the calls and to the task of a chat: refuse, ask, add and stop, never approve.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createLastRound } from "../../../../../../src/chat/host/agent/lastRound.ts";
import { createLiveChat, type LiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { ChatHooks } from "../../../../../../src/chat/host/tools/hooks/chatHooks.ts";
import { type HookSays, nothingSaid } from "../../../../../../src/chat/host/tools/hooks/hookOutput.ts";
import type { HookOccasion } from "../../../../../../src/chat/host/tools/hooks/windowHooks.ts";
import { createToolRounds } from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { isCallOver, type ToolCallCard } from "../../../../../../src/chat/protocol/chatMessages.ts";
import type { ChatSettings } from "../../../../../../src/chat/protocol/chatSettings.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";
import { tool } from "../../../weatherTool.ts";
import { beforeCall, openHookPlace, scriptHook } from "./hookKit.ts";

interface Options {
  /** What the hooks say at each event. */
  readonly says?: (occasion: HookOccasion) => Partial<HookSays> | Promise<Partial<HookSays>>;
  readonly mode?: ChatSettings["mode"];
  readonly tools?: readonly ChatTool[];
}

/** A chat with one answer, whose calls run between hooks. */
function open({ says = () => ({}), mode = "agent", tools = [] }: Options) {
  const occasions: HookOccasion[] = [];
  const [next, ran]: [string[], string[]] = [[], []];
  const chat = createLiveChat(silent);
  const read = tool("get_weather", async ({ city }) => {
    ran.push(String(city));
    return "Sunny.";
  });
  const all = [read, ...tools];
  const names = all.map(({ name }) => name);
  chat.set({ settings: { mode, tools: names } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add({ ...answerWith("a"), startedAtMs: Date.now() }, "q");
  const hooks = new ChatHooks(chat, {
    has: async () => true,
    run: async (occasion) => {
      occasions.push(occasion);
      return { ...nothingSaid, ...(await says(occasion)) };
    },
  });
  const rounds = createToolRounds({
    ...{ chat, hooks, results: noResults, tools: () => all, connectionId: () => "c" },
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    next: (answerId) => void next.push(answerId),
  });
  const begin = (...calls: readonly (readonly [name: string, city: string])[]) =>
    rounds.begin(
      "a",
      calls.map(([name, city], index) => ({ id: `c${index}`, name, arguments: JSON.stringify({ city }) })),
      names,
    );
  return { chat, hooks, rounds, occasions, next, ran, begin };
}

const answerOf = (chat: LiveChat) => {
  const answer = chat.tree.get("a");
  return answer?.role === "assistant" ? answer : undefined;
};
const callsOf = (chat: LiveChat) => answerOf(chat)?.calls ?? [];

/** Resolves once the calls match. */
const until = (chat: LiveChat, isSo: (calls: readonly ToolCallCard[]) => boolean) =>
  new Promise<void>((resolve) => {
    const change = chat.change.bind(chat);
    const look = () => isSo(callsOf(chat)) && resolve();
    chat.change = (...changed) => {
      change(...changed);
      look();
    };
    look();
  });
const over = (calls: readonly ToolCallCard[]) => calls.length > 0 && calls.every(isCallOver);

test("hooks are told of a call and of its result, and what they add goes to the model", async () => {
  const { chat, occasions, begin } = open({
    says: ({ event }) => ({ context: [`from ${event}`], notes: [`note of ${event}`] }),
  });
  begin(["get_weather", "Bern"]);
  await until(chat, over);
  const call = { tool_name: "get_weather", tool_input: { city: "Bern" }, tool_use_id: "c0" };
  assert.deepEqual(
    occasions.map(({ event, input, session }) => [event, input, session === chat.state.conversationId]),
    [
      ["PreToolUse", call, true],
      ["PostToolUse", { ...call, tool_response: "Sunny." }, true],
    ],
  );
  assert.equal(callsOf(chat)[0]?.result, "Sunny.\nfrom PreToolUse\nfrom PostToolUse");
  assert.deepEqual(answerOf(chat)?.notes, ["note of PreToolUse", "note of PostToolUse"]);
});

test("a call that hooks refuse does not run, and the model gets the reason; the task goes on", async () => {
  const { chat, occasions, next, ran, begin } = open({
    says: ({ input }) =>
      JSON.stringify(input).includes("Bern") ? { refusal: 'the hook "x" of a.json: not Bern' } : {},
  });
  begin(["get_weather", "Bern"], ["get_weather", "Rome"]);
  await until(chat, over);
  assert.deepEqual(ran, ["Rome"]);
  const [first, second] = callsOf(chat);
  assert.deepEqual([first?.state, second?.state], ["failed", "done"]);
  assert.equal(first?.result, 'Not run: it was refused by the hook "x" of a.json: not Bern');
  assert.equal(occasions.filter(({ event }) => event === "PostToolUse").length, 1);
  assert.deepEqual(next, ["a"]);
});

test("hooks that ask force the card of a call that would run unasked, and it runs once the user allows it", async () => {
  const { chat, rounds, ran, begin } = open({
    says: ({ event }) => (event === "PreToolUse" ? { ask: 'the hook "x" of a.json: sure?' } : {}),
  });
  begin(["get_weather", "Bern"]);
  await until(chat, ([call]) => call?.question !== undefined);
  assert.equal(callsOf(chat)[0]?.state, "asks");
  assert.equal(callsOf(chat)[0]?.question, 'You are asked by the hook "x" of a.json: sure?');
  assert.deepEqual(ran, []);
  rounds.decide("a", "c0", "task");
  await until(chat, over);
  assert.deepEqual(ran, ["Bern"]);
});

test("a hook that prints an approval gets nothing: the call asks, and Skip keeps it from running", async () => {
  const place = openHookPlace();
  const allow = { permissionDecision: "allow", permissionDecisionReason: "fine" };
  const says = JSON.stringify({ decision: "approve", continue: true, ...allow, hookSpecificOutput: allow });
  place.write(
    "a.js",
    `require("fs").writeFileSync("ran", ""); process.stdout.write(${JSON.stringify(says)})`,
  );
  place.hooks({ PreToolUse: [scriptHook("a.js")] });
  const window = place.open();
  let ran = 0;
  const deploy: ChatTool = { ...tool("deploy", async () => String(++ran)), kind: "command" };
  const { chat, rounds, begin } = open({ says: (occasion) => window.run(occasion), tools: [deploy] });
  begin(["get_weather", "Bern"], ["deploy", "Bern"]);
  await until(chat, ([first]) => first?.state === "done");
  assert.equal(callsOf(chat)[1]?.state, "asks");
  rounds.decide("a", "c1", "skip");
  await until(chat, over);
  assert.equal(ran, 0);
  assert.deepEqual(await window.run(beforeCall), nothingSaid);
});

test("hooks that stop the task refuse the calls that have not begun, and the user is told why", async () => {
  const halt = 'the hook "x" of a.json: enough';
  for (const at of ["PreToolUse", "PostToolUse"] as const) {
    const deploy: ChatTool = { ...tool("deploy", async () => "deployed"), kind: "command" };
    const { chat, next, ran, begin } = open({
      says: ({ event }) => (event === at ? { halt } : {}),
      tools: [deploy],
    });
    begin(["get_weather", "Bern"], ["deploy", "Bern"]);
    await until(chat, over);
    assert.deepEqual(ran, at === "PreToolUse" ? [] : ["Bern"]);
    assert.equal(callsOf(chat)[1]?.result, "A hook stopped the task before this call began: it was not run.");
    assert.deepEqual(next, []);
    assert.equal(chat.state.notice?.text, `The task was stopped by ${halt}. Press Continue to go on.`);
    assert.deepEqual(answerOf(chat)?.notes, [`The task was stopped by ${halt}. It stopped here.`]);
  }
});

test("Stop ends the hooks of a call: it has not run, and what they say then counts for nothing", async () => {
  const begun = Promise.withResolvers<HookOccasion>();
  const { chat, rounds, ran, next, begin } = open({
    says: (occasion) =>
      new Promise((_, reject) => {
        begun.resolve(occasion);
        occasion.signal.addEventListener("abort", () => reject(occasion.signal.reason));
      }),
  });
  begin(["get_weather", "Bern"]);
  await begun.promise;
  await rounds.stop();
  assert.equal(callsOf(chat)[0]?.result, "The user stopped before this call began: it was not run.");
  assert.deepEqual([ran, next], [[], ["a"].slice(1)]);
});

test("hooks that can't be read refuse the call: they may have been there to refuse it", async () => {
  const { chat, ran, begin } = open({ says: () => Promise.reject(new Error("no room")) });
  begin(["get_weather", "Bern"]);
  await until(chat, over);
  assert.deepEqual([ran, callsOf(chat)[0]?.state, callsOf(chat)[0]?.result], [[], "failed", "no room"]);
});

test("a call that follows an edit waits for the hooks after it", async () => {
  const log: string[] = [];
  const edit: ChatTool = {
    ...tool("edit_file"),
    kind: "edit",
    async run(_, __, { written }) {
      written();
      log.push("edited");
      return "edited";
    },
  };
  const { chat, begin } = open({
    says({ event, input }) {
      log.push(`${event} ${String(input.tool_name)}`);
      return {};
    },
    tools: [edit],
  });
  begin(["edit_file", "Bern"], ["get_weather", "Bern"]);
  await until(chat, over);
  assert.deepEqual(log, [
    "PreToolUse edit_file",
    "edited",
    "PostToolUse edit_file",
    "PreToolUse get_weather",
    "PostToolUse get_weather",
  ]);
});

test("hooks at the end of a task let it go on with their reason, five times at most", async () => {
  const { chat, hooks, occasions } = open({
    says: () => ({ goOn: 'the hook "x" of a.json: run the tests' }),
  });
  const sent: string[] = [];
  const sendNote = async (_: string, note: string) => {
    sent.push(note);
    return true;
  };
  const report = (error: unknown) => assert.fail(String(error));
  const lastRound = createLastRound(chat, { tools: {}, hooks, sendNote, report });
  for (let times = 0; times < 6; times++) {
    lastRound("a");
    while (occasions.length <= times) await nextTurn();
    // It is sent in the turn after.
    await nextTurn();
  }
  assert.equal(sent.length, 5);
  assert.equal(sent[0], 'The task goes on because of the hook "x" of a.json: run the tests');
  assert.deepEqual(
    occasions.map(({ event, input }) => [event, input]),
    [false, true, true, true, true, true].map((isActive) => ["Stop", { stop_hook_active: isActive }]),
  );
  assert.match(answerOf(chat)?.notes?.join() ?? "", /have let this task go on 5 times\. It ends here\.$/);
});

test("what hooks at the end of a task change belongs to its last answer, and a closed chat ends them", async () => {
  const change = { uri: "file:///w/a.ts", before: "old", after: "new" };
  const { chat, hooks, occasions } = open({
    says: ({ changed }) => {
      changed([change]);
      return { halt: "done" };
    },
  });
  assert.equal(await hooks.taskEnded("a"), undefined);
  assert.deepEqual(answerOf(chat)?.changes, [change]);
  hooks.dispose();
  assert.equal(occasions[0]?.signal.aborted, true);
});
