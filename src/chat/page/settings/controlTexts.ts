import type { NumberParameter, ServiceSwitch } from "../../../shared/chat/chatParameters.ts";
import { suffixLabels } from "../../../shared/chat/modelNames.ts";
import type { ChatSettings } from "../../protocol/chatSettings.ts";

export interface ControlText {
  readonly label: string;
  /** A one-sentence description. */
  readonly hint: string;
}

/** Settings with a fixed set of values. */
export const choiceTexts = {
  verbosity: { label: "Verbosity", hint: "Length of the answer, if the model supports it." },
  reasoning_effort: { label: "Effort", hint: "How long the model reasons before it answers." },
  reasoning_summary: { label: "Summary", hint: "How detailed the summary of the reasoning is." },
  tool_choice: {
    label: "Use of tools",
    hint: "auto: the model decides. required: its first reply to a question calls a tool. none: it calls no tool.",
  },
  prompt_cache_retention: {
    label: "Prompt cache",
    hint: "How long the service caches the start of this chat, which makes requests cheaper and faster.",
  },
} as const satisfies Readonly<Partial<Record<keyof ChatSettings, ControlText>>>;

export const numberTexts: Readonly<Record<NumberParameter, ControlText>> = {
  temperature: { label: "Temperature", hint: "Higher is more varied, 0 nearly always the same." },
  top_p: { label: "Top p", hint: "Samples from the likeliest tokens that together have this probability." },
  top_k: { label: "Top k", hint: "Samples from this number of the likeliest tokens." },
  min_p: { label: "Min p", hint: "Excludes tokens less likely than this share of the likeliest one." },
  min_temp: { label: "Lowest, if dynamic", hint: "Lower bound of a temperature that the service adapts." },
  max_temp: { label: "Highest, if dynamic", hint: "Upper bound of a temperature that the service adapts." },
  frequency_penalty: { label: "Frequency penalty", hint: "Above 0, frequent tokens become less likely." },
  presence_penalty: {
    label: "Presence penalty",
    hint: "Above 0, tokens that were used once become less likely.",
  },
  repetition_penalty: { label: "Repetition penalty", hint: "Above 1, repetition is less likely." },
  seed: { label: "Seed", hint: "The same seed and question give the same answer, if the model supports it." },
  max_completion_tokens: { label: "Longest answer", hint: "In tokens, reasoning included." },
  n: { label: "Answers", hint: "Number of answers per question, side by side. Each one is billed." },
  top_logprobs: { label: "Other tokens", hint: "Number of alternatives shown for each token." },
};

export const switchTexts: Readonly<Record<ServiceSwitch, ControlText>> = {
  enable_web_scraping: {
    label: suffixLabels.enable_web_scraping,
    hint: "The service reads pages whose address is in the question. Costs extra.",
  },
  enable_web_citations: {
    label: suffixLabels.enable_web_citations,
    hint: "The answer cites the page of each statement.",
  },
  include_search_results_in_stream: {
    label: suffixLabels.include_search_results_in_stream,
    hint: "Search results are sent before the answer.",
  },
  return_search_results_as_documents: {
    label: suffixLabels.return_search_results_as_documents,
    hint: "Search results are sent as documents.",
  },
  enable_x_search: { label: "Search X", hint: "The service searches posts on X. Costs extra." },
  strip_thinking_response: {
    label: suffixLabels.strip_thinking_response,
    hint: "The service omits the model's reasoning.",
  },
  disable_thinking: { label: suffixLabels.disable_thinking, hint: "The model answers without reasoning." },
  include_venice_system_prompt: {
    label: suffixLabels.include_venice_system_prompt,
    hint: "Adds the service's system prompt, over a thousand tokens a question. It is written for conversation, not for code.",
  },
  enable_e2ee: {
    label: "Encrypted mode",
    hint: "Asks for the model's encrypted mode. The extension itself encrypts nothing: the model runs in a protected environment, but the service can read the question in transit.",
  },
};
