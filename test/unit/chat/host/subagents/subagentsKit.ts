// A chat of the scripted model whose tasks have subagents.
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { ChatTool } from "../../../../../src/chat/host/tools/tool.ts";
import type { AnswerMessage, ToolCallCard } from "../../../../../src/chat/protocol/chatMessages.ts";
import type { ChatSettings } from "../../../../../src/chat/protocol/chatSettings.ts";
import type { ChatState } from "../../../../../src/chat/protocol/chatState.ts";
import { openWindow } from "../../../session/budgetWindow.ts";
import { temporaryFolder } from "../../../temporaryFolder.ts";
import { ended, openChat, openViewWith, serveChat, type TestService, type TestView } from "../../chat.ts";

/** A tool with the name of one of ours. */
export function tool(name: string, kind: ChatTool["kind"], run: ChatTool["run"]): ChatTool {
  return {
    ...{ kind, name, title: name, description: name, origin: "built-in" },
    parameters: { type: "object" },
    fingerprint: async () => name,
    summary: (input) => `${name} ${String(input.path ?? input.command ?? "")}`,
    ...(run ? { run } : {}),
  };
}

export const delegate = (task: string, more: object = {}) => ({
  name: "delegate",
  arguments: { task, ...more },
});
export const modelCall = (name: string, given: object) => ({ name, arguments: JSON.stringify(given) });
export const read = (path: string) => ({ name: "read_file", arguments: { path } });
export const script = (...steps: readonly object[]) => ({ name: "Script", steps });

const none = { dayUsd: undefined, monthUsd: undefined, hardStop: false };

interface Opened {
  readonly view: TestView;
  readonly ran: string[];
  /** Resolves once so many tools have begun. */
  whenRan(count: number): Promise<void>;
  readonly window: ReturnType<typeof openWindow>;
  readonly service: TestService;
}

/** A chat of the scripted model with a ledger; the scripts are the files that it can read. */
export async function open(
  t: TestContext,
  scripts: Readonly<Record<string, object | string>>,
  task: NonNullable<ChatSettings["task"]> = {},
  service?: TestService,
): Promise<Opened> {
  const served = service ?? (await serveChat(t));
  const window = openWindow({ ...served.sandbox, folder: temporaryFolder(), budgets: none });
  const ran: string[] = [];
  const waiting = new Set<() => void>();
  const note = (what: string) => {
    ran.push(what);
    for (const look of waiting) look();
  };
  const whenRan = (count: number) =>
    new Promise<void>((resolve) => {
      const look = () => ran.length >= count && resolve();
      waiting.add(look);
      look();
    });
  const tools = [
    tool("read_file", "read", async ({ path }, signal) => {
      note(String(path));
      const found = scripts[String(path)];
      if (found === undefined) return new Promise((_, reject) => signal.addEventListener("abort", reject));
      return typeof found === "string" ? found : JSON.stringify(found);
    }),
    tool("run_command", "command", async ({ command }) => {
      note(String(command));
      return "done";
    }),
    tool("write_file", "edit", async ({ path }) => {
      note(`wrote ${path}`);
      return "written";
    }),
  ];
  const { controller } = openChat(t, served, { api: window.api, money: window, tools });
  const view = await openViewWith(controller, "scripted");
  await view.say("setSettings", { settings: { mode: "agent", task } });
  return { view, ran, whenRan, window, service: served };
}

export const ask = (view: TestView) => view.say("send", { text: "Play main.json", revision: 1 });
export const isOver = (state: ChatState) => ended(state) && !state.busy;
export const callsOf = ({ messages }: ChatState): readonly ToolCallCard[] =>
  messages.flatMap((message) => (message.role === "assistant" ? (message.calls ?? []) : []));
export const subagentCalls = (state: ChatState) => callsOf(state).filter(({ name }) => name === "delegate");
export const hasCalled = (messages: unknown) => JSON.stringify(messages).includes('"role":"tool"');
export const questionsTo = ({ sandbox }: TestService) =>
  sandbox.requests.filter(({ path }) => path.endsWith("/chat/completions")).length;
export const textOf = ({ messages }: ChatState) =>
  (messages.at(-1) as AnswerMessage | undefined)?.text ?? assert.fail("no answer");
