// The same in the chat of a window: several questions of one conversation, and what the user decides about them.
import assert from "node:assert/strict";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AnswerMessage } from "../../src/chat/protocol/chatMessages.ts";
import { hostedAgentNamed } from "../../src/shared/chat/hostedAgentNames.ts";
import { Counted } from "../../src/shared/money/budgetRule.ts";
import { moneyText } from "../../src/shared/money/moneyText.ts";
import { startModelServer } from "../agentTasks/modelServer.ts";
import { createScript, type Script } from "../agentTasks/script.ts";
import type { AgentTask } from "../agentTasks/task.ts";
import { agentTasks } from "../agentTasks/tasks.ts";
import { peers } from "../bench/chat/agentPeers/peers.ts";
import { editor } from "../unit/changes/editorModel.ts";
import { openAgentChat, read } from "../unit/chat/host/acp/agentChatKit.ts";
import { connection } from "../unit/session/budgetWindow.ts";
import { temporaryFolder } from "../unit/temporaryFolder.ts";

/** What came of the questions. */
export interface ChatResult {
  /** What the user saw. */
  readonly facts: readonly string[];
  /** Why it is not what it should be; absent if it is. */
  readonly fault?: string;
}

/** A token costs as much as a dear model's. */
const usdPerMillion = 20;
const source = "src/slug.js";
const typed = "// Typed by the user.\n";

const [installed = "", name] = process.argv.slice(2);
const peer = peers.find(({ style }) => style.name === name);
const agent = hostedAgentNamed(name) ?? assert.fail(`there is no ${name}`);
const mending = agentTasks[0] ?? assert.fail();
if (!peer) throw new Error(`there is no ${name}`);
const { style } = peer;
const original = mending.files[source] ?? assert.fail();

let script: Script | undefined;
/** Results of the agent's tools, as its model got them. */
const results: string[] = [];
const server = await startModelServer({
  models: [style.model],
  reply(newest) {
    results.push(...newest);
    return script?.reply(newest) ?? { text: "There is no task.", calls: [] };
  },
  usdPerMillion,
  report: (error) => console.error(error),
});
const cleanups: (() => unknown)[] = [];
const programs = temporaryFolder();
const program = join(programs, style.name.toLowerCase());
writeFileSync(program, `#!/bin/sh\nexec "${join(installed, peer.program)}" "$@"\n`);
chmodSync(program, 0o755);
const home = temporaryFolder();
const window = await openAgentChat(
  { after: (work) => void cleanups.push(work) },
  {},
  {
    ...{ files: mending.files, programs, savesFirst: true, unsaved: { [source]: typed + original } },
    service: { baseUrl: server.baseUrl, apiKey: "k", model: style.model },
    env: {
      PATH: `${programs}:${process.env.PATH ?? ""}`,
      HOME: home,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      FAKE_STEPS: undefined,
    },
    settings: { mode: "agent", agent, task: { capUsd: 2 } },
  },
);
const { view, money, changes, chat } = window;
const facts: string[] = [];
const asked: string[] = [];

const result: ChatResult = { facts, ...(await faultOf(tryAll)) };
console.log(JSON.stringify(result));
process.exit();

async function tryAll(): Promise<void> {
  for (const part of [mends, doesAnother, isRewoundAndRejected, isStopped, isCapped, endsWithTheChat]) {
    if (process.env.INFERENCE_RIVAL_OUTPUT) console.error(part.name);
    await part();
  }
}

/** Text that is typed and not saved is read; the edit is a hunk; each call counts for the task. */
async function mends(): Promise<void> {
  const answers = await doTask(mending);
  assert.deepEqual(answers[0]?.notes, [`Saved before it ran: ${source}.`]);
  assert.ok(results.join("\n").includes(typed.trim()), "it has not read what was typed");
  assert.match(read(source) ?? "", /replace\(\/\^-\|-\$\/g, ""\)/);
  assert.deepEqual(listed(), [`${source} changed`]);
  assert.ok(asked.length > 0, "it has asked for nothing");
  const entries = await money.spend.entries(connection);
  const [question] = view.state.messages;
  assert.ok(entries.length > 0);
  assert.ok(entries.every((entry) => entry.source?.task === question?.id));
  const { month } = await money.spend.totals(connection);
  facts.push(`mended it in ${entries.length} calls for ${moneyText(Counted.of(month).in("USD"))}`);
}

async function doesAnother(): Promise<void> {
  const run = "sed -i 's/dash/hyphen/' test/slug.test.js";
  const answers = await doTask({
    ...{ name: "another", question: "Write notes.md, and say hyphen.", files: {}, check() {} },
    rounds: [
      {
        acts: [
          { do: "write", path: "notes.md", text: "Notes\n" },
          { do: "run", command: run },
        ],
      },
      {},
    ],
  });
  assert.equal(window.started.length, 1);
  assert.equal(answers.at(-1)?.state, "done");
  assert.deepEqual(listed(), ["notes.md created", `${source} changed`, "test/slug.test.js changed"]);
  facts.push("did another task");
}

async function isRewoundAndRejected(): Promise<void> {
  const questions = view.state.messages.filter(({ role }) => role === "user");
  await view.say("rewind", { questionId: questions[1]?.id ?? "", scope: "both" });
  assert.equal(read("notes.md"), undefined);
  assert.equal(read("test/slug.test.js"), mending.files["test/slug.test.js"]);
  assert.deepEqual(listed(), [`${source} changed`]);
  await changes.rejectTogether(changes.files.map(({ uri }) => uri));
  assert.equal(read(source), typed + original);
  assert.deepEqual(listed(), []);
  facts.push("a rewind and a rejection restored every byte");
}

async function isStopped(): Promise<void> {
  script = createScript(
    {
      ...{ name: "long", question: "", files: {}, check() {} },
      rounds: [{ acts: [{ do: "run", command: "echo begun > begun.txt; sleep 600" }] }, {}],
    },
    style,
    editor.root,
    false,
  );
  await window.begin("Wait long.");
  const allowing = allowUntil(() => read("begun.txt") !== undefined);
  await allowing;
  await view.say("stop", {});
  const answers = await window.untilEnded();
  assert.equal(answers.at(-1)?.state, "stopped");
  const again = await doTask({
    ...{ name: "again", question: "Read it again.", files: {}, check() {} },
    rounds: [{ acts: [{ do: "read", path: source }] }, {}],
  });
  assert.equal(again.at(-1)?.state, "done");
  facts.push("Stop ended it, and it answered again");
}

async function isCapped(): Promise<void> {
  await view.say("setSettings", { settings: { mode: "agent", agent, task: { capUsd: 1e-9 } } });
  script = createScript(mending, style, editor.root, false);
  const answers = await window.ask("Go on.");
  const sentence = answers.at(-1)?.problem?.sentence ?? view.state.problem?.explanation.sentence;
  assert.match(sentence ?? "", /^The task has stopped: nothing was sent, because .*cap.* Raise the cap/);
  facts.push("its cap refused a call, and the chat says how it is raised");
}

async function endsWithTheChat(): Promise<void> {
  for (const cleanup of cleanups) await cleanup();
  const own = join(window.folder, "agents");
  while (readdirSync(own).length > 0) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    chat.reported.filter((error) => !/cap/.test(String(error))),
    [],
  );
  facts.push("it ended with the chat");
}

/** Asks, allows all that the agent asks for, and resolves to the answers. */
async function doTask(task: AgentTask): Promise<readonly AnswerMessage[]> {
  script = createScript(task, style, editor.root, false);
  await window.begin(task.question);
  const ended = window.untilEnded();
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  await Promise.race([ended, allowUntil(() => isOver)]);
  const answers = await ended;
  const problem = answers.at(-1)?.problem ?? view.state.problem?.explanation;
  assert.equal(problem, undefined, problem?.sentence);
  return answers;
}

/** Allows each step that asks. */
async function allowUntil(isEnough: () => boolean): Promise<void> {
  for (;;) {
    while (!isEnough() && !isAsking()) await new Promise((resolve) => setTimeout(resolve, 20));
    if (isEnough()) return;
    const { answerId, card } = await window.untilAsked();
    asked.push(card.says);
    await view.say("decideCall", { answerId, callId: card.id, decision: "once" });
  }
}

function isAsking(): boolean {
  return view.state.messages.some(
    (message) => message.role === "assistant" && message.calls?.some(({ state }) => state === "asks"),
  );
}

function listed(): readonly string[] {
  return changes.files.map(({ path, kind }) => `${path} ${kind}`).sort();
}

async function faultOf(work: () => Promise<void>): Promise<Pick<ChatResult, "fault">> {
  try {
    await work();
    return {};
  } catch (error) {
    const state = view.state.messages.map((message) => ({ ...message }));
    if (process.env.INFERENCE_RIVAL_OUTPUT)
      console.error(JSON.stringify(state, undefined, 1), results, error);
    return { fault: String(error) };
  }
}
