import type { SpendSource } from "../../../api/money/charge.ts";
import type { FileChange } from "../../../changes/engine/pendingChanges.ts";
import type { Members } from "../../../shared/members.ts";
import type { Accepted } from "../../../tools/input/acceptInput.ts";
import type { ToolInput } from "../../../tools/serviceTool.ts";
import type { ToolKind, ToolOrigin } from "../../protocol/agentModes.ts";
import type { SubagentRow } from "../../protocol/chatMessages.ts";
import type { UserQuestion } from "../../protocol/userQuestion.ts";
import type { BegunCommand } from "./rounds/earlyEnd.ts";

/** The context of a running call. */
export interface CallContext {
  /** Who pays for the call: the chat, and the task that it belongs to. */
  readonly source: SpendSource;
  /** Of a call in a task: the id of its conversation, whose next request tells what is not known yet. */
  readonly conversation?: string;
  /** The call has changed files. */
  changed(changes: readonly FileChange[]): void;
  /** The call has changed all that it will, and still looks at what it did: the calls after it may begin. */
  written(): void;
  /** The call changes the plan. Throws if the user has changed it since the request, with the user's version. */
  planned(plan: string): void;
  readonly results: {
    /** The whole result of an earlier call of this chat, by its handle. Rejects with a Refusal. */
    find(handle: string): Promise<string>;
    /** Tokens of a result that are sent. What is longer is cut, so the model can't have read it whole. */
    readonly maxTokens: number;
    /** Shows the model a picture after the results of this round. */
    addPicture(
      bytes: Uint8Array,
      facts: { readonly mediaType: string; readonly tokens: number },
    ): Promise<void>;
  };
  /** What the card of the call shows of the subagent that it has started; absent without a card. */
  readonly subagent?: (row: SubagentRow) => void;
  /** A command of the call has begun, so the call has run, however it ends. `soFar` tells its output. */
  began(soFar: () => BegunCommand): void;
}

/** What allows a scope of a call beside an approval of just that. */
interface ScopeCover {
  /** A wider scope, which the user can approve in its place: `npm run *`. */
  readonly rule?: string;
  /** Of a part of the call that does nothing but read: whether it reads only what a tool may read unasked. */
  readonly reads?: () => Promise<boolean>;
}

/** A function that a model can call. */
export interface ChatTool {
  readonly kind: ToolKind;
  /** The name that the model uses. */
  readonly name: string;
  readonly title: string;
  /** Description for the model. */
  readonly description: string;
  /** JSON schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly origin: ToolOrigin;
  /** The id of the server of the user's files that has it. */
  readonly server?: string;
  /** Reads what trained models send instead of our members. Absent for a tool that takes its schema only. */
  readonly accept?: (given: Members) => Accepted;
  /** Whether a model, by its id, is offered it; absent if all are. The same for a whole conversation with a model. */
  readonly isFor?: (model: string) => boolean;
  /** The cost of a call, as text; absent if it is free. */
  readonly price?: string;
  /** Changes when the tool's behaviour may have changed; permanent approvals are bound to it. */
  readonly fingerprint: () => Promise<string>;
  /**
   * Further restrictions of such an approval, such as the site of a page, or the words of a command: a call needs an
   * approval for all of them. Empty if a call can't be judged, so that it always asks; undefined without restrictions.
   */
  readonly scopes?: (input: ToolInput) => readonly string[] | undefined;
  /** What else allows the scopes of a call, in their order. */
  readonly covers?: (input: ToolInput) => readonly ScopeCover[];
  /** True for a call that writes files beside what its kind says: it also needs what an edit needs. */
  readonly alsoEdits?: (input: ToolInput) => boolean;
  /** Why this call asks although its kind runs unasked, as a sentence; undefined if it does not. */
  readonly question?: (input: ToolInput) => string | undefined;
  /** What keeps a call from doing more, or why nothing does, as a sentence of its card. */
  readonly limits?: (input: ToolInput) => string | undefined;
  /** Whether a call may use the network, if the user can choose that on its card: then it is the member `network` of its input. */
  readonly network?: (input: ToolInput) => boolean | undefined;
  /** True for a call that needs the user's decision each time, whatever was approved before. */
  readonly alwaysAsks?: (input: ToolInput) => boolean;
  /**
   * True for an edit that reads files before it changes them: it needs what the edits before it have written, so none runs
   * beside it until it has written, too.
   */
  readonly readsFirst?: boolean;
  /**
   * Looks up what `summary` has to say of a call, before the user decides about it. Never rejects. A card that was shown
   * before is corrected.
   */
  readonly prepare?: (input: ToolInput) => Promise<void>;
  /** Begins what its first call would wait for. Called when a request offers it to a model, which takes its time. */
  readonly warm?: () => void;
  /** A one-line summary of a call for the user's decision. */
  summary(input: ToolInput): string;
  /** The question of a call that the user answers: it needs no approval, and its answer is none. */
  readonly asksUser?: (input: ToolInput) => UserQuestion;
  /** Absent if the user writes the result. Rejects with a sentence for the model and the user. */
  readonly run?: (input: ToolInput, signal: AbortSignal, context: CallContext) => Promise<string>;
  /** Timeout of a call in milliseconds; default is one minute. */
  readonly timeoutMs?: number;
}

/** A tool call as the model wrote it. */
export interface ModelToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text; for a custom tool call any text. */
  readonly arguments: string;
  readonly isCustom?: true;
  /** Whether it may use the network, as the user has chosen. */
  readonly network?: boolean;
  /** The answer reached its limit of tokens inside this call: the sentence for the model and the user. */
  readonly cut?: string;
  /** Members that are sent back unchanged. */
  readonly echo?: Readonly<Record<string, unknown>>;
}

/** The common members of a built-in tool. Its name is its fingerprint. */
export function builtIn(name: string, title: string, kind: ChatTool["kind"]) {
  return { name, title, kind, origin: "built-in", fingerprint: async () => name } as const;
}
