// What ends the calls of a task: a limit, another mode, another conversation, a closed chat.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FileChange, PendingChanges } from "../../../../../src/changes/engine/pendingChanges.ts";
import { createAgentControls } from "../../../../../src/chat/host/agent/agentControls.ts";
import { createLiveChat } from "../../../../../src/chat/host/conversation/liveChat.ts";
import {
  createToolRounds,
  type ToolRoundsDeps,
} from "../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { ChatSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { answerWith, silent } from "../../answerMessage.ts";
import { noResults } from "../../noResults.ts";

const changeOf = (name: string): FileChange => ({
  uri: `file:///w/${name}`,
  before: "old",
  after: "new",
});

/** A task whose tool `edit_file` ends when it is told to, whether or not it is aborted. */
function openTask(more: Partial<ToolRoundsDeps> = {}) {
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent" } });
  const next: string[] = [];
  const signals: AbortSignal[] = [];
  const written = Promise.withResolvers<void>();
  const edit: ChatTool = {
    name: "edit_file",
    kind: "edit",
    title: "Edit",
    description: "Edits",
    parameters: { type: "object" },
    origin: "built-in",
    fingerprint: async () => "edit",
    summary: () => "Edit",
    async run(_, signal, context) {
      signals.push(signal);
      await written.promise;
      context.changed([changeOf("a.txt")]);
      return "done";
    },
  };
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => [edit],
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
    next: (answerId) => void next.push(answerId),
    ...more,
  });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a", { startedAtMs: Date.now() }), "q");
  const begin = async (count = 1, answerId = "a") => {
    const calls = Array.from({ length: count }, (_, at) => ({
      id: `c${at}`,
      name: "edit_file",
      arguments: "{}",
    }));
    rounds.begin(answerId, calls, ["edit_file"]);
    for (let turn = 0; turn < 5; turn++) await nextTurn();
  };
  const answer = (id = "a") => {
    const message = chat.tree.get(id);
    return message?.role === "assistant" ? message : assert.fail("no answer");
  };
  return { chat, rounds, next, signals, written, begin, answer };
}

for (const end of ["stop", "leave", "dispose"] as const)
  test(`${end}: a file that is being changed gets into its conversation, and the model does not go on`, async () => {
    const task = openTask();
    await task.begin();
    let isOver = false;
    const ended = task.rounds[end]()?.then(() => {
      isOver = true;
    });
    assert.ok(task.signals[0]?.aborted);
    assert.equal(task.answer().calls?.[0]?.state, "stopped");
    await nextTurn();
    assert.ok(ended && !isOver, "it waits for the file");
    task.written.resolve();
    await ended;
    assert.deepEqual(task.answer().changes, [changeOf("a.txt")]);
    assert.deepEqual(task.next, []);
  });

test("a closed chat without a running edit ends at once, and starts nothing that was asked for", async () => {
  const task = openTask();
  assert.equal(task.rounds.dispose(), undefined);
  task.written.resolve();
  await task.begin();
  assert.deepEqual([task.signals, task.next], [[], []]);
});

test("a call that waits for a decision still waits after another conversation was opened", async () => {
  const task = openTask();
  task.chat.set({ settings: { mode: "agent", task: { asksBeforeEdits: true } } });
  await task.begin();
  await task.rounds.leave();
  assert.equal(task.answer().calls?.[0]?.state, "asks");
});

test("an edit that was offered in the mode Agent does not run once the mode is Plan or Ask", async () => {
  for (const mode of ["plan", undefined] as const) {
    const task = openTask();
    task.written.resolve();
    task.chat.set({ settings: mode ? { mode } : {} });
    await task.begin();
    assert.equal(task.answer().calls?.[0]?.state, "failed", mode ?? "ask");
    assert.deepEqual(task.signals, []);
  }
});

test("more calls than may run unasked wait for the user, who is told so", async () => {
  const waiting: string[] = [];
  const task = openTask({ onWaiting: (summary) => void waiting.push(summary) });
  await task.begin(33);
  assert.deepEqual([task.signals, waiting], [[], ["Edit"]]);
  assert.match(task.answer().notes?.[0] ?? "", /more than 32 calls at once, so each one waits/);
});

test("a limit stops the task and what is queued; Continue agrees to as many rounds again", async () => {
  let stops = 0;
  const task = openTask({ onLimit: () => void stops++ });
  task.written.resolve();
  const settings: ChatSettings = { mode: "agent", task: { rounds: 1 } };
  task.chat.set({ settings });
  await task.begin();
  assert.deepEqual([task.next, stops], [[], 1]);
  task.rounds.goOn("a");
  task.chat.set({ settings: { ...settings, task: { rounds: 2 } } });
  for (const [id, parent] of [
    ["b", "a"],
    ["c", "b"],
  ] as const) {
    task.chat.add(answerWith(id), parent);
    await task.begin(1, id);
  }
  assert.deepEqual([task.next, stops], [["b"], 2]);
});

test("a rewind undoes all changes since the question, of answers that are not shown any more, too", async () => {
  const chat = createLiveChat(silent);
  const made: (readonly FileChange[])[] = [];
  const controls = createAgentControls({
    chat,
    session: { active: undefined, spend: () => Promise.reject(new Error("not asked")) },
    changes: {
      load: async () =>
        ({
          rewind: async (changes) => {
            made.push(changes);
            return { changes, kept: [] };
          },
        }) as Partial<PendingChanges> as PendingChanges,
      onDidLoad: () => ({ dispose() {} }),
    },
    runs: { list: [], onDidChange: () => ({ dispose() {} }), stop: () => "", forget() {} },
    askAboutOthers: async () => undefined,
    report: (error) => assert.fail(String(error)),
  });
  const answered = (id: string, parent: string, startedAtMs: number) =>
    chat.add(answerWith(id, { startedAtMs, changes: [changeOf(id)] }), parent);
  chat.add({ role: "user", id: "before", text: "Before" }, null);
  answered("a0", "before", 10);
  chat.add({ role: "user", id: "q", text: "Go" }, "a0");
  answered("a1", "q", 20);
  answered("a2", "a1", 30);
  // Another answer to the same question, and a later version of the question before.
  answered("b1", "q", 40);
  chat.add({ role: "user", id: "other", text: "Other" }, null);
  answered("c1", "other", 50);
  chat.show("b1");
  await controls.rewind("q", "files");
  await controls.rewind("before", "files");
  assert.deepEqual(
    made.map((changes) => changes.map(({ uri }) => uri.slice("file:///w/".length))),
    [
      ["a1", "a2", "b1", "c1"],
      ["a0", "a1", "a2", "b1", "c1"],
    ],
  );
  controls.dispose();
});
