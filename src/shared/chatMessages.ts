import type { Attachment } from "./chatAttachments.ts";
import type { Explanation } from "./errorActions.ts";

/** How an answer stands. `cut-off`: it broke off by itself; `failed`: nothing of it ever came. */
export type AnswerState = "waiting" | "streaming" | "done" | "stopped" | "cut-off" | "failed";

/** What an answer used; tokens, and money where the service says it. */
export interface AnswerUsage {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
  /** The service did not say: the cost is by the prices of its listing. */
  readonly isCostByPrice?: boolean;
  /** True for the sandbox's play money. */
  readonly isPlayMoney?: boolean;
  readonly costDiem?: number;
}

/** Milliseconds since the question was sent. */
interface AnswerTiming {
  readonly firstTextMs?: number;
  /** How long the model thought before its first word. */
  readonly reasoningMs?: number;
  /** How long it was written, without the time between two requests where it went on later. */
  readonly totalMs?: number;
}

/** A source that the service found for an answer; the text of the answer names it by its place in the list. */
export interface AnswerSource {
  readonly url: string;
  readonly title?: string;
  readonly date?: string;
  /** What it says, as plain text. */
  readonly excerpt?: string;
}

export interface SchemaError {
  /** The place, as in `people/1`; empty for the whole. */
  readonly at: string;
  readonly message: string;
}

/** What becomes of a call: it waits for a person's word, is under way, waits for its result to be looked at, or is over. */
export type ToolCallState = "asks" | "runs" | "review" | "done" | "failed" | "refused";

/** A call that a model asked for. */
export interface ToolCallCard {
  readonly id: string;
  readonly name: string;
  readonly title: string;
  /** What it would do, in a line. */
  readonly says: string;
  /** JSON, as the model wrote it; of a custom call any text. */
  readonly arguments: string;
  /** A call of a custom tool: there is none here that could run it. */
  readonly isCustom?: true;
  /** Members of the service's call that go back to it as they came (wire.md section 5). */
  readonly echo?: Readonly<Record<string, unknown>>;
  readonly price?: string;
  /** What a word on more than this call would be for, where that is not all that the tool can do: a site. */
  readonly scope?: string;
  readonly state: ToolCallState;
  /** What goes back to the model: the result, or why there is none. */
  readonly result?: string;
}

export interface TokenChance {
  readonly token: string;
  /** Natural logarithm of its probability. */
  readonly logprob: number;
  /** What else it might have said. */
  readonly others: readonly { readonly token: string; readonly logprob: number }[];
}

export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly text: string;
  readonly attachments?: readonly Attachment[];
}

export interface AnswerMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly model: string;
  /** The same for all answers that were asked for together: they are shown next to each other. */
  readonly togetherId?: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  /** Unix time in milliseconds at which it was asked for, or last asked to go on. */
  readonly startedAtMs: number;
  readonly timing: AnswerTiming;
  readonly usage?: AnswerUsage;
  readonly sources?: readonly AnswerSource[];
  /** How sure the model was of each token, where that was asked for. */
  readonly tokens?: readonly TokenChance[];
  /** The calls that it asks for; the next answer builds on their results. */
  readonly calls?: readonly ToolCallCard[];
  /** Members of the service's message that go back to it as they came (wire.md section 5). */
  readonly echo?: Readonly<Record<string, unknown>>;
  /** What there is to know of it: that the model refused, or what of it is not kept. */
  readonly notes?: readonly string[];
  /** The JSON schema, as text, that the answer was to fit. */
  readonly schema?: string;
  /** Where it does not fit that schema; none where it does. */
  readonly schemaErrors?: readonly SchemaError[];
  /** Why it is `cut-off` or `failed`; null once it goes on. */
  readonly problem?: Explanation | null;
  /** The service's own word for why it ended: stop, length, content_filter …; null once it goes on. */
  readonly finishReason?: string | null;
  /** Unix time in milliseconds at which the client sends the question again on its own; null once it has. */
  readonly resendAtMs?: number | null;
}

export type Message = UserMessage | AnswerMessage;

export type AnswerPart = "text" | "reasoning";

export type AnswerPatch = Partial<Omit<AnswerMessage, "role" | "id" | AnswerPart>>;

export function isRunning({ state }: Pick<AnswerMessage, "state">): boolean {
  return state === "waiting" || state === "streaming";
}

/** Whether something of an answer is under way: its text, or a call that it asked for. */
export function isUnderWay(message: AnswerMessage): boolean {
  return isRunning(message) || (message.calls ?? []).some(({ state }) => state === "runs");
}
