import type { AnswerSource } from "../../shared/chat/answerSource.ts";
import type { Attachment } from "../../shared/chat/chatAttachments.ts";
import type { SchemaError } from "../../shared/chat/schemaError.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import type { ToolKind } from "./agentModes.ts";
import type { UserQuestion } from "./userQuestion.ts";

/** State of an answer. `cut-off`: it ended early without a stop by the user; `failed`: nothing arrived. */
export type AnswerState = "waiting" | "streaming" | "done" | "stopped" | "cut-off" | "failed";

/** Usage of an answer: tokens, and money if the service states it. */
export interface AnswerUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  /** Of the prompt; absent if the service does not state it, and in answers of older versions that read none. */
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
  /** True if the service stated no cost, so it is computed from the listed prices. */
  readonly isCostByPrice?: boolean;
  /** True for the sandbox's play money. */
  readonly isPlayMoney?: boolean;
  readonly costDiem?: number;
  /** True if one of several requests has not told its tokens: the sums are lower bounds. */
  readonly isPartial?: boolean;
}

/** What the service said about an answer, beside its text, usage and sources. Each text has at most 200 characters. */
export interface ReplyFacts {
  /** The model that answered: another one than was asked for a trait, a mapping or a fallback. */
  readonly model?: string;
  /** The id of the answer, `chatcmpl-…`. */
  readonly id?: string;
  /** The support id of the reply's headers. */
  readonly requestId?: string;
  /** Unix time in milliseconds. */
  readonly createdAtMs?: number;
  /** The switches of the service as they took effect, at most 24. */
  readonly switches?: Readonly<Record<string, string>>;
}

/** Milliseconds since the question was sent. */
interface AnswerTiming {
  readonly firstTextMs?: number;
  /** Duration of the reasoning before the first word of the answer. */
  readonly reasoningMs?: number;
  /** Total writing time, without the pause before a continuation. */
  readonly totalMs?: number;
}

/** A summary of a task, with which the requests from its answer on begin. The messages themselves are kept. */
export interface AnswerSummary {
  /** Markdown; empty while it is being written, or if that failed. */
  readonly text: string;
  /** The last message that it stands for. */
  readonly throughId: string;
  /** The number of messages that it stands for. */
  readonly messageCount: number;
}

/**
 * State of a call: it waits for approval, or may run and waits for its turn; it runs, or waits for a review of its result; or
 * it has ended. `refused` has not run, `stopped` has, at least in part.
 */
export const toolCallStates = [
  "asks",
  "waits",
  "runs",
  "review",
  "done",
  "failed",
  "refused",
  "stopped",
] as const;
export type ToolCallState = (typeof toolCallStates)[number];

/** Characters of the reason for which a call was skipped. */
export const maxSkipReason = 4000;

export function isCallOver({ state }: Pick<ToolCallCard, "state">): boolean {
  return state === "done" || state === "failed" || state === "refused" || state === "stopped";
}

/** A tool call of a model. */
export interface ToolCallCard {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** A summary of one line. */
  readonly says: string;
  /** JSON as the model wrote it; any text for a call of a custom tool. */
  readonly arguments: string;
  /** The arguments as the tool reads them, as JSON, if the model wrote others: this is what runs. */
  readonly runs?: string;
  /** A question to the user, whose answer is the result. */
  readonly asked?: UserQuestion;
  /** The name of the tool that runs, if the model called it by another one. */
  readonly tool?: string;
  /** What the model says that a command is for, on one line. Nothing of it is checked. */
  readonly purpose?: string;
  /** True for a custom tool: this client can't run it. */
  readonly isCustom?: true;
  /** Members of the service's call that must be sent back unchanged (wire.md section 5). */
  readonly echo?: Readonly<Record<string, unknown>>;
  readonly price?: string;
  /** What keeps it from doing more, or why nothing does. */
  readonly limits?: string;
  /** Whether it may use the network; absent if the user can't choose that. */
  readonly network?: boolean;
  /** Why it asks although its kind runs unasked. It can't be allowed for longer than a task. */
  readonly question?: string;
  /** An approval of such calls has ended, because the agent has changed a file that says what programs run. */
  readonly isApprovalOver?: true;
  /** The kind of a built-in tool, which can be allowed as a whole. Absent for tools of a workspace and in older logs. */
  readonly kind?: ToolKind;
  /** The scope of a lasting approval, such as a site, if it is narrower than the tool. */
  readonly scope?: string;
  /** A wider scope that can be approved in its place, such as `npm run *`. */
  readonly rule?: string;
  /** What another agent lets the user choose about its step, by the decision with that meaning. It offers nothing else. */
  readonly options?: readonly AgentOption[];
  readonly state: ToolCallState;
  /** Milliseconds that it ran, if it ended by itself. */
  readonly ms?: number;
  /** Why the user skipped it, for the model. */
  readonly skipReason?: string;
  /** The reply to the model: the result, or the reason that there is no result. The middle of a very long one is left out. */
  readonly result?: string;
  /** All of a result that is too long for its call. */
  readonly whole?: WholeResult;
  /** Pictures that a model that sees is sent after the results of the round. */
  readonly pictures?: readonly ResultPicture[];
  /** What it has started. */
  readonly subagent?: SubagentRow;
}

export const agentDecisions = ["once", "always", "skip"] as const;

/** An option of another agent. */
export interface AgentOption {
  readonly decision: (typeof agentDecisions)[number];
  /** As the agent names it, on one line. Nothing of it is checked. */
  readonly name: string;
}

/** A subagent of a task: what it does, and its part of the bill. */
export interface SubagentRow {
  readonly id: string;
  /** What it does now, on one line; empty once it has ended. */
  readonly now: string;
  readonly rounds: number;
  /** Calls of it that wait for the user's decision, which names the subagent in place of the answer. Not kept after a reload. */
  readonly asks?: readonly ToolCallCard[];
  /** Of all of its rounds; absent until the first one has ended. */
  readonly usage?: AnswerUsage;
  /** USD that it may cost: its share of the task's cap. */
  readonly capUsd: number;
}

/** The calls of the subagent of a call that wait for the user. */
export function askedBySubagent({ state, subagent }: ToolCallCard): readonly ToolCallCard[] {
  return state === "runs" ? (subagent?.asks ?? []) : [];
}

/** A picture of a result. */
export interface ResultPicture {
  /** The name of its content. */
  readonly blob: string;
  readonly mediaType: string;
  readonly bytes: number;
  readonly tokens: number;
}

/** A result in a file. */
interface WholeResult {
  /** The name of its content; absent if it is not kept any more. */
  readonly blob?: string;
  /** In characters. */
  readonly length: number;
  /** The number of its lines, of which long ones count as several. */
  readonly rows: number;
}

export interface TokenChance {
  readonly token: string;
  /** Natural logarithm of its probability. */
  readonly logprob: number;
  /** The alternatives at this position. */
  readonly others: readonly { readonly token: string; readonly logprob: number }[];
}

export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
  /** It was said to a task that ran, and went with its next round: it begins no task of its own. */
  readonly isSteering?: true;
}

export interface AnswerMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly model: string;
  /** The other agent that answers, by its name: of this version, or of another one that wrote the log. */
  readonly agent?: string;
  /** Shared by all answers that were requested together. They are shown side by side. */
  readonly togetherId?: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  /** Unix time in milliseconds of the request, or of the last continuation. */
  readonly startedAtMs: number;
  readonly timing: AnswerTiming;
  readonly usage?: AnswerUsage;
  readonly sources?: readonly AnswerSource[];
  /** Probability of each token, if logprobs were requested. */
  readonly tokens?: readonly TokenChance[];
  /** The same of the prompt, if the service states it. */
  readonly promptTokens?: readonly TokenChance[];
  /** The calls that it requests. The next answer builds on their results. */
  readonly calls?: readonly ToolCallCard[];
  /** Members of the service's message that must be sent back unchanged (wire.md section 5). */
  readonly echo?: Readonly<Record<string, unknown>>;
  /** Notes for the reader: the model refused, or a part of the answer is not stored. */
  readonly notes?: readonly string[];
  /** The JSON schema, as text, that was requested for the answer. */
  readonly schema?: string;
  /** Violations of that schema; empty if the answer is valid. */
  readonly schemaErrors?: readonly SchemaError[];
  /** The reason for `cut-off` or `failed`; null after a continuation has started. */
  readonly problem?: Explanation | null;
  /** The service's `finish_reason`: stop, length, content_filter …; null after a continuation has started. */
  readonly finishReason?: string | null;
  /** The text, or the id of the token, that ended the answer, if a stop did. */
  readonly stopReason?: string;
  readonly reply?: ReplyFacts;
  /** USD that was reserved for the answer as a round of a task: its upper price. */
  readonly reservedUsd?: number;
  /** USD that it was expected to cost. */
  readonly predictedUsd?: number;
  readonly summary?: AnswerSummary;
  /** The files that its calls changed, in the order of time, by the names of their contents. */
  readonly changes?: readonly {
    readonly uri: string;
    readonly before: string | null;
    readonly savedBefore?: string | null;
    readonly modeBefore?: number;
    readonly after: string | null;
    readonly savedAfter?: string | null;
  }[];
  /** The plan as its calls wrote it, or as the user changed it afterwards: Markdown with `- [ ]` items. */
  readonly plan?: string;
  /** The user changed the plan while this was the last answer, or the one with the plan. */
  readonly isPlanEdited?: true;
  /** What its request told the model of the plan as the user had changed it. Later requests repeat it here. */
  readonly userPlan?: string;
  /** What its request told the model of the window, and of instructions for files. Later requests repeat it here. */
  readonly editorNote?: string;
  /** The user let the task go on after it: the limit of rounds counts from here. */
  readonly isContinued?: true;
  /** Unix time in milliseconds of the next automatic retry; null after it was sent. */
  readonly resendAtMs?: number | null;
}

export type Message = UserMessage | AnswerMessage;

/** True for a message with which a task or an answer begins. */
export function isQuestion(message: Message | undefined): message is UserMessage {
  return message?.role === "user" && message.isSteering === undefined;
}

export type AnswerPart = "text" | "reasoning";

export type AnswerPatch = Partial<Omit<AnswerMessage, "role" | "id" | AnswerPart>>;

/** True for an answer that is nothing but its reasoning. */
export function hasOnlyReasoning({ text, reasoning, calls = [] }: AnswerMessage): boolean {
  return calls.length === 0 && text.trim() === "" && reasoning.trim() !== "";
}

export function isRunning({ state }: Pick<AnswerMessage, "state">): boolean {
  return state === "waiting" || state === "streaming";
}

/** True while the text of an answer is streaming or one of its calls is open. */
export function isUnderWay(message: AnswerMessage): boolean {
  return isRunning(message) || (message.calls ?? []).some(({ state }) => state === "runs");
}

/** True if a call of the answer may run and waits for its turn. */
export function hasWaitingCall({ calls = [] }: AnswerMessage): boolean {
  return calls.some(({ state }) => state === "waits");
}
