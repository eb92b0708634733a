import * as z from "zod";
import {
  cacheRetentions,
  maxStops,
  type NumberParameter,
  numberParameters,
  reasoningEfforts,
  reasoningSummaries,
  toolChoices,
  verbosities,
  webSearchChoices,
} from "../../../shared/chat/chatParameters.ts";
import { numberBy } from "../../../shared/chat/numberBy.ts";

/** Parts of a user message (wire.md section 5). Any part may set a cache point. */
const cache_control = z
  .strictObject({ type: z.literal("ephemeral"), ttl: z.string().min(1).optional() })
  .optional();

export const ContentPart = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string(), cache_control }),
  z.strictObject({
    type: z.literal("image_url"),
    image_url: z.strictObject({
      url: z.string().regex(/^(https:\/\/|data:)/, "must be an https or data URL"),
    }),
    cache_control,
  }),
  z.strictObject({
    type: z.literal("input_audio"),
    input_audio: z.strictObject({ data: z.string().min(1), format: z.string().min(1) }),
    cache_control,
  }),
  z.strictObject({
    type: z.literal("video_url"),
    video_url: z.strictObject({ url: z.string().min(1) }),
    cache_control,
  }),
  z.strictObject({
    type: z.literal("file"),
    file: z.strictObject({ file_data: z.string().min(1), filename: z.string().optional() }),
    cache_control,
  }),
]);
export type ContentPart = z.infer<typeof ContentPart>;

const content = z.union([z.string(), z.array(ContentPart).min(1)]);
const name = z.string().optional();

const FunctionCall = z.looseObject({
  id: z.string(),
  type: z.literal("function").default("function"),
  function: z.looseObject({ name: z.string(), arguments: z.string() }),
});
const CustomCall = z.looseObject({
  id: z.string(),
  type: z.literal("custom"),
  custom: z.looseObject({ name: z.string(), input: z.string() }),
});

/**
 * A call that a model made. `arguments` is JSON text and may be empty, `input` is any text. Other members that the
 * service set are sent back unchanged.
 */
export const ToolCall = z.union([FunctionCall, CustomCall]);
export type ToolCall = z.infer<typeof ToolCall>;

/**
 * Members of an answer that must be sent back unchanged. Some models refuse the next turn of a tool loop without them.
 */
const echoed = {
  reasoning_content: z.string().nullish(),
  reasoning_details: z.array(z.unknown()).optional(),
  thought_signature: z.unknown().optional(),
  reasoning_encrypted: z.boolean().optional(),
};

/**
 * The members of an answer that are stored and sent back. Members that requests do not have and invalid values are
 * dropped.
 */
export const AnswerEcho = z.object({
  reasoning_content: echoed.reasoning_content.catch(undefined),
  reasoning_details: echoed.reasoning_details.catch(undefined),
  thought_signature: echoed.thought_signature,
  reasoning_encrypted: echoed.reasoning_encrypted.catch(undefined),
});

export const ChatMessage = z.discriminatedUnion("role", [
  z.strictObject({ role: z.literal("system"), content, name }),
  z.strictObject({ role: z.literal("developer"), content, name }),
  z.strictObject({ role: z.literal("user"), content, name }),
  z.strictObject({
    role: z.literal("assistant"),
    content: content.nullish(),
    name,
    ...echoed,
    tool_calls: z.array(ToolCall).optional(),
  }),
  z.strictObject({ role: z.literal("tool"), content, tool_call_id: z.string().min(1), name }),
]);
export type ChatMessage = z.infer<typeof ChatMessage>;

/** The switches of the service with the names of the spec; dialect.ts renames the member that contains them. */
export const ServiceParameters = z.strictObject({
  character_slug: z.string().min(1).optional(),
  strip_thinking_response: z.boolean().optional(),
  disable_thinking: z.boolean().optional(),
  enable_e2ee: z.boolean().optional(),
  enable_web_search: z.enum(webSearchChoices).optional(),
  enable_web_scraping: z.boolean().optional(),
  enable_web_citations: z.boolean().optional(),
  include_search_results_in_stream: z.boolean().optional(),
  return_search_results_as_documents: z.boolean().optional(),
  include_venice_system_prompt: z.boolean().optional(),
  enable_x_search: z.boolean().optional(),
});
export type ServiceParameters = z.infer<typeof ServiceParameters>;

const ReasoningEffort = z.enum(reasoningEfforts);

export const Tool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().min(1),
    description: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    strict: z.boolean().optional(),
  }),
});
export type Tool = z.infer<typeof Tool>;

const ToolChoice = z.union([
  z.enum(toolChoices),
  z.strictObject({ type: z.string(), function: z.strictObject({ name: z.string().min(1) }) }),
]);

const ResponseFormat = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()).optional() }),
  }),
  z.strictObject({ type: z.literal("json_object") }),
  z.strictObject({ type: z.literal("text") }),
]);

const maxFallbacks = 10;
/** The same bounds as in the settings panel. */
const number = (name: NumberParameter) => numberBy(numberParameters[name]).optional();

/** Request body of POST /chat/completions (spec E10), without `stream`, which the row sets. */
export const ChatRequest = z.strictObject({
  messages: z.array(ChatMessage).min(1),
  model: z.string().min(1),
  frequency_penalty: number("frequency_penalty"),
  presence_penalty: number("presence_penalty"),
  repetition_penalty: number("repetition_penalty"),
  logprobs: z.boolean().optional(),
  top_logprobs: number("top_logprobs"),
  max_completion_tokens: number("max_completion_tokens"),
  /** Deprecated; the service ignores values of 0 or less. */
  max_tokens: z.int().optional(),
  max_temp: number("max_temp"),
  min_temp: number("min_temp"),
  min_p: number("min_p"),
  n: number("n"),
  prompt_cache_key: z.string().optional(),
  prompt_cache_retention: z.enum(cacheRetentions).optional(),
  reasoning: z
    .strictObject({
      effort: ReasoningEffort.optional(),
      summary: z.enum(reasoningSummaries).optional(),
    })
    .optional(),
  /** Takes precedence over `reasoning.effort`. */
  reasoning_effort: ReasoningEffort.optional(),
  seed: number("seed"),
  stop: z
    .union([z.string(), z.array(z.string()).min(1).max(maxStops)])
    .nullable()
    .optional(),
  stop_token_ids: z.array(z.number()).optional(),
  stream_options: z.strictObject({ include_usage: z.boolean().optional() }).optional(),
  temperature: number("temperature"),
  top_k: number("top_k"),
  top_p: number("top_p"),
  user: z.string().optional(),
  store: z.boolean().optional(),
  text: z.strictObject({ verbosity: z.enum(verbosities).optional() }).optional(),
  verbosity: z.enum(verbosities).optional(),
  /** Models that answer if the chosen one refuses. */
  fallbacks: z
    .array(z.strictObject({ model: z.string().min(1) }))
    .max(maxFallbacks)
    .optional(),
  include: z.array(z.string()).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  service_parameters: ServiceParameters.optional(),
  parallel_tool_calls: z.boolean().optional(),
  response_format: ResponseFormat.optional(),
  tool_choice: ToolChoice.optional(),
  tools: z.array(Tool).nullable().optional(),
});
export type ChatRequest = z.input<typeof ChatRequest>;
