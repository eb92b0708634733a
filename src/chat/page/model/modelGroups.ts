import type { PickerCard } from "./typedNames.ts";

export interface ModelGroup {
  readonly title: string;
  readonly cards: readonly PickerCard[];
  /** True for a name that was typed and is not in use. */
  readonly isOffer?: boolean;
}

export interface Marked {
  readonly favouriteIds: readonly string[];
  /** Most recent first. */
  readonly recentIds: readonly string[];
}

/**
 * The matching models without duplicates: favourites, those on this machine, recent, typed names, recommended, others,
 * offline ones last.
 */
export function groupModels(
  cards: readonly PickerCard[],
  query: string,
  { favouriteIds, recentIds }: Marked,
): ModelGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const left = new Set(cards.filter((card) => words.every((word) => searchText(card).includes(word))));
  const take = (isOne: (card: PickerCard) => boolean) => {
    const taken = [...left].filter(isOne);
    for (const card of taken) left.delete(card);
    return taken;
  };
  const offline = take((card) => card.offline);
  const favourites = take(({ id }) => favouriteIds.includes(id));
  const byUse = (one: PickerCard, other: PickerCard) => useOf(recentIds, one) - useOf(recentIds, other);
  const local = take(({ isLocal }) => isLocal === true).sort(byUse);
  const recent = take(({ id }) => recentIds.includes(id));
  const groups = [
    { title: "Favourites", cards: favourites },
    { title: "On this machine", cards: local },
    { title: "Recently used", cards: recent.sort(byUse) },
    { title: "Typed names", cards: take(({ standsFor }) => standsFor !== undefined) },
    { title: "Recommended", cards: take(({ traits }) => traits.length > 0) },
    { title: "All models", cards: take(() => true) },
    { title: "Offline", cards: offline },
  ];
  return groups.filter((group) => group.cards.length > 0);
}

/** How long ago it was used: models that were not come last. */
function useOf(recentIds: readonly string[], { id }: PickerCard): number {
  const index = recentIds.indexOf(id);
  return index < 0 ? recentIds.length : index;
}

function searchText({ id, name, capabilities, privacy, traits, standsFor = "" }: PickerCard): string {
  return [id, name, ...capabilities, ...traits, privacy ?? "", standsFor].join(" ").toLowerCase();
}
