import type { Attachment, Mentions } from "./chatAttachments.ts";
import type { AnswerMessage, Message } from "./chatMessages.ts";
import type { Models } from "./chatModels.ts";
import type { ChatSettings } from "./chatSettings.ts";
import type { Explanation } from "./errorActions.ts";

/** A tool that a conversation can be given. */
interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly origin: "built-in" | "workspace";
  readonly price?: string;
}

/** Which service answers. */
export interface Service {
  readonly name: string;
  readonly kind: "live" | "sandbox" | "environment";
}

/** What is typed and not sent. The higher revision wins, whoever holds it. */
export interface QuestionDraft {
  readonly text: string;
  readonly revision: number;
}

/** The file that is open in the editor, by its path in the workspace. */
export interface CurrentFile {
  readonly uri: string;
  readonly name: string;
}

/** A question that waits for the answer before it to end. */
export interface QueuedQuestion {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** It is not sent on its own: the answer that it waited for was stopped, or failed. */
  readonly isHeld: boolean;
}

/** A question that came to nothing: it stands in the draft again. `answerId` where an answer was asked for anew. */
interface ChatProblem {
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
  readonly model?: string;
  readonly settings: ChatSettings;
}

/** What a conversation came to, with all its branches. */
export interface AnswerCost {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  readonly reasoningTokens: number;
  readonly usd: number;
  readonly diem: number;
  /** Play money of the sandbox. It is part of no other sum. */
  readonly playUsd: number;
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
  readonly draft: QuestionDraft;
  /** Questions that wait for the end of an answer, first one first. */
  readonly queue: readonly QueuedQuestion[];
  /** What goes along with the draft. */
  readonly attachments: readonly Attachment[];
  /** Offered to go along; null where none is open, and for one that looks like a secret. */
  readonly currentFile: CurrentFile | null;
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
  readonly spent: AnswerCost;
  /** First questions that an empty chat proposes. */
  readonly starters: readonly string[];
  readonly problem: ChatProblem | null;
  /** Something to know about the conversation itself. */
  readonly notice: string | null;
}

/** What is set as a whole, field by field. */
export type StateFields = Omit<ChatState, "conversationId" | "messages" | "earlierCount" | "beside">;
