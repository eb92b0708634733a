// Files that say what programs run: the agent asks before it changes one, and approvals of commands end with such a change.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { AgentWriter, FileChange } from "../../../../../../src/changes/engine/pendingChanges.ts";
import { createKnownTexts } from "../../../../../../src/changes/engine/records/knownTexts.ts";
import { createLiveChat } from "../../../../../../src/chat/host/conversation/liveChat.ts";
import { createEditTools } from "../../../../../../src/chat/host/tools/files/editTools.ts";
import { createToolRounds } from "../../../../../../src/chat/host/tools/rounds/toolRounds.ts";
import type { ChatTool } from "../../../../../../src/chat/host/tools/tool.ts";
import { inputText } from "../../../../../../src/tools/serviceTool.ts";
import { openConsents } from "../../../../session/openConsents.ts";
import { answerWith, silent } from "../../../answerMessage.ts";
import { noResults } from "../../../noResults.ts";
import { commandScopes } from "../commands/judged.ts";
import { noProblems } from "./noProblems.ts";

type Decision = Parameters<ReturnType<typeof createToolRounds>["decide"]>[2];

/** An agent with the real tools that change files, whose writes only note what they would do. */
function openAgent(task: { readonly asksBeforeEdits?: true } = {}) {
  const written: string[] = [];
  const ran: string[] = [];
  const known = createKnownTexts()("task");
  let runFileChanges = 0;
  const note = (path: string, text = "new"): FileChange => {
    written.push(path);
    return { uri: `file:///${path}`, before: "old", after: text };
  };
  const writer: AgentWriter = {
    edit: async (path) => note(path),
    write: async (path, text) => note(path, text),
    editCells: async (path) => ({ change: note(path), edited: [], count: 0, hasSavedTyped: false }),
    move: async (from, to) => [note(from), note(to)],
    remove: async (path) => note(path),
  };
  const command: ChatTool = {
    kind: "command",
    name: "run_command",
    title: "Run a command",
    description: "Runs.",
    parameters: { type: "object" },
    origin: "built-in",
    fingerprint: async () => "run_command",
    scopes: (input) => commandScopes(inputText(input, "command")),
    summary: (input) => `Run ${inputText(input, "command")}`,
    run: async (input) => String(ran.push(inputText(input, "command"))),
  };
  const edits = createEditTools(
    async () => writer,
    () => known,
    () => {
      runFileChanges += 1;
    },
    noProblems,
  );
  const tools = [...edits, command];
  const consents = openConsents();
  const chat = createLiveChat(silent);
  chat.set({ settings: { mode: "agent", task } });
  const rounds = createToolRounds({
    chat,
    results: noResults,
    tools: () => tools,
    approvals: {
      mayRunUnasked: () => true,
      isAllowed: () => false,
      consents,
      runFileChanges: () => runFileChanges,
    },
    connectionId: () => "c",
    next() {},
  });
  let count = 0;
  const settle = async () => {
    for (let turn = 0; turn < 8; turn++) await nextTurn();
  };
  const ask = () => chat.add({ role: "user", id: `q${++count}`, text: "Go" }, chat.leafId);
  /** The calls of a new answer; `decide` decides about one of them. */
  const call = async (...asked: readonly (readonly [name: string, input: object])[]) => {
    const id = `a${++count}`;
    chat.add(answerWith(id, { startedAtMs: Date.now() }), chat.leafId);
    const calls = asked.map(([name, input], at) => ({
      id: `c${at}`,
      name,
      arguments: JSON.stringify(input),
    }));
    rounds.begin(
      id,
      calls,
      tools.map(({ name }) => name),
    );
    await settle();
    const cards = () => {
      const answer = chat.tree.get(id);
      return (answer?.role === "assistant" && answer.calls) || [];
    };
    return {
      cards,
      states: () => cards().map(({ state }) => state),
      async decide(index: number, decision: Decision) {
        rounds.decide(id, `c${index}`, decision);
        await settle();
      },
    };
  };
  ask();
  return { call, ask, written, ran };
}

const write = (path: string, text = "new") => ["write_file", { path, text }] as const;
const run = (line: string) => ["run_command", { command: line }] as const;

test("each tool that changes files asks about such a file, for a move at both ends, and says why", async () => {
  const calls = [
    write("package.json"),
    ["edit_file", { path: "a/.github/hooks/x.json", edits: [{ old_text: "a", new_text: "b" }] }],
    ["move_file", { from: "a.json", to: "package.json" }],
    ["move_file", { from: "Makefile", to: "a.txt" }],
    ["delete_file", { path: "AGENTS.md" }],
  ] as const;
  for (const one of calls) {
    const agent = openAgent();
    const { cards, states, decide } = await agent.call(one);
    assert.deepEqual(states(), ["asks"], JSON.stringify(one));
    assert.match(cards()[0]?.question ?? "", /^It asks because /);
    assert.deepEqual(agent.written, []);
    await decide(0, "once");
    assert.deepEqual(states(), ["done"]);
    assert.ok(agent.written.length > 0);
  }
  const other = await openAgent().call(write("src/a.ts"), ["move_file", { from: "a.ts", to: "b.ts" }]);
  assert.deepEqual(other.states(), ["done", "done"]);
});

test("it can be allowed for the task by its path, not for longer", async () => {
  for (const decision of ["task", "always"] as const) {
    const agent = openAgent();
    await (await agent.call(write("package.json"))).decide(0, decision);
    const again = await agent.call(write("package.json", "newer"), write("tsconfig.json"));
    assert.deepEqual(again.states(), ["done", "asks"]);
    agent.ask();
    assert.deepEqual((await agent.call(write("package.json"))).states(), ["asks"]);
  }
});

test("all edits of a task include such a file only if that was allowed on its card", async () => {
  const agent = openAgent({ asksBeforeEdits: true });
  const first = await agent.call(write("src/a.ts"));
  await first.decide(0, "kind");
  assert.deepEqual((await agent.call(write("src/b.ts"), write("package.json"))).states(), ["done", "asks"]);
  const other = openAgent({ asksBeforeEdits: true });
  await (await other.call(write("package.json"))).decide(0, "kind");
  assert.deepEqual((await other.call(write("tsconfig.json"), write("src/b.ts"))).states(), ["done", "done"]);
});

test("an approval of a command by its words ends when such a file has changed since", async () => {
  for (const decision of ["task", "always", "conversation"] as const) {
    const agent = openAgent();
    await (await agent.call(run("npm test"))).decide(0, decision);
    assert.deepEqual((await agent.call(write("src/a.ts"), run("npm test"))).states(), ["done", "done"]);
    await (await agent.call(write("package.json"))).decide(0, "once");
    const ended = await agent.call(run("npm test"));
    assert.deepEqual(ended.states(), ["asks"], decision);
    assert.equal(ended.cards()[0]?.isApprovalOver, true);
    await ended.decide(0, decision);
    assert.deepEqual((await agent.call(run("npm test"))).states(), ["done"]);
    assert.deepEqual(agent.ran, ["npm test", "npm test", "npm test", "npm test"]);
  }
});

test("in one reply, a command that was allowed before asks in its turn, after such a file", async () => {
  const agent = openAgent();
  await (await agent.call(run("npm test"), write("package.json"))).decide(0, "task");
  const reply = await agent.call(write("package.json"), run("npm test"));
  assert.deepEqual(reply.states(), ["asks", "waits"]);
  await reply.decide(0, "once");
  assert.deepEqual(reply.states(), ["done", "asks"]);
  assert.deepEqual(agent.ran, ["npm test"]);
});

test("a change that leaves the file as it is ends nothing, and all commands of a task stay allowed", async () => {
  const agent = openAgent();
  await (await agent.call(run("npm test"))).decide(0, "task");
  const same = await agent.call(write("package.json", "old"));
  await same.decide(0, "once");
  assert.equal(same.cards()[0]?.result, "Nothing was changed: the file has this content already.");
  assert.deepEqual((await agent.call(run("npm test"))).states(), ["done"]);
  const all = openAgent();
  await (await all.call(run("npm test"))).decide(0, "kind");
  await (await all.call(write("package.json"))).decide(0, "once");
  assert.deepEqual((await all.call(run("npm test"))).states(), ["done"]);
});
