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
  readonly costDiem?: number;
}

/** Milliseconds since the question was sent. */
export interface AnswerTiming {
  readonly firstTextMs?: number;
  /** How long the model thought before its first word. */
  readonly reasoningMs?: number;
  readonly totalMs?: number;
}

export interface UserMessage {
  readonly role: "user";
  readonly id: string;
  readonly text: string;
}

export interface AnswerMessage {
  readonly role: "assistant";
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string;
  readonly state: AnswerState;
  /** Unix time in milliseconds. */
  readonly startedAtMs: number;
  readonly timing: AnswerTiming;
  readonly usage?: AnswerUsage;
  /** Why it is `cut-off` or `failed`. */
  readonly problem?: Explanation;
  /** The service's own word for why it ended: stop, length, content_filter … */
  readonly finishReason?: string;
  /** Unix time in milliseconds at which the client sends the question again on its own; null once it has. */
  readonly resendAtMs?: number | null;
}

export type Message = UserMessage | AnswerMessage;

/** One row of the model picker. */
export interface ModelCard {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Tokens. */
  readonly contextTokens?: number;
  /** USD per million tokens. */
  readonly inputUsd?: number;
  readonly outputUsd?: number;
  /** What it can do, in words fit for a badge. */
  readonly capabilities: readonly string[];
  /** `private`, `anonymized`, or absent where the service does not promise it. */
  readonly privacy?: string;
  readonly traits: readonly string[];
  readonly beta: boolean;
  readonly offline: boolean;
  /** ISO date on which it goes away. */
  readonly retiresAt?: string;
}

export type Models =
  | { readonly status: "loading" }
  | { readonly status: "ready"; readonly cards: readonly ModelCard[] }
  | { readonly status: "failed"; readonly problem: Explanation };

/** Which service answers. */
export interface Service {
  readonly name: string;
  readonly kind: "live" | "sandbox" | "environment";
}

/** What is typed and not sent. The higher revision wins, whoever holds it. */
export interface Draft {
  readonly text: string;
  readonly revision: number;
}

/** A question that came to nothing: it stands in the draft again. `answerId` where an answer was asked for anew. */
export interface Problem {
  readonly explanation: Explanation;
  readonly answerId?: string;
}

/** All that the chat view shows; the host owns it, views hold replicas. */
export interface ChatState {
  readonly conversationId: string;
  readonly messages: readonly Message[];
  readonly draft: Draft;
  readonly service: Service | null;
  readonly models: Models;
  /** Null until the listing is here, and where it is empty. */
  readonly modelId: string | null;
  readonly problem: Problem | null;
  /** Something to know about the conversation itself. */
  readonly notice: string | null;
}

export type AnswerPart = "text" | "reasoning";
export type AnswerPatch = Partial<Omit<AnswerMessage, "role" | "id" | AnswerPart>>;
export type StatePatch = Partial<Omit<ChatState, "conversationId" | "messages">>;

/** One change of the state. */
export type Op =
  /** `at` is the part's length before: what does not fit shows that something was lost. */
  | {
      readonly op: "append";
      readonly id: string;
      readonly part: AnswerPart;
      readonly at: number;
      readonly text: string;
    }
  /** Adds at the end. */
  | { readonly op: "message"; readonly message: Message }
  | { readonly op: "patch"; readonly id: string; readonly patch: AnswerPatch }
  | { readonly op: "set"; readonly patch: StatePatch };

/** True while an answer is on its way. */
export function isBusy(state: Pick<ChatState, "messages">): boolean {
  const last = state.messages.at(-1);
  return last?.role === "assistant" && isRunning(last);
}

export function isRunning({ state }: Pick<AnswerMessage, "state">): boolean {
  return state === "waiting" || state === "streaming";
}

/** The state after one change; undefined where the change does not fit, because one before it is missing. */
export function applyOp(state: ChatState, op: Op): ChatState | undefined {
  if (op.op === "set") return { ...state, ...op.patch };
  if (op.op === "message") return { ...state, messages: [...state.messages, op.message] };
  const index = state.messages.findLastIndex(({ id }) => id === op.id);
  const message = state.messages[index];
  if (message?.role !== "assistant") return undefined;
  if (op.op === "append" && message[op.part].length !== op.at) return undefined;
  const changed: AnswerMessage =
    op.op === "append" ? { ...message, [op.part]: message[op.part] + op.text } : { ...message, ...op.patch };
  return { ...state, messages: state.messages.with(index, changed) };
}
