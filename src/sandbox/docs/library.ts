import MiniSearch from "minisearch";
import type { DocPage } from "./pages.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { termsOf, toTerm } from "./terms.ts";

export interface Hit {
  readonly section: Section;
  readonly score: number;
  /** Which share of the question's words this section holds, 0 to 1. */
  readonly coverage: number;
}

/** The documentation, searchable. Indexed at the first question. */
export interface Library {
  readonly pages: readonly DocPage[];
  sections(): readonly Section[];
  /** Best first. */
  search(question: string): readonly Hit[];
  /** Where the sandbox itself shows a section. */
  urlOf(section: Section): string;
}

export function createLibrary(pages: readonly DocPage[], origin: () => string): Library {
  let shelf: { sections: readonly Section[]; index: MiniSearch<Section> } | undefined;
  const open = () => {
    if (!shelf) {
      const sections = sectionsOf(pages);
      shelf = { sections, index: indexOf(sections) };
    }
    return shelf;
  };
  return {
    pages,
    sections: () => open().sections,
    search(question) {
      const { sections, index } = open();
      const terms = termsOf(question);
      if (terms.length === 0) return [];
      return index.search(question).flatMap(({ id, score, queryTerms }) => {
        const section = sections[id as number];
        return section ? [{ section, score, coverage: new Set(queryTerms).size / terms.length }] : [];
      });
    },
    urlOf: ({ slug, anchor }) => `${origin()}/docs/${slug}#${anchor}`,
  };
}

function indexOf(sections: readonly Section[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ["heading", "also", "page", "text"],
    tokenize: (text) => text.match(/[\p{L}\p{N}_'’]+/gu) ?? [],
    processTerm: (word) => toTerm(word) ?? null,
    searchOptions: {
      boost: { heading: 4, also: 4, page: 1.5, text: 1 },
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.4 },
    },
  });
  index.addAll(sections);
  return index;
}
