import { randomUUID } from "node:crypto";
import type { SpendSource, SpendTask } from "../../../api/money/charge.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import { shortened } from "../../../shared/text/shortened.ts";
import type { ToolInput } from "../../../tools/serviceTool.ts";
import type { AnswerMessage, SubagentRow } from "../../protocol/chatMessages.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";
import { limitAfter, limitsOf, sourceOfAnswer } from "../agent/task.ts";
import { type Answers, type AnswersDeps, createAnswers } from "../answer/answers.ts";
import { createLiveChat, type LiveChat } from "../conversation/liveChat.ts";
import { sumOfUsage, sumSpent } from "../conversation/spending.ts";
import { emptyLogState } from "../history/log/logState.ts";
import { ChatPrompt, type PromptSource } from "../prompt/chatPrompt.ts";
import { ChatHooks } from "../tools/hooks/chatHooks.ts";
import { createToolRounds, type ToolRounds, type ToolRoundsDeps } from "../tools/rounds/toolRounds.ts";
import type { ChatTool } from "../tools/tool.ts";
import type { ToolSource } from "../tools/toolList.ts";

export interface SubagentDeps extends Pick<AnswersDeps, "session" | "blobs" | "cardOf" | "report"> {
  /** The chat of the task. */
  readonly parent: Pick<LiveChat, "state" | "path">;
  readonly results: ToolRoundsDeps["results"];
  readonly approvals: ToolRoundsDeps["approvals"];
  readonly givenAt?: ToolRoundsDeps["givenAt"];
  readonly connectionId: ToolRoundsDeps["connectionId"];
  readonly prompt?: PromptSource | undefined;
  /** They run around the calls of a subagent as around those of its task. */
  readonly windowHooks?: ToolSource["hooks"];
  /** A call of a subagent waits for the user's decision. */
  readonly onWaiting?: (summary: string) => void;
}

/** The work of a subagent, and its limits. */
export interface SubagentWork {
  readonly id: string;
  readonly text: string;
  readonly model: string;
  /** The call that started it. */
  readonly source: SpendSource & { readonly task: SpendTask };
  /** Of the task's cap, more than 0 and at most 1. */
  readonly share: number;
  readonly tools: readonly ChatTool[];
  /** Its tools change files of its own. */
  readonly acts: boolean;
  /** Of one that acts: why it has no commands, the end of a sentence that begins with `because`; absent if it has. */
  readonly noCommands?: string | undefined;
  /** True if the user's settings allow a command of it. */
  readonly isAllowed?: (input: ToolInput) => boolean;
  readonly onChange: (row: SubagentRow) => void;
}

/** The end of a subagent. */
export interface SubagentEnd {
  /** Its last text; empty without one. */
  readonly text: string;
  /** Why it has no whole answer, as a sentence; absent if it has one. */
  readonly failure?: string;
  /** The result of merging its changes; absent if it only reads. */
  readonly changes?: string;
  readonly row: SubagentRow;
}

/** Rounds of a subagent, unless its task may have fewer. */
const mostRounds = 25;
const mostNowLength = 200;

/**
 * A subagent: a conversation of its own, which is not stored. Its requests are those of a chat in the mode Plan, or
 * Agent if it acts, so that its tools, results and limits are the same; its calls are paid by the task.
 */
export class Subagent {
  readonly #deps: SubagentDeps;
  readonly #work: SubagentWork;
  readonly #chat: LiveChat;
  readonly #answers: Answers;
  readonly #rounds: ToolRounds;
  readonly #prompt: ChatPrompt;
  readonly #hooks: ChatHooks | undefined;
  readonly #ended = Promise.withResolvers<string | undefined>();
  #shown = "";
  /** A call of it waits for the user. */
  #isWaiting = false;

  constructor(deps: SubagentDeps, work: SubagentWork) {
    this.#deps = deps;
    this.#work = work;
    const { parent, session, blobs, cardOf, report, results, approvals, connectionId } = deps;
    const { tools } = work;
    this.#chat = createLiveChat({
      record() {},
      onChange: () => this.#follow(),
      onBusy() {},
      interrupted: () => null,
      isOrphaned: () => false,
    });
    const chat = this.#chat;
    chat.open(emptyLogState(randomUUID(), Date.now()));
    const { models, names } = parent.state;
    chat.set({ models, names, modelId: work.model, settings: settingsOf(parent.state.settings, work) });
    this.#prompt = new ChatPrompt({ chat, source: deps.prompt });
    const sourceOf: typeof sourceOfAnswer = (of, answerId) => paidByTask(work, sourceOfAnswer(of, answerId));
    this.#hooks = deps.windowHooks && new ChatHooks(chat, deps.windowHooks);
    this.#rounds = createToolRounds({
      ...{ chat, results, connectionId, sourceOf, hooks: this.#hooks },
      approvals: { ...approvals, isAllowed: (_, input) => work.isAllowed?.(input) === true },
      // What the user has allowed for the task counts for its subagents, and the other way round.
      approvedIn: {
        path: () => parent.path(),
        get state() {
          return { ...parent.state, settings: chat.state.settings };
        },
      },
      ...(deps.givenAt ? { givenAt: deps.givenAt } : {}),
      tools: () => tools,
      next: (answerId, mayGoOn) => this.#asked(this.#answers.sendResults(answerId, mayGoOn)),
      onWaiting: (says) => this.#wait(says),
    });
    const receiver = connectionId();
    this.#answers = createAnswers({
      ...{ chat, session, blobs, cardOf, report, sourceOf },
      confirm: async () => false,
      // Messages of the user are for the task.
      join: (answerId) => answerId,
      mayReceive: async () => this.#mayAsk(receiver),
      settled: () => this.#rounds.settled(),
      onAnswered() {},
      onStopped: (reason) => this.#end(reason),
      onAsked() {},
      onTaskEnded: () => this.#end(undefined),
      tools: async () => tools,
      prompt: this.#prompt,
      onCalls: (answerId, calls, offered) => this.#rounds.begin(answerId, calls, offered),
    });
  }

  /** Resolves once it has ended, at the latest when the signal is aborted. Never rejects. */
  async run(signal: AbortSignal): Promise<SubagentEnd> {
    const stop = () => this.stop();
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    else this.#asked(this.#answers.send(questionOf(this.#work), { attachments: [] }));
    const failure = await this.#ended.promise;
    signal.removeEventListener("abort", stop);
    this.#answers.dispose();
    void this.#rounds.dispose();
    this.#prompt.dispose();
    this.#hooks?.dispose();
    this.#isWaiting = false;
    const row = { ...this.#row(), now: "" };
    const text = this.#lastAnswers().findLast((answer) => answer.text.trim() !== "")?.text ?? "";
    if (failure !== undefined) return { text, failure, row };
    return text === "" ? { text, failure: "It ended without a text.", row } : { text, row };
  }

  stop(): void {
    this.#end("The user stopped it.");
  }

  /** The user's decision about a call that it shows in its row. */
  decide(callId: string, decision: Parameters<ToolRounds["decide"]>[2], reason: string | undefined): void {
    const answer = this.#lastAnswers().at(-1);
    // Its results have no card on which they could be looked through.
    if (answer) this.#rounds.decide(answer.id, callId, decision === "review" ? "once" : decision, reason);
  }

  /** The first reason counts. */
  #end(failure: string | undefined): void {
    this.#ended.resolve(failure);
  }

  #asked(sending: Promise<boolean>): void {
    sending.then(
      (isSent) => isSent || this.#end("It could not go on: its next request was not sent."),
      (error: unknown) => {
        this.#deps.report(error);
        this.#end("It could not go on.");
      },
    );
  }

  /** The task's messages are for the service that was asked first, and the conversation has a budget. */
  #mayAsk(receiver: string | undefined): boolean {
    const { parent, connectionId, session } = this.#deps;
    if (connectionId() !== receiver) {
      this.#end("The connection was switched, so it did not go on.");
      return false;
    }
    const { settings, spent } = parent.state;
    const isUsedUp =
      settings.budgetUsd !== undefined &&
      Counted.of(sumSpent(spent, session.active?.kind === "sandbox")).toNumber() >= settings.budgetUsd;
    if (isUsedUp) this.#end("The budget of the conversation is used up.");
    return !isUsedUp;
  }

  /** It waits for the user, or has reached a limit. */
  #wait(says: string): void {
    const last = this.#lastAnswers().at(-1);
    const isAsked = last?.calls?.some(({ state }) => state === "asks");
    const limit = last && (this.#hooks?.haltOf(last.id) ?? limitAfter(this.#chat, last.id));
    if (limit && !isAsked) {
      this.#end(limit.reason.replace(/^The task/, "It"));
      return;
    }
    this.#isWaiting = true;
    this.#follow();
    this.#deps.onWaiting?.(`A subagent: ${says}`);
  }

  #lastAnswers(): readonly AnswerMessage[] {
    return this.#chat.path().filter((message) => message.role === "assistant");
  }

  /** An answer that was cut off has no other event. */
  #follow(): void {
    const last = this.#lastAnswers().at(-1);
    this.#isWaiting &&= last?.calls?.some(({ state }) => state === "asks") === true;
    const row = this.#row();
    const stamp = JSON.stringify(row);
    if (last && stamp !== this.#shown) {
      this.#shown = stamp;
      this.#work.onChange(row);
    }
    if (last && /^(cut-off|failed|stopped)$/.test(last.state))
      this.#end(last.problem?.sentence ?? "Its answer was cut off.");
  }

  #row(): SubagentRow {
    const { id, source, share } = this.#work;
    const answers = this.#lastAnswers();
    const open = answers.at(-1)?.calls?.filter(({ state }) => state === "asks") ?? [];
    const asks = this.#isWaiting ? open : [];
    const usages = answers.flatMap(({ usage = [] }) => usage);
    const [first, ...others] = usages;
    const usage = first && others.reduce(sumOfUsage, first);
    return {
      id,
      now:
        asks.length > 0 ? "Waits for your approval" : shortened(visibleLine(nowIn(answers)), mostNowLength),
      ...(asks.length > 0 ? { asks } : {}),
      rounds: answers.length,
      ...(usage ? { usage } : {}),
      capUsd: source.task.capUsd * share,
    };
  }
}

/** The present work as a line. The last calls stay in sight while the model reads their results. */
function nowIn(answers: readonly AnswerMessage[]): string {
  if (answers.at(-1)?.resendAtMs) return "Waits, because the service is busy";
  const { calls = [] } = answers.findLast((answer) => answer.calls?.length) ?? {};
  const [first, ...others] = calls;
  if (!first) return "Thinks about its task";
  return others.length === 0 ? first.says : `${first.says} and ${others.length} more`;
}

/** Settings of the request go along. Its tools are chosen for it, and what it writes is a text for the model. */
function settingsOf(
  { customMode: _, tools: __, tool_choice: ___, budgetUsd: ____, agent: _____, ...settings }: ChatSettings,
  { source, share, acts }: SubagentWork,
): ChatSettings {
  const { rounds } = limitsOf(settings);
  // The user was asked before it began.
  const { asksBeforeEdits: ______, ...limits } = settings.task ?? {};
  const task = {
    ...limits,
    rounds: Math.min(rounds, mostRounds),
    capUsd: source.task.capUsd * share,
  };
  return { ...settings, mode: acts ? "agent" : "plan", task };
}

/** The source of a call of a subagent: its task pays, within the limits of both. */
function paidByTask(
  { id, share, source }: SubagentWork,
  own: ReturnType<typeof sourceOfAnswer>,
): ReturnType<typeof sourceOfAnswer> {
  const { task } = source;
  return {
    ...own,
    ...(source.turn === undefined ? {} : { turn: source.turn }),
    task: {
      id: task.id,
      round: task.round,
      get capUsd() {
        return task.capUsd;
      },
      refusal: () => task.refusal?.() ?? own.task?.refusal?.(),
      subagent: {
        id,
        get capUsd() {
          return task.capUsd * share;
        },
      },
    },
  };
}

function questionOf({ text, acts, tools, noCommands = "this task has none" }: SubagentWork): string {
  const commands = tools.some(({ kind }) => kind === "command")
    ? "commands run in a sandbox, in that copy"
    : `you can't run commands, because ${noCommands}`;
  const may = acts
    ? `you can read the workspace and change its files, in a copy of your own that gets into the workspace at your end; ${commands}`
    : "you can read the workspace and change nothing";
  const found = acts ? "of what you found and did" : "of what you found";
  return `You are a subagent of an agent that works for the user: ${may}. Nobody can answer questions. Do what follows, and end with one answer for the agent that has all it needs, with paths and lines. It sees nothing else ${found}.\n\n${text}`;
}
