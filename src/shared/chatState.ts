import type { Attachment, Mentions } from "./chatAttachments.ts";
import type { ChatSettings } from "./chatSettings.ts";
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
  readonly costDiem?: number;
}

/** Milliseconds since the question was sent. */
export interface AnswerTiming {
  readonly firstTextMs?: number;
  /** How long the model thought before its first word. */
  readonly reasoningMs?: number;
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
  /** JSON, as the model wrote it. */
  readonly arguments: string;
  readonly price?: string;
  readonly state: ToolCallState;
  /** What goes back to the model: the result, or why there is none. */
  readonly result?: string;
}

/** A tool that a conversation can be given. */
export interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly origin: "built-in" | "workspace";
  readonly price?: string;
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
  /** Unix time in milliseconds. */
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
  /** The JSON schema, as text, that the answer was to fit. */
  readonly schema?: string;
  /** Where it does not fit that schema; none where it does. */
  readonly schemaErrors?: readonly SchemaError[];
  /** Why it is `cut-off` or `failed`; null once it goes on. */
  readonly problem?: Explanation | null;
  /** The service's own word for why it ended: stop, length, content_filter … */
  readonly finishReason?: string;
  /** Unix time in milliseconds at which the client sends the question again on its own; null once it has. */
  readonly resendAtMs?: number | null;
}

export type Message = UserMessage | AnswerMessage;

/** What a model may be able to do, in words fit for a badge. */
export type Ability =
  | "code"
  | "reasoning"
  | "vision"
  | "audio"
  | "video"
  | "tools"
  | "JSON schema"
  | "web search"
  | "X search"
  | "logprobs"
  | "TEE"
  | "E2EE";

/** One row of the model picker. */
export interface ModelCard {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  /** Tokens. */
  readonly contextTokens?: number;
  /** USD per million tokens. */
  readonly inputUsd?: number;
  /** Of input that is read from the service's cache. */
  readonly cachedInputUsd?: number;
  readonly outputUsd?: number;
  /** The longest answer, in tokens. */
  readonly maxAnswerTokens?: number;
  /** What it can do. */
  readonly capabilities: readonly Ability[];
  /** The levels of reasoning that it takes; empty where it takes none. */
  readonly reasoningEfforts: readonly string[];
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

/** The messages that follow the same one, oldest first: other wordings of a question, other answers to it. */
export interface Branch {
  readonly ids: readonly string[];
}

/** How much of the model's context the next question would fill, with all that goes along. */
export interface ContextGauge {
  /** An estimate, of what would be sent. */
  readonly tokens: number;
  /** True where something goes along whose tokens nobody knows yet. */
  readonly hasUnknown: boolean;
  /** What the model's context holds, and how much of that a prompt may fill; null where it does not say. */
  readonly contextTokens: number | null;
  readonly roomTokens: number | null;
  /** So many of the oldest messages of the path would not be sent. */
  readonly dropped: number;
  /** What the question alone has too much of. */
  readonly over: "tokens" | "bytes" | null;
}

/** What the user's settings say about the view. */
export interface ViewSettings {
  /** The key that sends; the other one of Enter and Ctrl/Cmd+Enter starts a new line. */
  readonly sendWith: "enter" | "ctrlEnter";
  /** Texts that `/name` puts into the box. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** Settings under a name. */
export interface Preset {
  readonly name: string;
  readonly origin: "user" | "workspace";
  readonly model?: string;
  readonly settings: ChatSettings;
}

/** What a conversation came to, with all its branches. */
export interface Spent {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly usd: number;
  readonly diem: number;
  /** Answers that stand in the sums. */
  readonly answers: number;
}

/** All that the chat view shows; the host owns it, views hold replicas. */
export interface ChatState {
  readonly conversationId: string;
  /** The end of the path that is shown, oldest first. */
  readonly messages: readonly Message[];
  /** How many messages of the path stand before those: `showEarlier` asks for more. */
  readonly earlierCount: number;
  /** Answers that are shown next to one of the path's. */
  readonly beside: readonly AnswerMessage[];
  /** By the id of a message that has others in its place. */
  readonly branches: Readonly<Record<string, Branch>>;
  /** True while an answer is on its way, in sight or not. */
  readonly busy: boolean;
  readonly draft: Draft;
  /** What goes along with the draft. */
  readonly attachments: readonly Attachment[];
  /** Why something could not be attached. */
  readonly attachmentNotice: string | null;
  /** What the completion found last. */
  readonly mentions: Mentions | null;
  /** Null until it is known. */
  readonly context: ContextGauge | null;
  readonly viewSettings: ViewSettings;
  readonly service: Service | null;
  readonly models: Models;
  /** Null until the listing is here, and where it is empty. */
  readonly modelId: string | null;
  /** Models that are asked next to the chosen one. */
  readonly compareIds: readonly string[];
  /** The models that the reader marked, and those that were asked last, latest first. */
  readonly favouriteIds: readonly string[];
  readonly recentIds: readonly string[];
  readonly settings: ChatSettings;
  readonly presets: readonly Preset[];
  /** Why presets that are written can't be used. */
  readonly presetProblems: readonly string[];
  /** The tools that there are, and what is wrong with those of the workspace. */
  readonly tools: readonly ToolOffer[];
  readonly toolsProblem: string | null;
  readonly spent: Spent;
  readonly problem: Problem | null;
  /** Something to know about the conversation itself. */
  readonly notice: string | null;
}

export type AnswerPart = "text" | "reasoning";
export type AnswerPatch = Partial<Omit<AnswerMessage, "role" | "id" | AnswerPart>>;
/** What is set as a whole, field by field. */
export type StateFields = Omit<ChatState, "conversationId" | "messages" | "earlierCount" | "beside">;
export type StatePatch = Partial<StateFields>;
/** A change of one answer. */
export type AnswerOp = Extract<Op, { readonly op: "append" | "patch" }>;

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
  /** Adds at the end of the path, or next to it. */
  | { readonly op: "message"; readonly message: Message }
  | { readonly op: "beside"; readonly message: AnswerMessage }
  /** Adds before the first of the messages. */
  | { readonly op: "earlier"; readonly messages: readonly Message[]; readonly earlierCount: number }
  | { readonly op: "patch"; readonly id: string; readonly patch: AnswerPatch }
  | { readonly op: "set"; readonly patch: StatePatch };

export function isRunning({ state }: Pick<AnswerMessage, "state">): boolean {
  return state === "waiting" || state === "streaming";
}

/** Whether something of an answer is under way: its text, or a call that it asked for. */
export function isUnderWay(message: AnswerMessage): boolean {
  return isRunning(message) || (message.calls ?? []).some(({ state }) => state === "runs");
}

/** The state after one change; undefined where the change does not fit, because one before it is missing. */
export function applyOp(state: ChatState, op: Op): ChatState | undefined {
  switch (op.op) {
    case "set":
      return { ...state, ...op.patch };
    case "message":
      return { ...state, messages: [...state.messages, op.message] };
    case "beside":
      return { ...state, beside: [...state.beside, op.message] };
    case "earlier":
      return { ...state, messages: [...op.messages, ...state.messages], earlierCount: op.earlierCount };
    default:
      return changeShown(state, op);
  }
}

function changeShown(state: ChatState, op: AnswerOp): ChatState | undefined {
  const messages = changeIn(state.messages, op);
  if (messages) return { ...state, messages };
  const beside = changeIn(state.beside, op);
  return beside ? { ...state, beside } : undefined;
}

function changeIn<Any extends Message>(messages: readonly Any[], op: AnswerOp): Any[] | undefined {
  const index = messages.findLastIndex(({ id }) => id === op.id);
  const message = messages[index];
  const changed = message && changeAnswer(message, op);
  return changed ? messages.with(index, changed as Any) : undefined;
}

/** An answer after one change; undefined where it does not fit. */
export function changeAnswer(message: Message, op: AnswerOp): AnswerMessage | undefined {
  if (message.role !== "assistant") return undefined;
  if (op.op === "patch") return { ...message, ...op.patch };
  return message[op.part].length === op.at
    ? { ...message, [op.part]: message[op.part] + op.text }
    : undefined;
}
