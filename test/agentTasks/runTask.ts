// Runs a task by the agent of this extension, in an extension host: its chat, its tools and its changes are real, its model is
// scripted.
import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as vscode from "vscode";
import { createEditorChanges } from "../../src/changes/engine/editorChanges.ts";
import { createLazyChanges } from "../../src/changes/engine/lazyChanges.ts";
import { createEditorPrompt } from "../../src/chat/host/prompt/editorPrompt.ts";
import type { CommandRuns } from "../../src/chat/host/tools/commands/commandRuns.ts";
import { createEditorTools } from "../../src/chat/host/tools/editorTools.ts";
import { isRunning, type Message } from "../../src/chat/protocol/chatMessages.ts";
import type { ChatState } from "../../src/chat/protocol/chatState.ts";
import type { Session } from "../../src/session/session.ts";
import { closeAll, insert } from "../host/editors.ts";
import { openChat, openViewWith, type TestView } from "../unit/chat/chat.ts";
import { openConsents } from "../unit/session/openConsents.ts";
import { noChain } from "../unit/tools/noChain.ts";
import { startModelServer } from "./modelServer.ts";
import { createScript } from "./script.ts";
import type { Style } from "./styles.ts";
import type { AgentTask } from "./task.ts";
import { figuresOf, type TaskFigures } from "./taskFigures.ts";

/** The end of a task that does not end, so that it is told where it stands. */
const longestMs = 90_000;

export const folder = () =>
  vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail("no folder is open");

/**
 * Rejects if the model is told something that it can't work with, or if the files are not as asked in the end. `runs` are
 * those of the window, in whose terminals the commands of its chats follow each other.
 */
export async function runTask(
  task: AgentTask,
  style: Style,
  storage: string,
  runs: CommandRuns,
): Promise<TaskFigures> {
  const root = folder();
  const before = new Set(readdirSync(root));
  const ending: (() => unknown)[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {}); // awaited while the task runs
  try {
    for (const [path, text] of Object.entries(task.files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    for (const [path, text] of Object.entries(task.unsaved ?? {})) await typeInto(join(root, path), text);
    const script = createScript(task, style, root);
    const server = await startModelServer({
      models: [style.model],
      reply: (results) => script.reply(results),
      report: failed.reject,
    });
    ending.push(() => server.close());
    const changes = createLazyChanges(
      { get: <Value>(_: string, none?: Value) => none as Value, update: async () => {} },
      async () =>
        createEditorChanges({
          blobs: join(storage, "blobs"),
          stateFile: join(storage, "changes.json"),
          report: failed.reject,
        }),
    );
    ending.push(async () => (await changes.load()).dispose());
    const consents = openConsents();
    const session = { active: undefined, client: () => assert.fail("no billed tool is called") };
    const chat = openChat(
      { after: (end) => void ending.unshift(end as () => unknown) },
      { sandbox: { baseUrl: server.baseUrl, apiKey: "key" }, remembered: new Map(), consents },
      {
        folder: join(storage, "chat"),
        changes,
        runs,
        prompt: createEditorPrompt(changes),
        source: createEditorTools({
          session: session as unknown as Session,
          changes,
          runs,
          consents,
          chain: noChain,
        }),
      },
    );
    const view = await openViewWith(chat.controller, style.model);
    await view.say("setSettings", { settings: { ...view.state.settings, mode: "agent" } });
    const { interruption } = task;
    if (interruption) {
      const watching = whenThere(root, interruption.file, () => void view.say("stop", {}));
      ending.push(() => watching.close());
    }
    const all = async () => {
      await ask(view, task.question, () => script.isEnded);
      if (interruption) await ask(view, interruption.next, () => script.isEnded);
    };
    await Promise.race([all(), failed.promise]);
    const [failure] = chat.reported;
    if (failure !== undefined) throw failure;
    script.assertEnded(JSON.stringify(view.state.messages.at(-1)));
    task.check({ folder: root, onDisk: (path) => readFileSync(join(root, path), "utf8") });
    return figuresOf(server.requests);
  } finally {
    for (const end of ending) await end();
    await closeAll();
    for (const name of readdirSync(root))
      if (!before.has(name)) rmSync(join(root, name), { recursive: true, force: true });
  }
}

/** Types at the start of a file and does not save it. */
async function typeInto(path: string, text: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(path);
  await vscode.window.showTextDocument(document);
  // A task before this one may have had the file, and the editor still its text.
  await vscode.commands.executeCommand("workbench.action.files.revert");
  await insert(document, new vscode.Position(0, 0), text);
}

/** Sends a question and allows each call that asks. Resolves once the task has ended. */
async function ask(view: TestView, text: string, isLast: () => boolean): Promise<void> {
  const before = view.state.messages.length;
  const decided = new Set<string>();
  await view.say("send", { text, revision: view.state.draft.revision + 1 });
  const ended = view.until((state) => {
    for (const message of state.messages) allowCalls(view, message, decided);
    return state.messages.length > before && isOver(state, isLast());
  });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`no end: ${JSON.stringify(view.state.messages.at(-1))}`)),
    longestMs,
  );
  try {
    await Promise.race([ended, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function allowCalls(view: TestView, message: Message, decided: Set<string>): void {
  const calls = (message.role === "assistant" && message.calls) || [];
  for (const { id, state } of calls) {
    const key = `${message.id} ${id}`;
    if (state !== "asks" || decided.has(key)) continue;
    decided.add(key);
    void view.say("decideCall", { answerId: message.id, callId: id, decision: "once" });
  }
}

/** `isLast`: the model has given its last answer. */
function isOver({ messages }: ChatState, isLast: boolean): boolean {
  const last = messages.at(-1);
  if (last?.role !== "assistant" || isRunning(last)) return false;
  const { calls = [], problem } = last;
  const isStopped = calls.length > 0 && calls.every(({ state }) => /^(stopped|refused)$/.test(state));
  return isLast || isStopped || Boolean(problem);
}

/** Calls back once, when the file appears. */
function whenThere(folder: string, name: string, then: () => void): { close(): void } {
  const watcher = watch(folder, (_, changed) => {
    if (changed !== name) return;
    watcher.close();
    then();
  });
  return watcher;
}
