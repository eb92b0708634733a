import type { Ability, ModelCard } from "../../shared/chat/chatModels.ts";
import type { NumberParameter, ServiceSwitch } from "../../shared/chat/chatParameters.ts";
import type { ChatSettings } from "./chatSettings.ts";

/** A control, by its name in the request. */
export type ControlName =
  | Exclude<keyof ChatSettings, "service" | NumberParameter>
  | NumberParameter
  | ServiceSwitch
  | "enable_web_search"
  | "character_slug";

const needs: Readonly<Partial<Record<ControlName, Ability>>> = {
  logprobs: "logprobs",
  top_logprobs: "logprobs",
  schema: "JSON schema",
  schema_name: "JSON schema",
  schema_strict: "JSON schema",
  tools: "tools",
  tool_choice: "tools",
  parallel_tool_calls: "tools",
  enable_web_search: "web search",
  enable_web_scraping: "web search",
  enable_web_citations: "web search",
  include_search_results_in_stream: "web search",
  return_search_results_as_documents: "web search",
  enable_x_search: "X search",
  strip_thinking_response: "reasoning",
  disable_thinking: "reasoning",
  enable_e2ee: "E2EE",
};

/** The reason that this model does not support a control; undefined if it does or if that is unknown. */
export function uselessBecause(name: ControlName, card: ModelCard | undefined): string | undefined {
  if (!card) return undefined;
  if (name === "reasoning_summary")
    return card.capabilities.includes("reasoning") ? undefined : `${card.name} doesn't support reasoning.`;
  if (name === "reasoning_effort")
    return card.reasoningEfforts.length > 0 ? undefined : `${card.name} doesn't support reasoning levels.`;
  const ability = needs[name];
  return ability === undefined || card.capabilities.includes(ability)
    ? undefined
    : `${card.name} doesn't support ${ability}.`;
}

/** The reason that the mode has no use for a control; undefined if it has. */
export function uselessInMode(name: ControlName, { mode = "ask" }: ChatSettings): string | undefined {
  const isSchema = name === "schema" || name === "schema_name" || name === "schema_strict";
  return isSchema && mode !== "ask"
    ? "Used in the mode Ask alone: a task answers in words and calls."
    : undefined;
}

/** The settings without those that this model does not support, or that the mode has no use for. */
export function usableSettings(settings: ChatSettings, card: ModelCard | undefined): ChatSettings {
  const usable = ([name]: [string, unknown]) =>
    uselessBecause(name as ControlName, card) === undefined &&
    uselessInMode(name as ControlName, settings) === undefined;
  const { service, reasoning_effort: effort, ...rest } = settings;
  const stored = Object.fromEntries(Object.entries(rest).filter(usable)) as ChatSettings;
  const takesEffort = effort !== undefined && (!card || card.reasoningEfforts.includes(effort));
  const most = card?.maxAnswerTokens ?? Number.POSITIVE_INFINITY;
  const { max_completion_tokens: length } = stored;
  return {
    ...stored,
    ...(length === undefined ? {} : { max_completion_tokens: Math.min(length, most) }),
    ...(takesEffort ? { reasoning_effort: effort } : {}),
    ...(service ? { service: Object.fromEntries(Object.entries(service).filter(usable)) } : {}),
  };
}

/** The settings without an agent that their mode has no use for: only the mode Agent has one, without the file of a mode. */
export function withItsAgent(settings: ChatSettings): ChatSettings {
  const { agent, mode, customMode } = settings;
  return agent === undefined || (mode === "agent" && customMode === undefined)
    ? settings
    : withoutAgent(settings);
}

export function withoutAgent({ agent: _, ...settings }: ChatSettings): ChatSettings {
  return settings;
}
