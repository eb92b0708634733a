import type { NumberParameter, ServiceSwitch } from "../../../shared/chatParameters.ts";
import type { ChatSettings } from "../../../shared/chatSettings.ts";

export interface ControlText {
  readonly label: string;
  /** What it does, in a sentence. */
  readonly hint: string;
}

/** Settings that are one of several words. */
export const choiceTexts = {
  verbosity: { label: "Verbosity", hint: "How much the model says, where it can be told." },
  reasoning_effort: { label: "Effort", hint: "How long the model thinks first." },
  prompt_cache_retention: {
    label: "Prompt cache",
    hint: "How long the service keeps the beginning of this chat, which makes it cheaper and faster.",
  },
} as const satisfies Readonly<Partial<Record<keyof ChatSettings, ControlText>>>;

export const numberTexts: Readonly<Record<NumberParameter, ControlText>> = {
  temperature: { label: "Temperature", hint: "Higher is more varied, 0 nearly always the same." },
  top_p: { label: "Top p", hint: "Draws from the likeliest tokens that together have this probability." },
  top_k: { label: "Top k", hint: "Draws from so many of the likeliest tokens." },
  min_p: { label: "Min p", hint: "Leaves out tokens less likely than this share of the likeliest." },
  frequency_penalty: { label: "Frequency penalty", hint: "Above 0, what was said often is said less." },
  presence_penalty: { label: "Presence penalty", hint: "Above 0, what was said once is said less." },
  repetition_penalty: { label: "Repetition penalty", hint: "Above 1, repetition is less likely." },
  seed: { label: "Seed", hint: "The same seed and question give the same answer where the model can." },
  max_completion_tokens: { label: "Longest answer", hint: "In tokens, reasoning included." },
  n: { label: "Answers", hint: "How many answers a question is given, next to each other. Each costs." },
  top_logprobs: { label: "Other tokens", hint: "How many other tokens are shown with each one." },
};

export const switchTexts: Readonly<Record<ServiceSwitch, ControlText>> = {
  enable_web_scraping: {
    label: "Read pages",
    hint: "Pages named in the question are read by the service. Costs extra.",
  },
  enable_web_citations: { label: "Cite sources", hint: "The answer says which page a statement is from." },
  include_search_results_in_stream: {
    label: "Results first",
    hint: "What was found comes before the answer.",
  },
  return_search_results_as_documents: {
    label: "Results as documents",
    hint: "What was found comes as documents.",
  },
  enable_x_search: { label: "Search X", hint: "Posts on X are searched. Costs extra." },
  strip_thinking_response: { label: "Hide thinking", hint: "The service leaves out what the model thought." },
  disable_thinking: { label: "No thinking", hint: "The model answers at once." },
  include_venice_system_prompt: {
    label: "Service's own prompt",
    hint: "Adds the service's system prompt, over a thousand tokens a question. Made for talk, not for code.",
  },
  enable_e2ee: {
    label: "Encrypted mode",
    hint: "Asks for the model's encrypted mode. This extension encrypts nothing itself: the model runs in a protected environment, the service can still read the question on its way.",
  },
};
