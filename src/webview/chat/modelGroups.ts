import type { ModelCard } from "../../shared/chatState.ts";

export interface ModelGroup {
  readonly title: string;
  readonly cards: readonly ModelCard[];
}

/** The models that match, those that the service recommends first and those that do not run last. */
export function groupModels(cards: readonly ModelCard[], query: string): ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter((card) => words.every((word) => searchText(card).includes(word)));
  const groups = [
    { title: "Recommended", cards: found.filter((card) => !card.offline && card.traits.length > 0) },
    { title: "All models", cards: found.filter((card) => !card.offline && card.traits.length === 0) },
    { title: "Offline", cards: found.filter((card) => card.offline) },
  ];
  return groups.filter((group) => group.cards.length > 0);
}

function searchText({ id, name, capabilities, privacy, traits }: ModelCard): string {
  return [id, name, ...capabilities, ...traits, privacy ?? ""].join(" ").toLowerCase();
}
