import * as z from "zod";
import {
  cacheRetentions,
  maxAnswersAtOnce,
  maxStops,
  maxStopTokens,
  type NumberParameter,
  namePattern,
  nameRule,
  numberParameters,
  reasoningEfforts,
  reasoningSummaries,
  serviceSwitches,
  toolChoices,
  verbosities,
  webSearchChoices,
} from "../../shared/chat/chatParameters.ts";
import { hostedAgentNames } from "../../shared/chat/hostedAgentNames.ts";
import { numberBy } from "../../shared/chat/numberBy.ts";
import { isMembers } from "../../shared/members.ts";
import { parseJson } from "../../shared/text/json/parseJson.ts";
import { chatModes } from "./agentModes.ts";

type Numbers = { [Name in NumberParameter]: z.ZodExactOptional<z.ZodNumber> };
const numbers = Object.fromEntries(
  Object.entries(numberParameters).map(([name, rule]) => [name, numberBy(rule).exactOptional()]),
) as Numbers;
const switches = Object.fromEntries(serviceSwitches.map((name) => [name, z.boolean().exactOptional()])) as {
  [Name in (typeof serviceSwitches)[number]]: z.ZodExactOptional<z.ZodBoolean>;
};
const isJsonObject = (text: string) => isMembers(parseJson(text));

/**
 * Settings of a conversation. Absent settings are left to the model and the service. Members of the request keep their
 * wire names (spec E10); switches of the service are in `service`.
 */
export const ChatSettings = z.strictObject({
  /** The system prompt. */
  system: z.string().max(200_000).exactOptional(),
  /** Absent: `system`. */
  system_role: z.literal("developer").exactOptional(),
  /** The `name` of the user's messages. */
  user_name: z.string().regex(namePattern, nameRule).exactOptional(),
  ...numbers,
  n: numberBy({ ...numberParameters.n, max: maxAnswersAtOnce }).exactOptional(),
  stop: z.array(z.string().min(1)).min(1).max(maxStops).exactOptional(),
  stop_token_ids: z.array(z.int().min(0)).min(1).max(maxStopTokens).exactOptional(),
  reasoning_effort: z.enum(reasoningEfforts).exactOptional(),
  reasoning_summary: z.enum(reasoningSummaries).exactOptional(),
  /** How the model uses the tools that it is offered; absent is the service's `auto`. */
  tool_choice: z.enum(toolChoices).exactOptional(),
  parallel_tool_calls: z.boolean().exactOptional(),
  verbosity: z.enum(verbosities).exactOptional(),
  prompt_cache_retention: z.enum(cacheRetentions).exactOptional(),
  logprobs: z.boolean().exactOptional(),
  /** The JSON schema, as text, that answers must conform to. */
  schema: z.string().max(200_000).refine(isJsonObject, "must be a JSON object").exactOptional(),
  /** Absent: `answer`. */
  schema_name: z.string().regex(namePattern, nameRule).exactOptional(),
  /** False: the answer need not fit exactly. */
  schema_strict: z.literal(false).exactOptional(),
  service: z
    .strictObject({
      ...switches,
      enable_web_search: z.enum(webSearchChoices).exactOptional(),
      character_slug: z.string().min(1).exactOptional(),
    })
    .exactOptional(),
  /** Names of the tools that the model may call. */
  tools: z.array(z.string().min(1).max(64)).max(128).exactOptional(),
  /** The permissions of the model; default is `ask`. */
  mode: z.enum(chatModes).exactOptional(),
  /** The path of a file of the workspace: the mode Agent with its instructions, and with no other tools than it names. */
  customMode: z.string().min(1).max(1000).exactOptional(),
  /** Another agent answers in place of this extension's, with the model as its model. Only in the mode Agent: see `withItsAgent` of chatUsable. */
  agent: z.enum(hostedAgentNames).exactOptional(),
  /** In the mode Ask, the model is told nothing but the user's system prompt. */
  onlyOwnPrompt: z.literal(true).exactOptional(),
  /** Limits of a task in the modes that act. */
  task: z
    .strictObject({
      capUsd: z.number().positive().max(10_000).exactOptional(),
      rounds: z.int().min(1).max(1000).exactOptional(),
      minutes: z.int().min(1).max(1440).exactOptional(),
      tokens: z.int().min(1000).max(1e9).exactOptional(),
      /** Each edit of a file asks, as a command does. */
      asksBeforeEdits: z.literal(true).exactOptional(),
    })
    .exactOptional(),
  /** USD that the conversation may cost before it asks for confirmation. */
  budgetUsd: z.number().positive().exactOptional(),
});
export type ChatSettings = Readonly<z.infer<typeof ChatSettings>>;

/** Named settings, as settings.json stores them. A workspace can have some, so that they name no program to start. */
export const ChatPreset = ChatSettings.omit({ agent: true }).extend({
  name: z.string().trim().min(1).max(80),
  model: z.string().min(1).exactOptional(),
});
export type ChatPreset = Readonly<z.infer<typeof ChatPreset>>;

/** Switches of the service that a new chat keeps: they protect its text, or are a way to think. */
const lastingSwitches = [
  "enable_e2ee",
  "strip_thinking_response",
  "disable_thinking",
  "include_venice_system_prompt",
] as const;
const lastingNames = [
  "mode",
  "customMode",
  "agent",
  "onlyOwnPrompt",
  "task",
  "tools",
  "budgetUsd",
  "user_name",
  "reasoning_effort",
  "reasoning_summary",
  "parallel_tool_calls",
  "prompt_cache_retention",
] as const satisfies readonly (keyof ChatSettings)[];

/**
 * The settings that a new chat begins with: how the user works, and what limits its cost. What shapes the answers of one
 * chat, such as its system prompt, a JSON schema, a length or a temperature, stays with that chat; a preset brings it back.
 */
export function lastingSettings(settings: ChatSettings): ChatSettings {
  const { service = {} } = settings;
  const switches = lastingSwitches.flatMap((name) =>
    service[name] === undefined ? [] : [[name, service[name]]],
  );
  return {
    ...Object.fromEntries(
      lastingNames.flatMap((name) => (settings[name] === undefined ? [] : [[name, settings[name]]])),
    ),
    ...(switches.length > 0 ? { service: Object.fromEntries(switches) } : {}),
  };
}
