import { Refusal } from "../../../platform/errors/refusal.ts";
import { changedFactsText, instructionsHead } from "../../../shared/chat/promptTexts.ts";
import { estimateJsonTokens, estimateTokens } from "../../../shared/chat/tokenEstimate.ts";
import { isPatchText } from "../../../shared/chat/toolArguments.ts";
import { isMembers } from "../../../shared/members.ts";
import { fenced } from "../../../shared/text/fence.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";
import { type ChatMode, toolsOfMode } from "../../protocol/agentModes.ts";
import type { CustomMode, GuidanceFile, InstructionFile } from "../../protocol/chatGuidance.ts";
import { type AnswerMessage, isQuestion, type Message } from "../../protocol/chatMessages.ts";
import type { ChatState, ConversationEnvironment } from "../../protocol/chatState.ts";
import { limitsOf, taskOf } from "../agent/task.ts";
import type { LiveChat } from "../conversation/liveChat.ts";
import type { LaterProblems } from "../tools/language/followedFiles.ts";
import type { ChatTool } from "../tools/tool.ts";
import { chosenModeId, narrowedTools } from "./customModes.ts";
import {
  askEnvironmentText,
  changedLines,
  environmentText,
  type FolderNames,
  type MachineFacts,
  type WindowFacts,
} from "./environment.ts";
import { type Guidance, guidanceLimits } from "./guidance.ts";
import { systemText } from "./systemText.ts";

/** A file that holds instructions for the files below its folder, or for those of a pattern. */
export interface AppliedFile extends InstructionFile {
  /** `the files below packages/a`. */
  readonly scope: string;
}

/** The window and its workspace. */
export interface PromptSource {
  readonly machine: MachineFacts;
  /** Never rejects. */
  facts(): Promise<WindowFacts>;
  /** Two levels of the workspace. Never rejects, and takes no longer than some seconds. */
  tree(): Promise<readonly FolderNames[]>;
  /** Read for each request, so that an edit takes effect at once. Nothing unless the user trusts the workspace. */
  guidance(): Promise<Guidance>;
  /** The instructions for a file beside those that are sent whole, the outermost first. */
  instructionsFor(path: string): Promise<readonly AppliedFile[]>;
  /** Files with guidance may have changed. */
  onDidChange(listener: () => void): { dispose(): void };
}

export interface ChatPromptDeps {
  readonly chat: Pick<LiveChat, "state" | "set">;
  /** Undefined without a window, such as in a test. */
  readonly source: PromptSource | undefined;
  readonly problems?: LaterProblems | undefined;
}

/**
 * What the requests of a chat tell the model beside the conversation. The system prompt has the same bytes in all requests
 * of a conversation, unless the user changes what it is made of; what changes by itself is told in notes.
 */
export class ChatPrompt {
  readonly #deps: ChatPromptDeps;
  readonly #watching: { dispose(): void } | undefined;
  /** Reading of the environment, by conversation and mode. */
  readonly #taking = new Map<string, Promise<void>>();
  #before: { readonly key: string; readonly text: Promise<string> } | undefined;

  constructor(deps: ChatPromptDeps) {
    this.#deps = deps;
    this.#watching = deps.source?.onDidChange(() => void this.load());
  }

  /** The tools that the chosen mode leaves. */
  narrowed(tools: readonly ChatTool[]): readonly ChatTool[] {
    const { settings, customModes } = this.#deps.chat.state;
    return narrowedTools(tools, settings, customModes);
  }

  /** Reads the modes, the prompts and the files of the workspace into the state. Never rejects. */
  async load(): Promise<void> {
    await this.#readGuidance().catch(() => {});
  }

  /**
   * The system prompt of the next request. Rejects with a Refusal if the chosen mode is not there any more: what it took
   * away from the model must not come back with it.
   */
  async system(tools: readonly ChatTool[]): Promise<string> {
    const { chat } = this.#deps;
    const { mode = "ask" } = chat.state.settings;
    if (!this.#isOwnAlone) await this.#takeEnvironment(mode);
    return this.#systemWith(chat.state.environment[partOf(mode)], tools);
  }

  /**
   * What `system` would return, for its size: the conversation does not take its environment yet, since that is what the
   * window is at its first question. Rejects like `system`.
   */
  async systemBefore(tools: readonly ChatTool[]): Promise<string> {
    const { mode = "ask" } = this.#deps.chat.state.settings;
    return this.#systemWith(this.#isOwnAlone ? undefined : await this.#environmentBefore(mode), tools);
  }

  /** True if the user wants the own system prompt and nothing else in the mode Ask. */
  get #isOwnAlone(): boolean {
    const { mode = "ask", onlyOwnPrompt } = this.#deps.chat.state.settings;
    return mode === "ask" && onlyOwnPrompt === true;
  }

  async #systemWith(environment: string | undefined, tools: readonly ChatTool[]): Promise<string> {
    const { chat } = this.#deps;
    const { mode = "ask", system, tools: chosen = [] } = chat.state.settings;
    if (this.#isOwnAlone) return system ?? "";
    const offered = () => toolsOfMode(this.narrowed(tools), mode, chosen).map(({ name }) => name);
    if (mode === "ask") return systemText({ own: system, mode, environment, tools: offered() });
    const guidance = await this.#readGuidance();
    const id = chosenModeId(chat.state.settings);
    const custom = guidance?.modes.find((one) => one.id === id);
    if (id !== undefined && !custom)
      throw new Refusal(
        `Nothing was sent, because the mode of ${id} is not there any more. Choose another mode, or restore the file.`,
      );
    return systemText({
      ...{ own: system, mode, environment, tools: offered() },
      ...(guidance ? { guidance } : {}),
      ...(custom ? { custom } : {}),
    });
  }

  /** The system prompt and the tools of the next request, as Markdown for the user. */
  async toldText(tools: readonly ChatTool[]): Promise<string> {
    const { mode = "ask", tools: chosen = [] } = this.#deps.chat.state.settings;
    const system = await this.system(tools);
    const offered = toolsOfMode(this.narrowed(tools), mode, chosen);
    const { problems = [] } = (await this.#readGuidance()) ?? {};
    return toldMarkdown(system, offered, problems);
  }

  /**
   * What the request for an answer has to tell beside the messages: facts that have changed since they were told in `sent`,
   * the messages before it, instructions for files that the last calls have named, and the problems that edits have made. It
   * is stored with the answer.
   */
  async noteFor({ text, editorNote }: AnswerMessage, sent: readonly Message[]): Promise<string | undefined> {
    const { chat, source, problems } = this.#deps;
    const { mode = "ask", ...settings } = chat.state.settings;
    if (!source || mode === "ask" || text !== "" || editorNote !== undefined) return undefined;
    const { acts = "" } = chat.state.environment;
    // A message to the task is between two rounds and begins none.
    const last = sent.findLast((message) => message.role === "assistant" || isQuestion(message));
    const notes = sent.flatMap((message) =>
      message.role === "assistant" && message.editorNote !== undefined ? [message.editorNote] : [],
    );
    const isRound = last?.role === "assistant";
    const lines = [
      ...changedLines([acts, ...notes], await source.facts(), limitsOf(settings), isRound),
      ...(isRound ? this.#roundsLeft(sent) : []),
    ];
    const files = last?.role === "assistant" ? await this.#instructionsFor(last, notes) : [];
    const news = (await problems?.take(chat.state.conversationId, notes)) ?? "";
    const told = [
      ...(lines.length > 0 ? [changedFactsText(lines)] : []),
      ...(news === "" ? [] : [news]),
      ...files.map((file) => `${instructionsHead(file.path, file.scope)}\n${file.text}`),
    ];
    return told.length === 0 ? undefined : told.join("\n\n");
  }

  dispose(): void {
    this.#watching?.dispose();
  }

  /** Told near the end of a task only, since each round has another number. */
  #roundsLeft(sent: readonly Message[]): readonly string[] {
    const { settings } = this.#deps.chat.state;
    const task = taskOf(sent, settings);
    if (!task) return [];
    const left = task.agreed + limitsOf(settings).rounds - task.round;
    return left === 5 || left === 1 ? [`- Rounds left: ${left}, this one included`] : [];
  }

  /** What is named by the last calls and not told yet. */
  async #instructionsFor(
    { calls = [] }: AnswerMessage,
    notes: readonly string[],
  ): Promise<readonly AppliedFile[]> {
    const found: AppliedFile[] = [];
    const paths = new Set(calls.flatMap((call) => (call.state === "refused" ? [] : pathsIn(call.arguments))));
    const folders = this.#deps.source?.machine.folders ?? [];
    for (const path of paths)
      for (const file of (await this.#deps.source?.instructionsFor(relativePath(path, folders))) ?? []) {
        const isTold = [...notes, ...found.map((one) => instructionsHead(one.path, one.scope))].some((text) =>
          text.includes(instructionsHead(file.path, file.scope)),
        );
        if (!isTold && found.length < guidanceLimits.scopedCount) found.push(file);
      }
    return found;
  }

  /** Stores the environment of a conversation at its first question, from which it is sent with each one. */
  #takeEnvironment(mode: ChatMode): Promise<void> {
    const { chat, source } = this.#deps;
    const { conversationId, environment } = chat.state;
    const part = partOf(mode);
    if (!source || environment[part] !== undefined) return Promise.resolve();
    const key = `${conversationId} ${part}`;
    const taking = this.#taking.get(key) ?? this.#readEnvironment(source, part, conversationId);
    this.#taking.set(key, taking);
    return taking.finally(() => this.#taking.delete(key));
  }

  async #readEnvironment(
    source: PromptSource,
    part: keyof ConversationEnvironment,
    conversationId: string,
  ): Promise<void> {
    const { chat } = this.#deps;
    const text = await this.#environmentText(source, part);
    // Another conversation may have been opened meanwhile.
    if (chat.state.conversationId === conversationId)
      chat.set({ environment: { ...chat.state.environment, [part]: text } });
  }

  /** That of the conversation, or one for its size, which is read once for a conversation. */
  async #environmentBefore(mode: ChatMode): Promise<string | undefined> {
    const { chat, source } = this.#deps;
    const { conversationId, environment } = chat.state;
    const part = partOf(mode);
    if (!source || environment[part] !== undefined) return environment[part];
    const key = `${conversationId} ${part}`;
    if (this.#before?.key !== key) this.#before = { key, text: this.#environmentText(source, part) };
    return this.#before.text;
  }

  async #environmentText(source: PromptSource, part: keyof ConversationEnvironment): Promise<string> {
    const facts = await source.facts();
    return part === "ask"
      ? askEnvironmentText(source.machine, facts)
      : environmentText(source.machine, facts, limitsOf(this.#deps.chat.state.settings), await source.tree());
  }

  async #readGuidance(): Promise<Guidance | undefined> {
    const guidance = await this.#deps.source?.guidance();
    if (!guidance) return undefined;
    const { chat } = this.#deps;
    const patch = stateOf(guidance, chat.state);
    const isSame = (Object.keys(patch) as (keyof typeof patch)[]).every(
      (name) => JSON.stringify(patch[name]) === JSON.stringify(chat.state[name]),
    );
    if (!isSame) chat.set(patch);
    return guidance;
  }
}

function partOf(mode: ChatMode): keyof ConversationEnvironment {
  return mode === "ask" ? "ask" : "acts";
}

function toldMarkdown(system: string, tools: readonly ChatTool[], problems: readonly GuidanceFile[]): string {
  const tokens =
    estimateTokens(system) +
    estimateJsonTokens(tools.map(({ name, description, parameters }) => ({ name, description, parameters })));
  return [
    `# What the model is told\n\nEach request of this chat begins with this, about ${tokens.toLocaleString("en")} tokens. Then the conversation follows.`,
    `## System prompt\n\n${system === "" ? "None." : fenced(system, "text")}`,
    `## Tools\n\n${tools.map(({ name, description }) => `- \`${name}\`: ${description}`).join("\n") || "None."}`,
    ...(problems.length > 0
      ? [
          `## Files that are not used\n\n${problems.map(({ path, problem = "" }) => `- ${visibleLine(path)}: ${problem}`).join("\n")}`,
        ]
      : []),
  ].join("\n\n");
}

function stateOf(
  guidance: Guidance,
  { settings }: Pick<ChatState, "settings">,
): Pick<ChatState, "customModes" | "promptFiles" | "guidanceFiles"> {
  const id = chosenModeId(settings);
  const of =
    (kind: GuidanceFile["kind"]) =>
    (file: { readonly path: string }): GuidanceFile => ({
      path: file.path,
      kind,
    });
  return {
    customModes: guidance.modes.map(({ path: _, text: __, ...mode }): CustomMode => mode),
    promptFiles: guidance.prompts,
    guidanceFiles: [
      ...guidance.files.map(of("instructions")),
      ...guidance.modes.filter((mode) => mode.id === id).map(of("mode")),
      ...guidance.scoped.map(of("folder")),
      ...guidance.listed.map(of("listed")),
      ...guidance.problems,
    ],
  };
}

/** Members of calls that name files, as tools and models write them. */
const pathMembers = ["path", "file_path", "filePath", "file", "from", "to", "notebook_path"];
const maxArguments = 1_000_000;

/** The paths that a call names. */
function pathsIn(text: string): readonly string[] {
  const parsed = text.length > maxArguments ? undefined : parseJson(text);
  const members = isMembers(parsed) ? parsed : {};
  const named = pathMembers.map((name) => members[name]).filter((value) => typeof value === "string");
  const free = isPatchText(text) ? text : undefined;
  const patch = [members.patch, members.input, free].find((value) => typeof value === "string") ?? "";
  const patched = [...patch.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, path = ""]) => path,
  );
  return [...named, ...patched].filter((path) => path !== "" && path.length <= 1000).slice(0, 50);
}

/** A path that a model wrote, relative to the workspace if it is absolute and in its only folder. */
function relativePath(path: string, folders: readonly string[]): string {
  const slashed = path.trim().replaceAll("\\", "/");
  const root = folders.length === 1 ? `${folders[0]?.replaceAll("\\", "/")}/` : undefined;
  const inside = root !== undefined && slashed.startsWith(root) ? slashed.slice(root.length) : slashed;
  return inside
    .split("/")
    .filter((part) => part !== "" && part !== ".")
    .join("/");
}
