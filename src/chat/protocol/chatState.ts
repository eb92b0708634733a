import type { Attachment, Mentions } from "../../shared/chat/chatAttachments.ts";
import type { Models } from "../../shared/chat/chatModels.ts";
import type { HostedAgentOffer } from "../../shared/chat/hostedAgentNames.ts";
import type { ModelNames } from "../../shared/chat/modelNames.ts";
import type { Explanation } from "../../shared/errorActions.ts";
import type { AmountTexts } from "../../shared/money/amounts.ts";
import type { ToolOrigin } from "./agentModes.ts";
import type { CustomMode, GuidanceFile, PromptFile } from "./chatGuidance.ts";
import type { AnswerMessage, Message } from "./chatMessages.ts";
import type { ChatSettings } from "./chatSettings.ts";

/** A tool that can be enabled for a conversation. */
export interface ToolOffer {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly origin: ToolOrigin;
  /** The id of its server. */
  readonly server?: string;
  readonly price?: string;
}

/** An MCP server of the user's files. */
export interface ToolServer {
  readonly id: string;
  readonly name: string;
  /** Its command line or its URL, as the file has it. */
  readonly runs: string;
  /** What its file is called. */
  readonly file: string;
  readonly state: "stopped" | "starting" | "running";
  /** Its tools are known. */
  readonly isListed: boolean;
  /** Why it does not run, or why tools of it are left out. */
  readonly problem?: string;
  /** It was started in this window, so its output can be shown. */
  readonly hasOutput: boolean;
}

/** The service that answers. */
export interface Service {
  readonly name: string;
  readonly kind: "live" | "sandbox" | "environment";
}

/** Text that is typed but not sent. The higher revision wins, in the host or in the view. */
export interface QuestionDraft {
  readonly text: string;
  readonly revision: number;
}

/** The file in the active editor, by its path in the workspace. */
export interface CurrentFile {
  readonly uri: string;
  readonly name: string;
}

/** A question that waits for the end of the previous answer. */
export interface QueuedQuestion {
  readonly id: string;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** True if it is not sent automatically, because the previous answer was stopped or failed. */
  readonly isHeld: boolean;
  /** It goes with the next round of the task that runs, if there is one. */
  readonly joins?: true;
}

/** A question that failed; its text is back in the draft. `answerId` is set if it was a regeneration. */
interface ChatProblem {
  readonly explanation: Explanation;
  readonly answerId?: string;
}

/** The messages with the same parent, oldest first: other wordings of a question, or other answers to it. */
export interface Branch {
  readonly ids: readonly string[];
}

/** The share of the model's context that the next question would fill, with everything that is sent. */
export interface ContextGauge {
  /** An estimate, of what would be sent: the conversation, after the system prompt and the tools. */
  readonly tokens: number;
  /** The part of the system prompt, and that of the tools. */
  readonly systemTokens: number;
  readonly toolTokens: number;
  /** True if something is included whose tokens are unknown. */
  readonly hasUnknown: boolean;
  /** The model's context length, and the part that a prompt may fill; null if the model does not state it. */
  readonly contextTokens: number | null;
  readonly roomTokens: number | null;
  /** The number of the oldest messages on the path that would not be sent. */
  readonly dropped: number;
  /** True if the older messages are summarised before the next answer, in the modes that act. */
  readonly willSummarise: boolean;
  /** The limit that the question exceeds on its own. */
  readonly over: "tokens" | "bytes" | null;
}

/** The user's settings for the view. */
export interface ViewSettings {
  /** The key that sends. The other one of Enter and Ctrl/Cmd+Enter starts a new line. */
  readonly sendWith: "enter" | "ctrlEnter";
  /** Texts that `/name` inserts into the prompt. */
  readonly prompts: Readonly<Record<string, string>>;
}

/** Named settings. */
export interface Preset {
  readonly name: string;
  readonly model?: string;
  readonly settings: ChatSettings;
}

/** Cost of a conversation with all its branches. */
export interface AnswerCost {
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly cachedTokens: number;
  /** The prompts of the answers whose cached tokens are known. */
  readonly countedTokens: number;
  readonly reasoningTokens: number;
  readonly usd: number;
  /** Of the answers that cost DIEM. */
  readonly diem: number;
  /** Play money of the sandbox. It is not part of any other sum. */
  readonly playUsd: number;
  readonly playDiem: number;
  /** The number of answers in the sums. */
  readonly answers: number;
  /** True if a request of one has not told its tokens: the sums are lower bounds. */
  readonly isPartial?: boolean;
}

/** A file with pending changes of an agent. */
export interface ListedChange {
  readonly uri: string;
  readonly path: string;
  readonly kind: "changed" | "created" | "deleted" | "moved" | "linked";
  /** Where the symbolic link leads that was at the place before or is there now. */
  readonly link?: { readonly before?: string | undefined; readonly after?: string | undefined };
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  readonly hunks: number;
}

/** The task that the last question began. Amounts are those of the ledger. */
export interface TaskStatus {
  readonly round: number;
  readonly rounds: number;
  /** Decimal texts by currency. */
  readonly spent: AmountTexts;
  /** For calls in progress, or of unknown price. */
  readonly reservedUsd: number;
  /** Expected cost of the round in progress; null between rounds and without listed prices. */
  readonly predictedUsd: number | null;
  readonly capUsd: number;
  readonly isPlayMoney: boolean;
  /** Share of its prompts that was read from the cache, 0 to 1; null if it is unknown. */
  readonly hitRate: number | null;
}

/** What the system prompt tells of the window and the workspace: taken at the first question, and stored. */
export interface ConversationEnvironment {
  readonly ask?: string;
  /** For the modes that act. */
  readonly acts?: string;
}

/** The state of the chat view. The host owns it, views hold replicas. */
export interface ChatState {
  readonly conversationId: string;
  /** The last messages of the path, oldest first. */
  readonly messages: readonly Message[];
  /** The number of messages before those; `showEarlier` loads more. */
  readonly earlierCount: number;
  /** Answers that are shown side by side with one of the path. */
  readonly beside: readonly AnswerMessage[];
  /** By the id of a message that has alternatives. */
  readonly branches: Readonly<Record<string, Branch>>;
  /** True while an answer is streaming, visible or not. */
  readonly busy: boolean;
  readonly draft: QuestionDraft;
  /** Questions that wait for the end of an answer, in the order of sending. */
  readonly queue: readonly QueuedQuestion[];
  /** Attachments of the draft. */
  readonly attachments: readonly Attachment[];
  /** Suggested as an attachment; null if no file is open or if it looks like a secret. */
  readonly currentFile: CurrentFile | null;
  /** The reason that something could not be attached. */
  readonly attachmentNotice: string | null;
  /** Results of the last completion. */
  readonly mentions: Mentions | null;
  /** Null until it has been computed. */
  readonly context: ContextGauge | null;
  readonly viewSettings: ViewSettings;
  readonly service: Service | null;
  readonly models: Models;
  /** What typed names of models stand for. */
  readonly names: ModelNames;
  /** Null until the list of models has loaded, and if it is empty. */
  readonly modelId: string | null;
  /** Models that answer in addition to the chosen one. */
  readonly compareIds: readonly string[];
  /** The user's favourites, and the models that were used last, most recent first. */
  readonly favouriteIds: readonly string[];
  readonly recentIds: readonly string[];
  readonly settings: ChatSettings;
  readonly presets: readonly Preset[];
  /** The reasons that presets in the settings are invalid. */
  readonly presetProblems: readonly string[];
  /** The available tools, and the errors of those that the workspace defines. */
  readonly tools: readonly ToolOffer[];
  readonly toolsProblem: string | null;
  readonly toolServers: readonly ToolServer[];
  readonly spent: AnswerCost;
  /** Starter questions for an empty chat. */
  readonly starters: readonly string[];
  /** Null in the mode `ask`, and before the first question. */
  readonly task: TaskStatus | null;
  /** Background commands of agents in this window; `ended` says how one ended that nobody has stopped. */
  readonly commands: readonly { readonly id: string; readonly command: string; readonly ended?: string }[];
  /** The plan of the shown path; null without one. */
  readonly plan: string | null;
  /** The first files with pending changes, and the number of all. */
  readonly changedFiles: readonly ListedChange[];
  readonly changedFileCount: number;
  /** The action that can be undone: the last rewind of files, or the undo of one. */
  readonly undoableRewind: "rewind" | "undo" | null;
  /** The files of the workspace that tell the model something in the modes that act, as they were last read. */
  readonly guidanceFiles: readonly GuidanceFile[];
  readonly customModes: readonly CustomMode[];
  readonly promptFiles: readonly PromptFile[];
  /** Other agents, those that can't be started too. */
  readonly agents: readonly HostedAgentOffer[];
  readonly environment: ConversationEnvironment;
  readonly problem: ChatProblem | null;
  /** A notice about the conversation. */
  readonly notice: ChatNotice | null;
}

export interface ChatNotice {
  readonly text: string;
  /** It needs a step of the user, or is in progress. Without it the notice leaves once it was seen. */
  readonly stays?: true;
}

/** Fields that are replaced as a whole. */
export type StateFields = Omit<ChatState, "conversationId" | "messages" | "earlierCount" | "beside">;
