import * as z from "zod";
import type { ChatMessage } from "../../api/endpoints/chatRequest.ts";
import { type AnswerMessage, isRunning, type Message } from "../../shared/chatState.ts";
import { errorActionIds } from "../../shared/errorActions.ts";

const Explanation = z.object({
  sentence: z.string(),
  actions: z.array(z.object({ id: z.enum(errorActionIds), label: z.string() })),
  retryAtMs: z.number().exactOptional(),
});

const Answer = z.object({
  role: z.literal("assistant"),
  id: z.string().min(1),
  model: z.string(),
  text: z.string(),
  reasoning: z.string(),
  state: z.enum(["waiting", "streaming", "done", "stopped", "cut-off", "failed"]),
  startedAtMs: z.number(),
  timing: z.object({
    firstTextMs: z.number().exactOptional(),
    reasoningMs: z.number().exactOptional(),
    totalMs: z.number().exactOptional(),
  }),
  usage: z
    .object({
      promptTokens: z.number(),
      completionTokens: z.number(),
      cachedTokens: z.number().exactOptional(),
      reasoningTokens: z.number().exactOptional(),
      costUsd: z.number().exactOptional(),
      costDiem: z.number().exactOptional(),
    })
    .exactOptional(),
  problem: Explanation.exactOptional(),
  finishReason: z.string().exactOptional(),
  resendAtMs: z.number().nullable().exactOptional(),
});
const Question = z.object({ role: z.literal("user"), id: z.string().min(1), text: z.string() });
const parentId = z.string().nullable();

/** A message and the one it follows: messages form a tree, of which the view shows the path to `leafId`. */
const Node = z.discriminatedUnion("role", [Question.extend({ parentId }), Answer.extend({ parentId })]);

/** A conversation as it is kept on disk. */
export const Conversation = z.object({
  v: z.literal(1),
  id: z.string().min(1),
  /** Unix times in milliseconds. */
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  nodes: z.array(Node),
  leafId: z.string().nullable(),
  draft: z.object({ text: z.string(), revision: z.number() }),
});
export type Conversation = Readonly<z.infer<typeof Conversation>>;
export type ConversationNode = Message & { readonly parentId: string | null };

/** The messages from the first to `leafId`, and the others. Throws where the tree has a hole or a loop. */
export function messagesOf({ nodes, leafId }: Pick<Conversation, "nodes" | "leafId">): {
  readonly path: Message[];
  readonly others: ConversationNode[];
} {
  const byId = new Map(nodes.map((node) => [node.id, node as ConversationNode]));
  const path: Message[] = [];
  for (let id = leafId; id !== null; ) {
    const node = byId.get(id);
    if (!node) throw new Error(`message ${id} is missing, or follows itself`);
    byId.delete(id);
    const { parentId: before, ...message } = node;
    path.unshift(message as Message);
    id = before;
  }
  return { path, others: [...byId.values()] };
}

/** A path as nodes, each following the one before it. */
export function toNodes(path: readonly Message[]): ConversationNode[] {
  return path.map((message, index) => ({ ...message, parentId: path[index - 1]?.id ?? null }));
}

/** What was under way when the process ended is not any more. */
export function settled(message: Message, problem: AnswerMessage["problem"]): Message {
  if (message.role === "user" || !isRunning(message)) return message;
  return { ...message, state: "cut-off", resendAtMs: null, ...(problem ? { problem } : {}) };
}

/** The messages as the service wants them: all that was said, without answers that never came. */
export function toRequestMessages(path: readonly Message[]): ChatMessage[] {
  return path.flatMap((message): ChatMessage[] => {
    if (message.role === "user") return [{ role: "user", content: message.text }];
    return message.text === "" ? [] : [{ role: "assistant", content: message.text }];
  });
}
