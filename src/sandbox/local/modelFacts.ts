import { definedMembers, type Members, membersOf } from "../../shared/members.ts";

/** What a server says about one of its models. Absent members are unknown. */
export interface ModelFacts {
  /** Tokens of prompt and answer together. */
  readonly contextTokens?: number;
  /** What the model could hold, where its server runs it with a size of its own. */
  readonly trainedTokens?: number;
  /** Tokens of the longest answer. */
  readonly completionTokens?: number;
  readonly vision?: boolean;
  readonly tools?: boolean;
  readonly reasoning?: boolean;
  /** False for a model that can't chat: embeddings, speech. */
  readonly isChat?: boolean;
  /** Its server fills in between a prompt and a `suffix`. */
  readonly inserts?: boolean;
  /** The host that runs it, if that is another machine: Ollama passes on what is sent to its cloud models. */
  readonly remoteHost?: string;
}

/** A model of a server's list: its name, and a mark that changes when the model does. */
export interface ListedModel {
  readonly name: string;
  readonly mark: string;
}

/** A question to the server: parsed JSON, or undefined if there is none. */
export type Ask = (path: string, body?: unknown) => Promise<unknown>;
export type Learn = (name: string, facts: ModelFacts) => void;

export function listIn(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** Smaller contexts hold no question. Zero means "as the model says" on several servers. */
const fewestTokens = 256;
/** No model holds more. It keeps odd numbers out of sums. */
const mostTokens = 100_000_000;

/** A number of tokens, also as text; undefined if it is none that can be believed. */
export function tokensIn(value: unknown): number | undefined {
  const tokens = typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value;
  if (typeof tokens !== "number" || !Number.isInteger(tokens)) return undefined;
  return tokens >= fewestTokens && tokens <= mostTokens ? tokens : undefined;
}

/** Tokens of an answer may be few, but not none. */
function answerTokensIn(value: unknown, contextTokens: number | undefined): number | undefined {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > mostTokens)
    return undefined;
  return Math.min(value, contextTokens ?? value);
}

/**
 * An entry of `GET /v1/models`. Names of the sizes: `max_model_len` (vLLM, SGLang), `meta` (llama.cpp), `context_length`
 * and `top_provider` (lists in the form of OpenRouter), and others that servers add. What the server runs with comes
 * before what the model was trained with.
 */
export function factsOfEntry(entry: unknown): ModelFacts {
  const listed = membersOf(entry);
  const meta = membersOf(listed.meta);
  const provider = membersOf(listed.top_provider);
  const contextTokens = first(tokensIn, [
    listed.loaded_context_length,
    meta.n_ctx,
    listed.n_ctx,
    listed.max_model_len,
    provider.context_length,
    listed.context_length,
    listed.context_window,
    listed.context_size,
    listed.max_context_length,
    listed.max_context_window,
    listed.max_context_tokens,
    meta.context_length,
    meta.n_ctx_train,
  ]);
  const asAnswer = (value: unknown) => answerTokensIn(value, contextTokens);
  const completionTokens = first(asAnswer, [
    listed.max_completion_tokens,
    provider.max_completion_tokens,
    listed.max_output_tokens,
  ]);
  return definedMembers({
    contextTokens,
    completionTokens,
    ...abilitiesIn(listed),
    isChat: isChatType(listed.type),
  });
}

/** Ollama runs no model with less, unless its file or the user's settings say so. */
const ollamaLeastTokens = 2048;

/**
 * The reply of Ollama to `POST /api/show`. It loads a model with `num_ctx` of the model's file, else with a size of its
 * own settings or by the memory of the machine, which it does not tell before. So what the model could hold is no size.
 */
export function factsOfOllama(shown: unknown): ModelFacts {
  const { model_info, parameters, capabilities, remote_host } = membersOf(shown);
  const info = membersOf(model_info);
  const architecture = info["general.architecture"];
  const trained =
    tokensIn(info[`${String(architecture)}.context_length`]) ??
    first(
      tokensIn,
      Object.entries(info).flatMap(([name, value]) => (name.endsWith(".context_length") ? [value] : [])),
    );
  const set = typeof parameters === "string" ? parameters : "";
  const written = tokensIn(parameterIn(set, "num_ctx"));
  const isRemote = typeof remote_host === "string" && remote_host !== "";
  // Cloud models run with all that they have.
  const isSmall = isRemote || (trained ?? Number.POSITIVE_INFINITY) <= ollamaLeastTokens;
  const contextTokens =
    written === undefined ? (isSmall ? trained : undefined) : Math.min(written, trained ?? written);
  const longest = Number(parameterIn(set, "num_predict") ?? Number.NaN);
  return definedMembers({
    contextTokens,
    trainedTokens: trained,
    completionTokens: answerTokensIn(longest, contextTokens),
    remoteHost: isRemote ? remote_host : undefined,
    // Ollama refuses a request for what is not on this list.
    ...(Array.isArray(capabilities) && capabilities.length > 0
      ? {
          vision: capabilities.includes("vision"),
          tools: capabilities.includes("tools"),
          reasoning: capabilities.includes("thinking"),
          isChat: capabilities.includes("completion"),
          inserts: capabilities.includes("insert"),
        }
      : {}),
  });
}

/** A line of Ollama's `parameters`: the name, blanks, the value. */
function parameterIn(text: string, name: string): string | undefined {
  for (const line of text.split("\n")) {
    const [key, value, ...rest] = line.trim().split(/\s+/);
    if (key === name && rest.length === 0) return value;
  }
  return undefined;
}

/**
 * An entry of LM Studio's `GET /api/v0/models`. A model that is not loaded will be loaded with the size of its settings,
 * which are not told: its own size is no more than a bound.
 */
export function factsOfLmStudio(entry: unknown): ModelFacts {
  const { type, state, loaded_context_length, max_context_length, capabilities } = membersOf(entry);
  const isOffered = Array.isArray(capabilities) && capabilities.includes("tool_use");
  return definedMembers({
    // Older versions do not tell the size of a loaded model.
    contextTokens: first(tokensIn, [
      loaded_context_length,
      ...(state === "not-loaded" ? [] : [max_context_length]),
    ]),
    trainedTokens: tokensIn(max_context_length),
    vision: type === "vlm" ? true : type === "llm" ? false : undefined,
    // Models that were not trained for tools get a prompt for them, so the lack of the word says nothing.
    tools: isOffered ? true : undefined,
    isChat: isChatType(type),
  });
}

/** An entry of LM Studio's `GET /api/v1/models` (since 0.4). */
export function factsOfLmStudioV1(entry: unknown): ModelFacts {
  const { type, loaded_instances, max_context_length, capabilities } = membersOf(entry);
  const loaded = (Array.isArray(loaded_instances) ? loaded_instances : []).map(
    (instance) => membersOf(membersOf(instance).config).context_length,
  );
  const { vision, trained_for_tool_use, reasoning } = membersOf(capabilities);
  return definedMembers({
    contextTokens: first(tokensIn, loaded),
    trainedTokens: tokensIn(max_context_length),
    vision: flagIn(vision),
    tools: trained_for_tool_use === true ? true : undefined,
    reasoning: typeof reasoning === "object" && reasoning !== null ? true : flagIn(reasoning),
    isChat: isChatType(type),
  });
}

/** The reply of llama.cpp to `GET /props`, for the model that it runs. */
export function factsOfLlamaCpp(props: unknown): ModelFacts {
  const { default_generation_settings, modalities, chat_template, chat_template_caps, n_ctx } =
    membersOf(props);
  const settings = membersOf(default_generation_settings);
  const caps = membersOf(chat_template_caps);
  const contextTokens = first(tokensIn, [settings.n_ctx, n_ctx]);
  return definedMembers({
    contextTokens,
    completionTokens: answerTokensIn(membersOf(settings.params).n_predict, contextTokens),
    vision: flagIn(membersOf(modalities).vision),
    tools: flagIn(caps.supports_tool_calls ?? caps.supports_tools),
    // A template with this switch belongs to a model that reasons, and can be told not to.
    reasoning: typeof chat_template === "string" ? chat_template.includes("enable_thinking") : undefined,
  });
}

/** One of two facts: the second wins where both say something. */
export function mergedFacts(one: ModelFacts, other: ModelFacts): ModelFacts {
  return { ...one, ...other };
}

/** Types that servers list beside models for text. */
const otherTypes = /^(embed|rerank|image|tts|stt|asr|audio|speech|transcription|moderation|video)/i;

function isChatType(type: unknown): boolean | undefined {
  if (typeof type !== "string") return undefined;
  if (/^(llm|vlm|chat|text|language)/i.test(type)) return true;
  return otherTypes.test(type) ? false : undefined;
}

/** Abilities as a list of words, as flags, or as what the prompt may hold. */
function abilitiesIn({ capabilities, architecture, supported_parameters }: Members): ModelFacts {
  const inputs = membersOf(architecture).input_modalities;
  const ofInputs = Array.isArray(inputs) ? { vision: inputs.includes("image") } : {};
  const ofParameters = Array.isArray(supported_parameters)
    ? { tools: supported_parameters.includes("tools") }
    : {};
  return { ...ofInputs, ...ofParameters, ...abilitiesNamed(capabilities) };
}

const abilityWords = {
  vision: ["vision", "image", "multimodal", "image_input"],
  tools: ["tools", "tool_use", "tool_calls", "tool-use", "function_calling", "function-calling"],
  reasoning: ["thinking", "reasoning"],
} as const;

/** A list names what a model can do, and need not be complete. A flag says both. */
function abilitiesNamed(capabilities: unknown): ModelFacts {
  const flags = membersOf(capabilities);
  const of = (words: readonly string[]) => {
    if (Array.isArray(capabilities)) return words.some((word) => capabilities.includes(word)) || undefined;
    return words.map((word) => flagIn(flags[word])).find((flag) => flag !== undefined);
  };
  return definedMembers({
    vision: of(abilityWords.vision),
    tools: of(abilityWords.tools),
    reasoning: of(abilityWords.reasoning),
  });
}

function flagIn(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function first<Value>(
  read: (value: unknown) => Value | undefined,
  values: readonly unknown[],
): Value | undefined {
  return values.map(read).find((value) => value !== undefined);
}
