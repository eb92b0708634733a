import type { Explanation } from "../errorActions.ts";
import { ownMember } from "../members.ts";
import type { ModelCard, Models } from "./chatModels.ts";
import type { SuffixSwitch } from "./chatParameters.ts";
import { type ModelReference, splitModelId } from "./modelId.ts";

/** Names that a service accepts in place of a model's id (wire.md section 4), each with the id that it stands for. */
export interface NameLists {
  readonly traits: Readonly<Record<string, string>>;
  /** Names of other vendors' models. */
  readonly mapping: Readonly<Record<string, string>>;
}

export const noNames: NameLists = { traits: {}, mapping: {} };

/** The lists of one service. They are read when a name is first used that is no model's id. */
export type ModelNames =
  | { readonly status: "unread" | "loading" }
  | { readonly status: "ready"; readonly lists: NameLists }
  | { readonly status: "failed"; readonly problem: Explanation };

/** What a typed name stands for. */
export interface ResolvedName extends Pick<ModelReference, "features"> {
  /** Undefined if neither the list of models nor those of names have it. */
  readonly by: "id" | "trait" | "mapping" | undefined;
  /** The model's id; the name itself if it is unknown. */
  readonly modelId: string;
}

/** Resolves a model's id, a trait or another vendor's name, each with or without a suffix of switches. */
export function resolveName(
  name: string,
  isListed: (id: string) => boolean,
  { traits, mapping }: NameLists,
): ResolvedName {
  const { id, features } = splitModelId(name);
  if (isListed(id)) return { by: "id", modelId: id, features };
  const [trait, mapped] = [ownMember(traits, id), ownMember(mapping, id)];
  if (trait !== undefined) return { by: "trait", modelId: trait, features };
  return mapped === undefined
    ? { by: undefined, modelId: id, features }
    : { by: "mapping", modelId: mapped, features };
}

/** A name with the card of its model, as far as the lists are known. */
export interface NamedModel extends ResolvedName {
  readonly card: ModelCard | undefined;
}

/** The model that a name stands for. Until the lists of names are read, the traits of the cards are used. */
export function namedModel(models: Models, names: ModelNames, name: string): NamedModel {
  const cards = models.status === "ready" ? models.cards : [];
  const find = (id: string) => cards.find((card) => card.id === id);
  const resolved = resolveName(name, (id) => find(id) !== undefined, listsOf(names));
  if (resolved.by !== undefined) return { ...resolved, card: find(resolved.modelId) };
  const card = cards.find(({ traits }) => traits.includes(resolved.modelId));
  return card ? { ...resolved, by: "trait", modelId: card.id, card } : { ...resolved, card };
}

function listsOf(names: ModelNames): NameLists {
  return names.status === "ready" ? names.lists : noNames;
}

/** Names of the switches that a suffix may set. */
export const suffixLabels: Readonly<Record<SuffixSwitch, string>> = {
  enable_web_search: "Web search",
  enable_web_citations: "Cite sources",
  enable_web_scraping: "Read pages",
  include_venice_system_prompt: "Service's own prompt",
  include_search_results_in_stream: "Results first",
  return_search_results_as_documents: "Results as documents",
  character_slug: "Persona",
  strip_thinking_response: "Hide thinking",
  disable_thinking: "No thinking",
};

/** `trait of Guide · Web search: auto`: what a name stands for, in words. */
export function standsForText(
  { by, card, modelId, features }: NamedModel,
  status: ModelNames["status"],
): string {
  const model = card?.name ?? modelId;
  const unknown = { failed: "the service's names can't be read", ready: "not in the service's list" };
  const pending = "looked up at the service…";
  const words = {
    id: model,
    trait: `trait of ${model}`,
    mapping: `stands for ${model}`,
    unknown: status === "failed" || status === "ready" ? unknown[status] : pending,
  };
  return [words[by ?? "unknown"], ...Object.entries(features).map(switchText)].join(" · ");
}

/** `enable_web_search`, `auto` → `Web search: auto`. */
function switchText([name, value]: readonly [string, string]): string {
  const state = ownMember({ true: "on", false: "off" }, value) ?? value;
  return `${ownMember(suffixLabels, name) ?? name}: ${state}`;
}
