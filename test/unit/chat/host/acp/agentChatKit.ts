// A chat whose agent is a program that does what a test says, over real files and their changes.
import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AgentPlace, AgentPlaces, AgentPlacesDeps } from "../../../../../src/agents/agentPlaces.ts";
import type { AgentWindow } from "../../../../../src/chat/host/acp/agentWindow.ts";
import type { WindowAgentsDeps } from "../../../../../src/chat/host/acp/windowAgents.ts";
import type { AnswerMessage, ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { findProgram } from "../../../../../src/gateway/programs/findProgram.ts";
import type { FakeAgent } from "../../../agents/agentKit.ts";
import { fakeScript } from "../../../agents/agentKit.ts";
import { editor, loadWithEditor } from "../../../changes/editorModel.ts";
import { openChanges } from "../../../changes/openChanges.ts";
import { uriOf } from "../../../changes/seenFiles.ts";
import { sessionOver } from "../../../gateway/gatewayKit.ts";
import { openWindow } from "../../../session/budgetWindow.ts";
import { openConsents } from "../../../session/openConsents.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import type * as chatKit from "../../chat.ts";

// Over the same editor, so that what the one throws is known to the other.
const kit = await loadWithEditor<typeof chatKit>("test/unit/chat/chat.ts");
const places = await loadWithEditor<{ readonly AgentPlaces: new (deps: AgentPlacesDeps) => AgentPlaces }>(
  "src/agents/agentPlaces.ts",
);
const { createWindowAgents } = await loadWithEditor<{
  readonly createWindowAgents: (deps: WindowAgentsDeps) => AgentWindow;
}>("src/chat/host/acp/windowAgents.ts");

const files: Readonly<Record<string, string>> = {
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "b\n",
  "package.json": "{}\n",
  ".env": "KEY=secret\n",
};

interface AgentChatOptions {
  readonly settings?: chatKit.TestView["state"]["settings"];
  /** Variables of the window. */
  readonly env?: NodeJS.ProcessEnv;
  readonly mayStart?: boolean;
  /** Text in editors that is not saved. */
  readonly unsaved?: Readonly<Record<string, string>>;
  /** Unsaved files are saved before a program begins, as the editor does unless the user has turned it off. */
  readonly savesFirst?: boolean;
  /** No program of the agent is there. */
  readonly isMissing?: boolean;
  /** The folder with the program of the agent, in place of the one that is a fake. */
  readonly programs?: string;
  /** Of the workspace. */
  readonly files?: Readonly<Record<string, string>>;
  /** In place of a sandbox. `model` answers. */
  readonly service?: { readonly baseUrl: string; readonly apiKey: string; readonly model: string };
}

const never = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

/** A chat in the mode Agent whose questions OpenCode answers, which is this fake. */
export async function openAgentChat(t: chatKit.Ends, fake: FakeAgent, options: AgentChatOptions = {}) {
  const folder = temporaryFolder();
  editor.start(join(folder, "work"));
  for (const [name, text] of Object.entries(options.files ?? files)) write(name, text);
  if (!options.savesFirst) editor.settings["task.saveBeforeRun"] = "never";
  for (const [name, text] of Object.entries(options.unsaved ?? {})) editor.open(uriOf(name)).put(text);
  const { programs = join(folder, "bin"), service: given } = options;
  if (!options.programs && !options.isMissing) writeProgram(join(programs, "opencode"));
  const changes = openChanges(join(folder, "blobs"), join(folder, "changes.jsonl"));
  const service = given ? { sandbox: given, remembered: new Map() } : await kit.serveChat(t);
  const { sandbox } = service;
  const money = openWindow({ ...sandbox, folder: join(folder, "ledger"), budgets: never });
  const started: AgentPlace[] = [];
  const agents = createWindowAgents({
    session: sessionOver(money),
    changes: { load: async () => changes },
    storage: join(folder, "agents"),
    version: "1.0.0",
    env: { ...process.env, PATH: programs, FAKE_STEPS: JSON.stringify(fake), ...options.env },
    places: new places.AgentPlaces({
      consents: openConsents(),
      async ask(place) {
        started.push(place);
        return options.mayStart ?? true;
      },
      isTrusted: () => true,
      folder: () => editor.root,
      programOf: (names) => findProgram(names, { PATH: programs }, false),
    }),
  });
  const waiting: string[] = [];
  let runChanges = 0;
  const chat = kit.openChat(t, service, {
    agentWindow: agents,
    changes: { load: async () => changes, onDidLoad: () => ({ dispose() {} }) },
    onWaiting: (reason) => waiting.push(reason),
    onRunChanged: () => {
      runChanges += 1;
    },
  });
  // After the chat, whose end they record.
  t.after(() => changes.dispose());
  const view = await kit.openViewWith(chat.controller, given?.model ?? "guide");
  const settings = { mode: "agent", agent: "OpenCode", ...options.settings } as const;
  await view.say("setSettings", { settings });
  const begin = (text: string) => view.say("send", { text, revision: view.state.draft.revision + 1 });
  const untilEnded = async () =>
    answersOf(await view.until((state) => !state.busy && (kit.ended(state) || state.problem !== null)));
  return {
    ...{ chat, view, money, started, waiting, changes, folder, begin, untilEnded },
    /** How often a file was changed that says what programs run. */
    runChanges: () => runChanges,
    /** Resolves to all answers once nothing runs. */
    async ask(text: string): Promise<readonly AnswerMessage[]> {
      await begin(text);
      return untilEnded();
    },
    /** The card that waits for the user, once there is one. */
    async untilAsked(isWanted = (_: ToolCallCard) => true) {
      const asking = (state: ChatState) =>
        answersOf(state).flatMap((answer) =>
          (answer.calls ?? []).flatMap((card) =>
            card.state === "asks" && isWanted(card) ? [{ answerId: answer.id, card }] : [],
          ),
        );
      const [found] = asking(await view.until((state) => asking(state).length > 0));
      return found ?? assert.fail();
    },
  };
}

function answersOf({ messages }: ChatState): readonly AnswerMessage[] {
  return messages.flatMap((message) => (message.role === "assistant" ? [message] : []));
}

function write(name: string, text: string): void {
  mkdirSync(dirname(pathOf(name)), { recursive: true });
  writeFileSync(pathOf(name), text);
}

export function read(name: string): string | undefined {
  return existsSync(pathOf(name)) ? readFileSync(pathOf(name), "utf8") : undefined;
}

export function pathOf(name: string): string {
  return join(editor.root, name);
}

function writeProgram(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec "${process.execPath}" "${fakeScript}"\n`);
  chmodSync(path, 0o755);
}
