import type { Model, ModelCapabilities } from "../api/endpoints/models.ts";
import type { Ability, ModelCard } from "../shared/chat/chatModels.ts";
import { believedPrice } from "../shared/money/believable.ts";

/** Data of a model for the picker; members that the service omits stay undefined. */
export function toModelCard(model: Model): ModelCard {
  const spec = model.model_spec ?? {};
  const contextTokens = spec.availableContextTokens ?? model.context_length;
  const retiresAt = spec.deprecation?.removesAt ?? spec.deprecation?.date;
  return {
    id: model.id,
    name: spec.name || model.id,
    capabilities: spec.capabilities ? capabilityWords(spec.capabilities) : [],
    reasoningEfforts: effortsOf(spec.capabilities),
    traits: spec.traits ?? [],
    beta: spec.betaModel === true,
    offline: spec.offline === true,
    ...present("description", spec.description),
    ...present("contextTokens", contextTokens),
    ...present("inputUsd", priceUsd(spec.pricing?.input)),
    ...present("cachedInputUsd", priceUsd(spec.pricing?.cache_input)),
    ...present("outputUsd", priceUsd(spec.pricing?.output)),
    ...present("maxAnswerTokens", spec.maxCompletionTokens),
    ...present("privacy", spec.privacy),
    ...present("retiresAt", retiresAt),
  };
}

/** The model to use if none is chosen, or the chosen one no longer exists: an online default, else the first online one. */
export function defaultModelId(cards: readonly ModelCard[]): string | undefined {
  const running = cards.filter(({ offline }) => !offline);
  return (running.find(({ traits }) => traits.includes("default")) ?? running[0] ?? cards[0])?.id;
}

/** A model that supports reasoning effort without listing levels is assumed to have the usual three. */
function effortsOf(capabilities: ModelCapabilities | null | undefined): readonly string[] {
  if (capabilities?.supportsReasoningEffort !== true) return [];
  return capabilities.reasoningEffortOptions ?? ["low", "medium", "high"];
}

const words: readonly (readonly [keyof ModelCapabilities, Ability])[] = [
  ["optimizedForCode", "code"],
  ["supportsReasoning", "reasoning"],
  ["supportsVision", "vision"],
  ["supportsAudioInput", "audio"],
  ["supportsVideoInput", "video"],
  ["supportsFunctionCalling", "tools"],
  ["supportsResponseSchema", "JSON schema"],
  ["supportsWebSearch", "web search"],
  ["supportsXSearch", "X search"],
  ["supportsLogProbs", "logprobs"],
  ["supportsTeeAttestation", "TEE"],
  ["supportsE2EE", "E2EE"],
];

function capabilityWords(capabilities: ModelCapabilities): Ability[] {
  return words.flatMap(([flag, word]) => (capabilities[flag] === true ? [word] : []));
}

function priceUsd(leaf: unknown): number | undefined {
  return believedPrice(typeof leaf === "object" && leaf !== null && "usd" in leaf ? leaf.usd : undefined);
}

function present<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { [key in Name]?: Value } {
  return value === null || value === undefined ? {} : ({ [name]: value } as { [key in Name]: Value });
}
