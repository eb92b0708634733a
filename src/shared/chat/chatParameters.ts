// The parameters of a chat request that a user sets (spec E10). The client validates by these bounds, the settings
// panel builds its fields from them, and presets are parsed by them. No zod here because the view imports this file.

/** Bounds of a number; an absent bound does not apply. */
export interface NumberRule {
  readonly min: number;
  readonly max?: number;
  readonly isWhole?: boolean;
}

export const numberParameters = {
  temperature: { min: 0, max: 2 },
  top_p: { min: 0, max: 1 },
  top_k: { min: 0, isWhole: true },
  min_p: { min: 0, max: 1 },
  min_temp: { min: 0, max: 2 },
  max_temp: { min: 0, max: 2 },
  frequency_penalty: { min: -2, max: 2 },
  presence_penalty: { min: -2, max: 2 },
  repetition_penalty: { min: 0 },
  seed: { min: 1, isWhole: true },
  max_completion_tokens: { min: 1, isWhole: true },
  n: { min: 1, isWhole: true },
  top_logprobs: { min: 0, isWhole: true },
} as const satisfies Readonly<Record<string, NumberRule>>;
export type NumberParameter = keyof typeof numberParameters;

/** Levels of reasoning, least first. */
export const reasoningEfforts = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export const reasoningSummaries = ["auto", "concise", "detailed"] as const;
export const toolChoices = ["auto", "none", "required"] as const;
export const verbosities = ["low", "medium", "high", "auto"] as const;
export const cacheRetentions = ["default", "extended", "24h"] as const;
export const webSearchChoices = ["off", "on", "auto"] as const;
/** Answers that one question may request at once, from all models. */
export const maxAnswersAtOnce = 8;
/** Stop sequences in a request, at most (spec E10). */
export const maxStops = 4;
/** Token ids that end an answer, at most; the spec has no bound. */
export const maxStopTokens = 64;
/** The name of a schema, and that of a message's author, as services of this kind accept them. The spec has no rule. */
export const namePattern = /^[\w-]{1,64}$/;
export const nameRule = "must have 1 to 64 letters, digits, _ or -";

/** Boolean parameters that only this service has. */
export const serviceSwitches = [
  "enable_web_scraping",
  "enable_web_citations",
  "include_search_results_in_stream",
  "return_search_results_as_documents",
  "enable_x_search",
  "strip_thinking_response",
  "disable_thinking",
  "include_venice_system_prompt",
  "enable_e2ee",
] as const;
export type ServiceSwitch = (typeof serviceSwitches)[number];

/** The switches that a model's id may carry as a suffix, `<model>:<switch>=<value>&…` (wire.md section 5). */
export const suffixSwitches = [
  "enable_web_search",
  "enable_web_citations",
  "enable_web_scraping",
  "include_venice_system_prompt",
  "include_search_results_in_stream",
  "return_search_results_as_documents",
  "character_slug",
  "strip_thinking_response",
  "disable_thinking",
] as const;
export type SuffixSwitch = (typeof suffixSwitches)[number];

/** The rule that a number violates, or undefined if it is valid. */
export function parameterProblem(name: NumberParameter, value: number): string | undefined {
  const rule: NumberRule = numberParameters[name];
  if (!Number.isFinite(value)) return "must be a number";
  if (rule.isWhole && !Number.isInteger(value)) return `must be a whole number, not ${value}`;
  if (value < rule.min || value > (rule.max ?? Number.POSITIVE_INFINITY)) {
    const bounds = rule.max === undefined ? `${rule.min} or more` : `from ${rule.min} to ${rule.max}`;
    return `must be ${bounds}, not ${value}`;
  }
  // Larger ones are not exact in JavaScript, and schemas refuse them as whole numbers.
  if (rule.isWhole && !Number.isSafeInteger(value))
    return `must be ${Number.MAX_SAFE_INTEGER} or less, not ${value}`;
  return undefined;
}
