// What the model is told about calls that did not end by themselves: never that one which has run was skipped.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import fc from "fast-check";
import { toChatRequest } from "../../../../../../src/chat/host/answer/answerRequest.ts";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { settled } from "../../../../../../src/chat/host/history/log/conversation.ts";
import { runCommand } from "../../../../../../src/chat/host/tools/own/runCommand.ts";
import { earlyEndText, replyTo } from "../../../../../../src/chat/host/tools/rounds/earlyEnd.ts";
import { createToolRounds } from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { CallContext, ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { toolKinds } from "../../../../../../src/chat/protocol/agentModes.ts";
import {
  type AnswerMessage,
  isCallOver,
  type ToolCallCard,
  toolCallStates,
} from "../../../../../../src/chat/protocol/chatMessages.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { temporaryFolder } from "../../../../temporaryFolder.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";

interface Work {
  readonly kind: ChatTool["kind"];
  readonly price?: string;
  readonly run: NonNullable<ChatTool["run"]>;
}

/** An agent that has called one tool, which runs. */
async function whileRunning({ run, ...more }: Work) {
  const tool: ChatTool = {
    ...more,
    name: "work",
    title: "Work",
    description: "Works.",
    parameters: { type: "object" },
    origin: "built-in",
    fingerprint: async () => "work",
    summary: () => "Work",
    run,
  };
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent", tools: ["work"] } });
  chat.add({ role: "user", id: "q", text: "Go" }, null);
  chat.add(answerWith("a", { startedAtMs: Date.now() }), "q");
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => [tool],
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => true,
      consents: openConsents(),
      runFileChanges: () => 0,
    },
    connectionId: () => "c",
    next() {},
  });
  rounds.begin("a", [{ id: "c", name: "work", arguments: "{}" }], ["work"]);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const answer = (): AnswerMessage => {
    const message = chat.tree.get("a");
    return message?.role === "assistant" ? message : assert.fail("no answer");
  };
  /** The reply to the call in the next request. */
  const told = () => {
    const { messages } = toChatRequest({
      model: "m",
      card: undefined,
      path: [answer()],
      parts: new Map(),
      settings: {},
      tools: [],
      choices: 1,
      cacheKey: "",
    });
    const content = messages.at(-1)?.content;
    return typeof content === "string" ? content : assert.fail("no text");
  };
  return { rounds, answer, told, state: () => answer().calls?.[0]?.state };
}

/** Rejects once the signal aborts. */
const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

test("a stopped command is told with its output so far, and with what it still writes while it ends", async () => {
  let output = "tick\ntick";
  const task = await whileRunning({
    kind: "command",
    async run(_, signal, { began }) {
      began(() => ({ output }));
      await untilAborted(signal).catch(() => {});
      output += "\nIt was ended by SIGTERM.";
      throw signal.reason;
    },
  });
  void task.rounds.stop();
  assert.equal(task.state(), "stopped");
  assert.match(
    task.told(),
    /^The user stopped this command after [\d.]+ s; it had run\. Output so far:\ntick\ntick$/,
  );
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  assert.match(task.told(), /tick\nIt was ended by SIGTERM\.$/);
});

test("a real program that is stopped has run", async () => {
  const folder = temporaryFolder();
  const begun = Promise.withResolvers<void>();
  const task = await whileRunning({
    kind: "command",
    run(_, signal, context) {
      const began: CallContext["began"] = (soFar) => {
        context.began(soFar);
        begun.resolve();
      };
      const script = `const fs = require("fs"); fs.writeFileSync("x", ""); console.log("migrated"); setInterval(() => {}, 1000)`;
      const place = { folder, env: process.env };
      return runCommand(place, [process.execPath, "-e", script], "", signal, began);
    },
  });
  await begun.promise;
  while (!existsSync(join(folder, "x"))) await nextTurn();
  void task.rounds.stop();
  assert.equal(task.state(), "stopped");
  assert.match(task.told(), /; it had run\./);
});

test("a command that had not begun is told as not run", async () => {
  const task = await whileRunning({ kind: "command", run: (_, signal) => untilAborted(signal) });
  void task.rounds.stop();
  assert.equal(task.state(), "refused");
  assert.match(task.told(), /it was not run/);
});

test("a command in the background goes on, and the model learns its id", async () => {
  const task = await whileRunning({
    kind: "command",
    run(_, signal, { began }) {
      began(() => ({ output: "", background: "command-ab12-1" }));
      return untilAborted(signal);
    },
  });
  void task.rounds.stop();
  assert.match(task.told(), /goes on in the background as command-ab12-1/);
});

test("a stopped edit may have been made, and is told as made once it is", async () => {
  const written = Promise.withResolvers<string>();
  const task = await whileRunning({ kind: "edit", run: () => written.promise });
  const ended = task.rounds.stop();
  assert.match(task.told(), /may have been made all the same: read the file again/);
  written.resolve("Wrote a.txt.");
  await ended;
  await nextTurn();
  assert.equal(task.state(), "stopped");
  assert.match(task.told(), /but it ended all the same, with this result:\nWrote a\.txt\.$/);
});

test("a paid call that was stopped may have been billed", async () => {
  const paid: Work = { kind: "network", price: "$0.01 a call", run: (_, signal) => untilAborted(signal) };
  const task = await whileRunning(paid);
  void task.rounds.stop();
  assert.match(task.told(), /may have reached the service, and may have been billed/);
});

test("a result that the user has not sent back is told as withheld", async () => {
  const card = (more: Partial<ToolCallCard>): ToolCallCard => ({
    id: "c",
    name: "work",
    title: "",
    says: "",
    arguments: "{}",
    state: "review",
    result: "private",
    ...more,
  });
  assert.match(replyTo(card({})), /has run/);
  assert.doesNotMatch(replyTo(card({})), /private/);
});

test("for each way to end and each kind: what has run is never told as skipped or not run", () => {
  for (const kind of toolKinds)
    for (const reason of ["stopped", "left", "closed", "late"] as const) {
      const end = { kind, isPaid: kind === "network", reason, seconds: 6.04 };
      const begun = kind === "command" ? { begun: { output: "" } } : {};
      const text = earlyEndText({ ...end, ...begun });
      assert.doesNotMatch(text, /skipped|not run|nothing was done/);
      assert.match(text, /after 6 s/);
    }
});

test("a log of a window that was killed: a call that ran may have run, one that waited asks again", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ state: fc.constantFrom(...toolCallStates), kind: fc.constantFrom(...toolKinds) })),
      (given) => {
        const calls = given.map(
          ({ state, kind }, index): ToolCallCard => ({
            ...{ id: `c${index}`, name: "work", title: "", says: "", arguments: "{}", kind, state },
            ...(isCallOver({ state }) && state !== "refused" ? { result: "r" } : {}),
          }),
        );
        const after = settled(answerWith("a", { calls }), undefined).calls ?? [];
        for (const [index, { state }] of calls.entries()) {
          const now = after[index] ?? assert.fail();
          const expected = state === "runs" ? "stopped" : state === "waits" ? "asks" : state;
          assert.equal(now.state, expected);
          const hasRun = ["runs", "review", "done", "failed", "stopped"].includes(state);
          assert.equal(/skipped|was not run/.test(replyTo(now)), !hasRun);
          assert.match(replyTo(now), /\S/);
        }
      },
    ),
  );
});
