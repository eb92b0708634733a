import * as z from "zod";
import { listOf } from "./list.ts";

/** Token counts of one answer. */
export const Usage = z.looseObject({
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  prompt_tokens_details: z
    .looseObject({ cached_tokens: z.number().nullish(), cache_creation_input_tokens: z.number().nullish() })
    .nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: z.number().nullish() }).nullish(),
});
export type Usage = z.infer<typeof Usage>;

/** What an answer cost, where the service says so (wire.md section 5). */
export const Cost = z.looseObject({ usd: z.number().nullish(), diem: z.number().nullish() });
export type Cost = z.infer<typeof Cost>;

/** A source that a search inside the chat found; `content` may hold HTML. */
export const Citation = z.looseObject({
  title: z.string().nullish(),
  url: z.string(),
  content: z.string().nullish(),
  date: z.string().nullish(),
});
export type Citation = z.infer<typeof Citation>;

/** The effective switches, echoed, with the sources found. */
export const EchoedParameters = z.looseObject({ web_search_citations: listOf(Citation).nullish() });

const ReplyToolCall = z.looseObject({
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.looseObject({ name: z.string(), arguments: z.string().nullish() }),
});

/** `thought_signature`, `reasoning_details` and their kin ride along as they came, to be echoed. */
export const ReplyMessage = z.looseObject({
  role: z.string().nullish(),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).nullish(),
  tool_calls: z.array(ReplyToolCall).nullish(),
});
export type ReplyMessage = z.infer<typeof ReplyMessage>;

export const Choice = z.looseObject({
  index: z.number(),
  /** Open: stop, length, tool_calls, content_filter. */
  finish_reason: z.string().nullish(),
  stop_reason: z.unknown().optional(),
  logprobs: z.unknown().optional(),
  message: ReplyMessage,
});
export type Choice = z.infer<typeof Choice>;

/** Whole answer of POST /chat/completions (spec E10). */
export const ChatCompletion = z.looseObject({
  id: z.string(),
  object: z.string(),
  created: z.number(),
  model: z.string(),
  choices: z.array(Choice).default([]),
  usage: Usage.nullish(),
  cost: Cost.nullish(),
  service_parameters: EchoedParameters.nullish(),
  search_results: listOf(Citation).nullish(),
  prompt_logprobs: z.unknown().optional(),
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

// The chunk schemas are plain objects: hundreds of thousands are parsed a second, and loose ones cost a third more.
const DeltaToolCall = z.object({
  index: z.number().nullish(),
  id: z.string().nullish(),
  type: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
});

export const Delta = z.object({
  role: z.string().nullish(),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  /** The reasoning is encrypted: keep it for the echo, do not show it. */
  reasoning_encrypted: z.boolean().nullish(),
  reasoning_details: z.array(z.unknown()).nullish(),
  thought_signature: z.unknown().optional(),
  /** Fragments, joined by `index`. */
  tool_calls: z.array(DeltaToolCall).nullish(),
});
export type Delta = z.infer<typeof Delta>;

/** One event of a streamed answer (wire.md section 5). Usage, cost and citations come with `choices: []`. */
export const ChatChunk = z.object({
  id: z.string().nullish(),
  object: z.string().nullish(),
  created: z.number().nullish(),
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        index: z.number(),
        delta: Delta,
        finish_reason: z.string().nullish(),
        logprobs: z.unknown().optional(),
      }),
    )
    .default([]),
  usage: Usage.nullish(),
  cost: Cost.nullish(),
  service_parameters: EchoedParameters.nullish(),
  search_results: listOf(Citation).nullish(),
});
export type ChatChunk = z.infer<typeof ChatChunk>;

/** A whole answer as the one chunk that would have carried it; what is no answer stays as it is, for the schema to refuse. */
export function chunkOfCompletion(reply: unknown): unknown {
  const parsed = ChatCompletion.safeParse(reply);
  if (!parsed.success) return reply;
  const { choices, ...rest } = parsed.data;
  return {
    ...rest,
    choices: choices.map(({ message, ...choice }) => ({
      ...choice,
      delta: { ...message, tool_calls: message.tool_calls?.map((call, index) => ({ ...call, index })) },
    })),
  };
}
