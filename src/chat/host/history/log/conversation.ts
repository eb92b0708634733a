import * as z from "zod";
import type { Attachment } from "../../../../shared/chat/chatAttachments.ts";
import { errorActionIds } from "../../../../shared/errorActions.ts";
import { definedMembers } from "../../../../shared/members.ts";
import { textIn } from "../../../../shared/stringIn.ts";
import { toolKinds } from "../../../protocol/agentModes.ts";
import {
  type AnswerMessage,
  agentDecisions,
  hasWaitingCall,
  isRunning,
  isUnderWay,
  type Message,
  type ToolCallCard,
  toolCallStates,
} from "../../../protocol/chatMessages.ts";
import type { StatePatch } from "../../../protocol/chatOps.ts";
import { ChatSettings } from "../../../protocol/chatSettings.ts";
import type { ConversationEnvironment, QueuedQuestion } from "../../../protocol/chatState.ts";
import { withItsAgent } from "../../../protocol/chatUsable.ts";
import type { MessageNode } from "../../conversation/messageTree.ts";
import { interruptedText } from "../../tools/rounds/earlyEnd.ts";
import type { LogLine, LogNode } from "./logEntry.ts";
import type { LogState } from "./logState.ts";

const Explanation = z.object({
  sentence: z.string(),
  actions: z.array(z.object({ id: z.enum(errorActionIds), label: z.string() })),
  retryAtMs: z.number().exactOptional(),
});

const TokenChances = z.array(
  z.object({
    token: z.string(),
    logprob: z.number(),
    others: z.array(z.object({ token: z.string(), logprob: z.number() })),
  }),
);

const StoredSource = z.object({
  url: z.string(),
  title: z.string().exactOptional(),
  date: z.string().exactOptional(),
  excerpt: z.string().exactOptional(),
  stored: z.string().exactOptional(),
});

const Usage = z.object({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cachedTokens: z.number().exactOptional(),
  reasoningTokens: z.number().exactOptional(),
  costUsd: z.number().exactOptional(),
  isCostByPrice: z.boolean().exactOptional(),
  isPlayMoney: z.boolean().exactOptional(),
  costDiem: z.number().exactOptional(),
  isPartial: z.boolean().exactOptional(),
});

const Answer = z.object({
  role: z.literal("assistant"),
  id: z.string().min(1),
  model: z.string(),
  agent: z.string().max(80).optional().catch(undefined),
  togetherId: z.string().exactOptional(),
  text: z.string(),
  reasoning: z.string(),
  state: z.enum(["waiting", "streaming", "done", "stopped", "cut-off", "failed"]),
  startedAtMs: z.number(),
  timing: z.object({
    firstTextMs: z.number().exactOptional(),
    reasoningMs: z.number().exactOptional(),
    totalMs: z.number().exactOptional(),
  }),
  usage: Usage.exactOptional(),
  sources: z.array(StoredSource).exactOptional(),
  tokens: TokenChances.exactOptional(),
  promptTokens: TokenChances.exactOptional(),
  schema: z.string().exactOptional(),
  schemaErrors: z.array(z.object({ at: z.string(), message: z.string() })).exactOptional(),
  calls: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        title: z.string(),
        says: z.string(),
        arguments: z.string(),
        runs: z.string().exactOptional(),
        tool: z.string().exactOptional(),
        asked: z
          .object({
            question: z.string(),
            choices: z.array(z.object({ label: z.string(), description: z.string().exactOptional() })),
            multiple: z.boolean(),
          })
          .exactOptional(),
        purpose: z.string().exactOptional(),
        isCustom: z.literal(true).exactOptional(),
        echo: z.record(z.string(), z.unknown()).exactOptional(),
        price: z.string().exactOptional(),
        limits: z.string().exactOptional(),
        network: z.boolean().exactOptional(),
        question: z.string().exactOptional(),
        isApprovalOver: z.literal(true).exactOptional(),
        // The card is compared with its tool before any decision: a file can contain any kind.
        kind: z.enum(toolKinds).optional().catch(undefined),
        scope: z.string().exactOptional(),
        rule: z.string().exactOptional(),
        options: z.array(z.object({ decision: z.enum(agentDecisions), name: z.string() })).exactOptional(),
        state: z.enum(toolCallStates),
        ms: z.number().min(0).exactOptional(),
        skipReason: z.string().exactOptional(),
        result: z.string().exactOptional(),
        whole: z
          .object({ blob: z.string().exactOptional(), length: z.number(), rows: z.number() })
          .exactOptional(),
        pictures: z
          .array(z.object({ blob: z.string(), mediaType: z.string(), bytes: z.number(), tokens: z.number() }))
          .exactOptional(),
        subagent: z
          .object({
            id: z.string(),
            now: z.string(),
            rounds: z.number(),
            usage: Usage.exactOptional(),
            capUsd: z.number(),
          })
          .exactOptional(),
      }),
    )
    .exactOptional(),
  reservedUsd: z.number().exactOptional(),
  predictedUsd: z.number().exactOptional(),
  summary: z.object({ text: z.string(), throughId: z.string(), messageCount: z.number() }).exactOptional(),
  changes: z
    .array(
      z.object({
        uri: z.string(),
        before: z.string().nullable(),
        savedBefore: z.string().nullable().exactOptional(),
        modeBefore: z.number().exactOptional(),
        after: z.string().nullable(),
        savedAfter: z.string().nullable().exactOptional(),
      }),
    )
    .exactOptional(),
  plan: z.string().exactOptional(),
  isPlanEdited: z.literal(true).exactOptional(),
  userPlan: z.string().exactOptional(),
  editorNote: z.string().exactOptional(),
  isContinued: z.literal(true).exactOptional(),
  echo: z.record(z.string(), z.unknown()).exactOptional(),
  notes: z.array(z.string()).exactOptional(),
  problem: Explanation.nullable().exactOptional(),
  finishReason: z.string().nullable().exactOptional(),
  stopReason: z.string().exactOptional(),
  reply: z
    .object({
      model: z.string().exactOptional(),
      id: z.string().exactOptional(),
      requestId: z.string().exactOptional(),
      createdAtMs: z.number().exactOptional(),
      switches: z.record(z.string(), z.string()).exactOptional(),
    })
    .exactOptional(),
  resendAtMs: z.number().nullable().exactOptional(),
});
/** An attachment of an unknown kind is shown as a file. */
const StoredAttachment = z.object({
  id: z.string().min(1),
  kind: z
    .enum(["file", "selection", "editor", "problems", "terminal", "folder", "image", "document"])
    .catch("file"),
  name: z.string(),
  detail: z.string().exactOptional(),
  mediaType: z.string(),
  bytes: z.number(),
  tokens: z.number().nullable(),
  blob: z.string(),
  uri: z.string().exactOptional(),
  line: z.number().exactOptional(),
  languageId: z.string().exactOptional(),
  width: z.number().exactOptional(),
  height: z.number().exactOptional(),
  way: z.enum(["file", "text"]).exactOptional(),
  textBlob: z.string().exactOptional(),
  source: StoredSource.exactOptional(),
  pending: z.literal("scaling").exactOptional(),
});
const Question = z.object({
  role: z.literal("user"),
  id: z.string().min(1),
  text: z.string(),
  attachments: z.array(StoredAttachment).exactOptional(),
  isSteering: z.literal(true).exactOptional(),
});
const parentId = z.string().nullable();

/** A message and its parent: messages form a tree. */
const Node = z.discriminatedUnion("role", [Question.extend({ parentId }), Answer.extend({ parentId })]);

/** The messages of a conversation's log. A damaged message, or one of an unknown kind, is reduced to its text. */
export function toTreeNodes(nodes: Iterable<LogNode>): MessageNode[] {
  return [...nodes].map((node) => {
    const read = Node.safeParse(node);
    return read.success ? (read.data as MessageNode) : salvaged(node);
  });
}

function salvaged(node: LogNode): MessageNode {
  const { id, parentId: before } = node;
  const { model, text, reasoning } = node as Readonly<Record<string, unknown>>;
  return {
    role: "assistant",
    id,
    parentId: before,
    model: textIn(model),
    text: textIn(text),
    reasoning: textIn(reasoning),
    state: "cut-off",
    startedAtMs: 0,
    timing: {},
  };
}

/** Attachments of the draft in the log; unreadable ones are dropped. */
function toDraftAttachments(stored: unknown): readonly Attachment[] {
  return Array.isArray(stored)
    ? stored.flatMap((one) => {
        const read = StoredAttachment.safeParse(one);
        return read.success ? [read.data] : [];
      })
    : [];
}

const StoredQueue = z.array(
  z.object({ id: z.string().min(1), text: z.string(), attachments: z.unknown().optional() }),
);

/** Queued questions in the log. They are not sent automatically, because their answer was cut off. */
function toQueue(stored: unknown): readonly QueuedQuestion[] {
  const { data = [] } = StoredQueue.safeParse(stored);
  return data.map(({ attachments, ...one }) => ({
    ...one,
    attachments: toDraftAttachments(attachments),
    isHeld: true,
  }));
}

/** Names of the conversation-wide values in the log. */
const metaNames = {
  attachments: "draftAttachments",
  queue: "queue",
  settings: "settings",
  environment: "environment",
} as const;

/** The stored part of a state change. */
export function storedOf({
  attachments,
  queue,
  settings,
  environment,
}: StatePatch): Readonly<Record<string, unknown>> {
  return {
    ...(attachments ? { [metaNames.attachments]: settledAttachments(attachments) } : {}),
    ...(queue ? { [metaNames.queue]: queue } : {}),
    ...(settings ? { [metaNames.settings]: settings } : {}),
    ...(environment ? { [metaNames.environment]: environment } : {}),
  };
}

/** The attachments of a draft as they are stored: unread ones are dropped, and scaling starts again. */
function settledAttachments(attachments: readonly Attachment[]): Attachment[] {
  return attachments.flatMap(({ pending, ...attachment }): Attachment[] => {
    if (attachment.blob === "") return [];
    return pending === "scaling" ? [{ ...attachment, pending }] : [attachment];
  });
}

/** Reads the values that `storedOf` writes. A question that was sent when the process was killed is not queued any more. */
export function fromStored({ meta, nodes }: Pick<LogState, "meta" | "nodes">) {
  return {
    attachments: toDraftAttachments(meta[metaNames.attachments]),
    queue: toQueue(meta[metaNames.queue]).filter(({ id }) => !nodes.has(id)),
    settings: toSettings(meta[metaNames.settings]),
    environment: toEnvironment(meta[metaNames.environment]),
  };
}

/** The values that another window wrote in these lines: its user may have lowered a cap, or sent a queued question. */
export function foreignFields(
  conversation: LogState,
  lines: readonly LogLine[],
  own: readonly QueuedQuestion[],
): StatePatch {
  const names = new Set(lines.flatMap((line) => (line.e === "meta" ? Object.keys(line.meta) : [])));
  const { queue, settings, environment } = fromStored(conversation);
  const ownOf = (id: string) => own.find((one) => one.id === id);
  return {
    ...(names.has(metaNames.settings) && settings ? { settings } : {}),
    ...(names.has(metaNames.environment) ? { environment } : {}),
    ...(names.has(metaNames.queue) ? { queue: queue.map((one) => ownOf(one.id) ?? one) } : {}),
  };
}

/** One of another version may name an agent that this one does not know. */
const StoredSettings = z.looseObject({ agent: ChatSettings.shape.agent.optional().catch(undefined) });

/** The settings in a conversation's log; undefined if they can't be read. */
function toSettings(stored: unknown): ChatSettings | undefined {
  const { data } = StoredSettings.safeParse(stored);
  const settings = data && ChatSettings.safeParse(definedMembers(data)).data;
  return settings && withItsAgent(settings);
}

const StoredEnvironment = z.object({
  ask: z.string().exactOptional(),
  acts: z.string().exactOptional(),
});

/** It is taken again if it can't be read. */
function toEnvironment(stored: unknown): ConversationEnvironment {
  return StoredEnvironment.safeParse(stored).data ?? {};
}

/** Marks answers and calls as ended that were running when the process ended. */
export function settled<Any extends Message>(message: Any, problem: AnswerMessage["problem"]): Any {
  if (message.role === "user" || !(isUnderWay(message) || hasWaitingCall(message))) return message;
  const calls = message.calls?.map(settledCall);
  const answer = isRunning(message)
    ? { state: "cut-off" as const, resendAtMs: null, ...(problem ? { problem } : {}) }
    : {};
  return { ...message, ...answer, ...(calls ? { calls } : {}) };
}

/** The user decides anew about a call that waited for its turn: what it waited for has not ended as it should. */
function settledCall(call: ToolCallCard): ToolCallCard {
  if (call.state === "waits") return { ...call, state: "asks" };
  return call.state === "runs" ? { ...call, state: "stopped", result: interruptedText(call.kind) } : call;
}
