import * as z from "zod";
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
  sources: z
    .array(
      z.object({
        url: z.string(),
        title: z.string().exactOptional(),
        date: z.string().exactOptional(),
        excerpt: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  problem: Explanation.nullable().exactOptional(),
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
/** What was under way when the process ended is not any more. */
export function settled<Any extends Message>(message: Any, problem: AnswerMessage["problem"]): Any {
  if (message.role === "user" || !isRunning(message)) return message;
  return { ...message, state: "cut-off", resendAtMs: null, ...(problem ? { problem } : {}) };
}
