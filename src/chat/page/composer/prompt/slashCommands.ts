import { visibleLine, visibleText } from "../../../../shared/text/html/visibleText.ts";
import type { ChatPageDeps } from "../../store/chatDeps.ts";

/** The action of `/name` at the start of a question. */
export interface SlashCommand {
  readonly name: string;
  readonly detail: string;
  /** The new text of the prompt; a command with an action has none. */
  readonly text?: string;
  run(): void;
}

/** The prompt text is inserted and the code is attached; the user sends the question. */
const prompts: Readonly<Record<string, readonly [detail: string, text: string]>> = {
  explain: ["explain the code", "Explain what this code does, step by step, and why it is written this way."],
  fix: ["find and fix mistakes", "Find what is wrong with this code, and show the corrected version."],
  tests: [
    "write tests for the code",
    "Write tests for this code: the usual cases first, then the ones that break it.",
  ],
  document: ["write documentation comments", "Write documentation comments for this code."],
  review: ["review the code", "Review this code: mistakes first, then what is hard to read."],
};

/** The commands available now; `press` clicks a button of the page. */
export function slashCommands(
  { store, bridge }: ChatPageDeps,
  press: (selector: string) => void,
): SlashCommand[] {
  const lastId = store.turnIds.peek().at(-1);
  const last = lastId === undefined ? undefined : store.turn(lastId).peek();
  const answer = last?.role === "assistant" && !store.peek("busy") ? last : undefined;
  const commands: (SlashCommand | false)[] = [
    { name: "new", detail: "start a new chat", run: () => bridge.post("newChat", {}) },
    { name: "model", detail: "choose the model", run: () => press(".picker-button") },
    {
      name: "system",
      detail: "open the settings of the chat",
      run: () => press(".settings-button button"),
    },
    {
      name: "prompt",
      detail: "show what the model is told with each request",
      run: () => bridge.post("showTold", {}),
    },
    { name: "attach", detail: "attach files or code", run: () => bridge.post("attachPick", {}) },
    answer !== undefined && {
      name: "retry",
      detail: "answer the last question again",
      run: () => bridge.post("retry", { answerId: answer.id }),
    },
    answer !== undefined && {
      name: "continue",
      detail: "continue the last answer",
      run: () => bridge.post("goOn", { answerId: answer.id }),
    },
    store.peek("busy") === true && {
      name: "stop",
      detail: "stop the answer",
      run: () => bridge.post("stop", {}),
    },
    answer !== undefined && {
      name: "export",
      detail: "export the chat to a file",
      run: () => bridge.post("history", { ask: "export", id: store.conversationId.peek() }),
    },
    ...Object.entries(prompts).map(([name, [detail, text]]) => ({
      name,
      detail,
      text,
      run() {
        if (store.peek("attachments")?.length === 0) bridge.post("attach", { request: { kind: "code" } });
      },
    })),
    ...Object.entries(store.peek("viewSettings")?.prompts ?? {}).map(([name, text]) => ({
      name,
      detail: text,
      text,
      run: () => {},
    })),
  ];
  const own = commands.filter((command) => command !== false);
  const names = new Set(own.map(({ name }) => name));
  const ofProject = (store.peek("promptFiles") ?? []).filter(({ name }) => !names.has(name));
  return [
    ...own,
    ...ofProject.map(({ name, path, description, text }) => ({
      name,
      detail: visibleLine(description || path),
      text: visibleText(text),
      run: () => {},
    })),
  ];
}

/** Commands whose name starts with the typed text, then those that contain it. */
export function matching(commands: readonly SlashCommand[], query: string): SlashCommand[] {
  const typed = query.toLowerCase();
  const begins = commands.filter(({ name }) => name.toLowerCase().startsWith(typed));
  return [
    ...begins,
    ...commands.filter((one) => !begins.includes(one) && one.name.toLowerCase().includes(typed)),
  ];
}

/** The typed text that a completion would replace. */
export interface Trigger {
  /** `@` finds files and everything else, `#` what is open in the editor; `/` begins a command. */
  readonly sign: "@" | "#" | "/";
  readonly query: string;
  /** The offset of the sign. */
  readonly from: number;
  readonly to: number;
}

/** The completion for the text before the cursor. Commands are completed at the start of a question only. */
export function triggerAt(text: string, cursor: number): Trigger | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command) return { sign: "/", query: command[1] ?? "", from: 0, to: cursor };
  const mention = /(?:^|[\s([{"'`])([@#])([^\s@#]{0,200})$/.exec(before);
  if (!mention) return undefined;
  const query = mention[2] ?? "";
  return { sign: mention[1] as "@" | "#", query, from: cursor - query.length - 1, to: cursor };
}

/** Replaces the typed text of a trigger. Returns the text and the new cursor offset. */
export function completeTrigger(
  text: string,
  { from, to }: Trigger,
  inserted: string,
): { readonly text: string; readonly cursor: number } {
  const after = text.slice(to);
  const space = inserted === "" || /^\s/.test(after) ? "" : " ";
  return { text: text.slice(0, from) + inserted + space + after, cursor: from + inserted.length + 1 };
}
