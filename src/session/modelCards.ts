import type { Model, ModelCapabilities } from "../api/endpoints/models.ts";
import type { Ability, ModelCard } from "../shared/chat/chatModels.ts";
import { believedPrice } from "../shared/money/believable.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { shortened } from "../shared/text/shortened.ts";
import { isLocalModel } from "../shared/web/modelServer.ts";
import type { Connection } from "./connection/connection.ts";

/**
 * Data of the models of a connection. Those that run on this machine come first: whoever has one wants it before the
 * programs of the sandbox.
 */
export function toModelCards(
  models: readonly Model[],
  { kind }: Pick<Connection, "kind">,
): readonly ModelCard[] {
  const cards = models.map(toModelCard);
  if (kind !== "sandbox") return cards;
  const marked = cards.map(
    (card): ModelCard => ({ ...card, isPlayMoney: true, ...(runsHere(card) ? { isLocal: true } : {}) }),
  );
  return [...marked.filter(({ isLocal }) => isLocal), ...marked.filter(({ isLocal }) => !isLocal)];
}

/** True for a model of the sandbox that a server on this machine runs. A server may also pass on what it is sent. */
function runsHere({
  id,
  privacy,
}: {
  readonly id: string;
  readonly privacy?: string | null | undefined;
}): boolean {
  return isLocalModel(id) && privacy === "private";
}

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
    ...present("replacedBy", shortFact(spec.deprecation?.replacementModelId)),
    ...present("restrictedIn", regionsOf(spec.regionRestrictions)),
    ...originOf(model),
    ...imagesOf(spec.capabilities),
  };
}

/** Characters of a fact that a record states in its own words. An id is rarely longer. */
const longestFact = 60;
/** Regions that are shown. */
const maxRegions = 8;
/** Seconds; a later time is no time of a release, and may be no date. */
const latestCreated = 253_402_300_799;

/** A text of the service on one line; undefined if it says nothing. */
function shortFact(text: string | null | undefined): string | undefined {
  const line = visibleLine(shortened(text?.trim() ?? "", longestFact));
  return line === "" || line === "not-available" ? undefined : line;
}

function regionsOf(regions: readonly string[] | null | undefined): readonly string[] | undefined {
  const named = (regions ?? []).slice(0, maxRegions).flatMap((region) => shortFact(region) ?? []);
  return named.length === 0 ? undefined : named;
}

/** An owner that begins the id is not named again: so is the server of a model on this machine. */
function originOf({
  id,
  owned_by: owner,
  created,
  model_spec,
}: Model): Pick<ModelCard, "quantization" | "owner" | "createdAtMs"> {
  const isTime = typeof created === "number" && created > 0 && created <= latestCreated;
  return {
    ...present("quantization", shortFact(model_spec?.capabilities?.quantization)),
    ...(owner && id.startsWith(`${owner}/`) ? {} : present("owner", shortFact(owner))),
    ...(isTime ? { createdAtMs: created * 1000 } : {}),
  };
}

/** Only of a model that takes pictures. */
function imagesOf(
  capabilities: ModelCapabilities | null | undefined,
): Pick<ModelCard, "takesSeveralImages" | "maxImages"> {
  if (capabilities?.supportsVision !== true) return {};
  const { maxImages, supportsMultipleImages } = capabilities;
  const isCount = typeof maxImages === "number" && Number.isSafeInteger(maxImages) && maxImages > 0;
  return {
    ...(supportsMultipleImages === true ? { takesSeveralImages: true } : {}),
    ...(isCount ? { maxImages } : {}),
  };
}

/**
 * The model to use if none is chosen, or the chosen one no longer exists: one on this machine, an online default, else the
 * first online one.
 */
export function defaultModelId(cards: readonly ModelCard[]): string | undefined {
  const running = cards.filter(({ offline }) => !offline);
  const local = running.filter(({ isLocal }) => isLocal);
  const able = local.find(({ capabilities }) => capabilities.includes("tools")) ?? local[0];
  if (able) return able.id;
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
