import MiniSearch from "minisearch";
import type { DocsLibrary } from "../docs/library.ts";
import { toTerm } from "../docs/terms.ts";

/** A search result's text. */
interface Passage {
  readonly id: number;
  readonly title: string;
  readonly url: string;
  /** Synonyms that are searched but not shown. */
  readonly also: string;
  readonly text: string;
}

/** Searches the documentation in place of the web. */
export interface WebSearch {
  /** Best first. Weak matches are left out, so there may be fewer than `limit`. */
  find(query: string, limit: number): readonly Passage[];
}

/** The least score of a result, relative to the best one. */
const leastShare = 0.12;

/** Builds its index at the first search. */
export function createWebSearch(library: DocsLibrary): WebSearch {
  let built: { readonly passages: readonly Passage[]; readonly index: MiniSearch } | undefined;
  const build = () => {
    const passages = passagesOf(library);
    return { passages, index: indexOf(passages) };
  };
  return {
    find(query, limit) {
      built ??= build();
      const { passages, index } = built;
      const hits = index.search(query);
      const least = (hits[0]?.score ?? 0) * leastShare;
      const good = hits.filter(({ score }) => score >= least).slice(0, limit);
      return good.flatMap(({ id }) => passages[id as number] ?? []);
    },
  };
}

function passagesOf(library: DocsLibrary): readonly Passage[] {
  return library
    .sections()
    .filter(({ text }) => text !== "")
    .map((section, id) => ({
      id,
      title: section.heading === section.page ? section.page : `${section.page}: ${section.heading}`,
      url: library.urlOf(section),
      also: section.also,
      text: section.text,
    }));
}

function indexOf(passages: readonly Passage[]): MiniSearch {
  const index = new MiniSearch<Passage>({
    fields: ["title", "also", "text"],
    tokenize: (text) => text.match(/[\p{L}\p{N}_'’]+/gu) ?? [],
    processTerm: (word) => toTerm(word) ?? null,
    searchOptions: {
      boost: { title: 3, also: 2 },
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.4 },
    },
  });
  index.addAll(passages);
  return index;
}
