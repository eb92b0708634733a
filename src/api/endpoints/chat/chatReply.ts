import * as z from "zod";
import { isMembers } from "../../../shared/members.ts";
import { believedCost, isBelievableUsage, isTokenCount, saidText } from "../../../shared/money/believable.ts";
import { withoutReasoningTags } from "../../stream/reasoningTags.ts";
import { listOf } from "../list.ts";

const tokens = z.custom<number>(isTokenCount);

/** Metadata of an answer. An invalid value is dropped, so that the text of the answer is not lost. */
function lenient<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().catch(undefined);
}

/** Token counts of one answer. Counts that no answer can have make it invalid: it decides the price. */
export const Usage = z
  .looseObject({
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
    total_tokens: lenient(z.number()),
    prompt_tokens_details: lenient(
      z.looseObject({ cached_tokens: lenient(z.number()), cache_creation_input_tokens: lenient(z.number()) }),
    ),
    completion_tokens_details: lenient(z.looseObject({ reasoning_tokens: lenient(tokens) })),
  })
  .refine(isBelievableUsage, { error: "is not possible" });
export type Usage = z.infer<typeof Usage>;

/** Cost of an answer, if the service states it (wire.md section 5). Without a member it is stated, but can't be believed. */
export const Cost = z
  .looseObject({ usd: z.unknown().optional(), diem: z.unknown().optional() })
  .transform((cost) => {
    const believed: ReturnType<typeof believedCost> & { readonly doubted?: string } = believedCost(cost);
    const isDoubted = believed.usd === undefined && believed.diem === undefined;
    return isDoubted ? { doubted: saidText(cost) } : believed;
  });
export type Cost = z.infer<typeof Cost>;

/** A source that a web search of the chat found; `content` may contain HTML. */
export const Citation = z.looseObject({
  title: z.string().nullish(),
  url: z.string(),
  content: z.string().nullish(),
  date: z.string().nullish(),
});
export type Citation = z.infer<typeof Citation>;

/** The effective switches, echoed, with the sources found. */
const EchoedParameters = z.looseObject({ web_search_citations: lenient(listOf(Citation)) });

/** Text, or parts that contain it: compatible services send either. */
const Content = z.union([z.string(), z.array(z.unknown())]).nullish();
/** JSON text. Some services send the value itself. */
const Arguments = z
  .unknown()
  .transform((value) => {
    if (typeof value === "string" || value === null || value === undefined) return value;
    return typeof value === "object" ? JSON.stringify(value) : String(value);
  })
  .optional();

/** Some services write the number as text. */
const CallIndex = z.union([z.number(), z.stringFormat("index", /^\d{1,9}$/).transform(Number)]);

/** A call, or a fragment of one. Unknown members such as `extra_content` must be sent back unchanged. */
const ReplyToolCall = z.looseObject({
  index: lenient(CallIndex),
  id: lenient(z.string()),
  /** Open enum: function, custom. */
  type: lenient(z.string()),
  function: lenient(z.looseObject({ name: lenient(z.string()), arguments: Arguments })),
  custom: lenient(z.looseObject({ name: lenient(z.string()), input: Arguments })),
});
export type ReplyToolCall = z.infer<typeof ReplyToolCall>;

const said = {
  role: lenient(z.string()),
  content: Content,
  reasoning_content: Content,
  /** The name of `reasoning_content` at vLLM, Ollama, Groq and OpenRouter. */
  reasoning: Content.catch(undefined),
  /** The model's reason for a refusal. */
  refusal: lenient(z.string()),
  /** True if the reasoning is encrypted: send it back, do not show it. */
  reasoning_encrypted: lenient(z.boolean()),
  reasoning_details: lenient(z.array(z.unknown())),
  thought_signature: z.unknown().optional(),
  /** In a stream: fragments that are joined by `index`. */
  tool_calls: lenient(listOf(ReplyToolCall)),
  /** The only call of an answer, as services sent it before `tool_calls`. */
  function_call: ReplyToolCall.shape.function,
};

type Plain = string | null | undefined;
type InParts = z.infer<z.ZodObject<typeof said>>;
/** A message, or the delta of a chunk, with its content as plain text. */
export type ReplyMessage = Omit<
  Partial<InParts>,
  "content" | "reasoning_content" | "reasoning" | "function_call"
> & {
  content?: Plain;
  reasoning_content?: Plain;
  /** Set by this client: an end tag without its start tag shows that all content of the deltas before was reasoning. */
  ends_reasoning?: boolean;
};

export const ReplyMessage = z.object(said).transform((message): ReplyMessage => {
  const { reasoning, function_call, content, refusal, ...members } = message;
  const { reasoning_content: named, ...said } = members;
  const reasoning_content = named ?? reasoning;
  const others =
    function_call && !said.tool_calls?.length ? { ...said, ...asToolCalls(function_call) } : said;
  if (!Array.isArray(content) && !Array.isArray(reasoning_content)) {
    if (!reasoning && !function_call) return message as ReplyMessage;
    return { ...others, content, refusal, reasoning_content };
  }
  const [words, thoughts] = [readParts(content), readParts(reasoning_content)];
  return {
    ...others,
    content: words.text,
    reasoning_content: joined(words.reasoning, thoughts.reasoning, thoughts.text),
    refusal: joined(refusal, words.refusal),
  };
});

function asToolCalls(made: z.infer<typeof ReplyToolCall>["function"]) {
  return { tool_calls: [{ index: 0, type: "function", function: made }] };
}

interface Parts {
  readonly text?: Plain;
  readonly reasoning?: string;
  readonly refusal?: string;
}

function readParts(content: z.infer<typeof Content>): Parts {
  if (!Array.isArray(content)) return { text: content };
  const parts = content.map(readPart);
  return {
    text: parts.map(({ text }) => text ?? "").join(""),
    reasoning: parts.map(({ reasoning }) => reasoning ?? "").join(""),
    refusal: parts.map(({ refusal }) => refusal ?? "").join(""),
  };
}

/** Parts other than text, such as pictures, are dropped. */
function readPart(part: unknown): Parts {
  if (typeof part === "string") return { text: part };
  if (typeof part !== "object" || part === null) return {};
  const { type, text, refusal, thinking } = part as Readonly<Record<string, unknown>>;
  if (typeof refusal === "string") return { refusal };
  const words = textIn(text ?? thinking);
  return type === "thinking" || type === "reasoning" ? { reasoning: words } : { text: words };
}

function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map((part) => readPart(part).text ?? "").join("") : "";
}

function joined(...texts: readonly Plain[]): string | undefined {
  return texts.map((text) => text ?? "").join("") || undefined;
}

/** A choice without an index has that of its position in the list. */
function choicesOf<Schema extends z.ZodType<{ readonly index?: number | null | undefined } | null>>(
  choice: Schema,
) {
  return z
    .array(choice)
    .nullish()
    .transform((choices) =>
      (choices ?? []).flatMap((one, place) =>
        one === null ? [] : [{ ...(one as NonNullable<z.output<Schema>>), index: one.index ?? place }],
      ),
    );
}

const nothing: ReplyMessage = {};

const ended = {
  index: lenient(z.number()),
  /** Open enum: stop, length, tool_calls, content_filter. */
  finish_reason: lenient(z.string()),
  stop_reason: z.unknown().optional(),
  logprobs: z.unknown().optional(),
};

/** Complete answer of POST /chat/completions (spec E10). */
export const ChatCompletion = z.looseObject({
  id: z.string().catch(""),
  object: z.string().catch("chat.completion"),
  created: z.number().catch(0),
  model: z.string().catch(""),
  choices: choicesOf(
    z
      .looseObject({
        ...ended,
        message: ReplyMessage.nullish().transform((message) =>
          message ? withoutReasoningTags(message) : nothing,
        ),
      })
      .nullable(),
  ),
  usage: lenient(Usage),
  cost: Cost.nullish().catch({}),
  service_parameters: lenient(EchoedParameters),
  search_results: lenient(listOf(Citation)),
  prompt_logprobs: z.unknown().optional(),
});
export type ChatCompletion = z.infer<typeof ChatCompletion>;

/** One event of a streamed answer (wire.md section 5). Usage, cost and citations come with `choices: []`. */
export const ChatChunk = z.object({
  id: lenient(z.string()),
  object: lenient(z.string()),
  created: lenient(z.number()),
  model: lenient(z.string()),
  choices: choicesOf(
    z
      .object({ ...ended, delta: ReplyMessage.nullish(), message: ReplyMessage.nullish() })
      // The last chunk of an answer may have no delta; that of a complete answer has a message instead.
      .transform(({ delta, message, ...choice }) => ({ ...choice, delta: delta ?? message ?? nothing }))
      .nullable(),
  ),
  usage: lenient(Usage),
  cost: Cost.nullish().catch({}),
  service_parameters: lenient(EchoedParameters),
  search_results: lenient(listOf(Citation)),
  prompt_logprobs: z.unknown().optional(),
});
export type ChatChunk = z.infer<typeof ChatChunk>;

/** Converts a complete answer to one chunk. Other values are returned unchanged; the schema refuses them. */
export function chunkOfCompletion(reply: unknown): unknown {
  if (typeof reply !== "object" || reply === null || !("choices" in reply)) return reply;
  const { choices } = reply;
  return Array.isArray(choices) ? { ...reply, choices: choices.map(withIndexedCalls) } : reply;
}

/** The calls of a complete answer are complete, so each has its own index. */
function withIndexedCalls(choice: unknown): unknown {
  if (typeof choice !== "object" || choice === null || !("message" in choice)) return choice;
  const { message } = choice;
  if (typeof message !== "object" || message === null || !("tool_calls" in message)) return choice;
  const { tool_calls: calls } = message;
  if (!Array.isArray(calls)) return choice;
  const indexed = calls.map((call, index) => (isMembers(call) ? { ...call, index } : call));
  return { ...choice, message: { ...message, tool_calls: indexed } };
}
