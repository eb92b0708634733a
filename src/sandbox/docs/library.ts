import MiniSearch from "minisearch";
import type { DocPage } from "./pages.ts";
import { type Section, sectionsOf } from "./sections.ts";
import { termsOf, toTerm, wordsOf } from "./terms.ts";

export interface DocsHit {
  readonly section: Section;
  readonly score: number;
  /** The share of the question's words that the section contains, 0 to 1. */
  readonly coverage: number;
}

/** A search index of the documentation, built at the first search. */
export interface DocsLibrary {
  readonly pages: readonly DocPage[];
  sections(): readonly Section[];
  /** Best first. */
  search(question: string): readonly DocsHit[];
  /** The sandbox's URL of a section. */
  urlOf(section: Section): string;
}

export function createDocsLibrary(pages: readonly DocPage[], origin: () => string): DocsLibrary {
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
      const asked = termsOf(question);
      const found = index.search(question).flatMap(({ id, score, terms }) => {
        const section = sections[id as number];
        return section ? [toHit(section, score, asked, terms)] : [];
      });
      return found.sort((a, b) => b.score - a.score);
    },
    urlOf: ({ slug, anchor }) => `${origin()}/docs/${slug}#${anchor}`,
  };
}

function indexOf(sections: readonly Section[]): MiniSearch<Section> {
  const index = new MiniSearch<Section>({
    fields: ["heading", "also", "page", "text"],
    tokenize: wordsOf,
    processTerm: (word) => toTerm(word) ?? null,
    searchOptions: {
      boost: { heading: 4, also: 4, page: 1.5, text: 1 },
      prefix: (term) => term.length > 4,
      fuzzy: (term) => (term.length > 5 ? 0.2 : false),
      weights: { fuzzy: 0.3, prefix: 0.4 },
      // Many synonyms must not lower the score of a section.
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
    },
  });
  index.addAll(sections);
  return index;
}

/** Ranks a section higher if its heading consists of the question's words. */
function toHit(
  section: Section,
  score: number,
  asked: readonly string[],
  matched: readonly string[],
): DocsHit {
  const heading = termsOf(section.heading);
  const hit = heading.filter((term) => asked.includes(term)).length;
  const precision = heading.length === 0 ? 0 : hit / heading.length;
  const shares = asked.map((term) => shareOf(term, matched));
  const coverage = shares.reduce((sum, share) => sum + share, 0) / Math.max(1, asked.length);
  // Ranks the page title before its subheadings.
  const rank = section.level === 1 ? 1.15 : 1;
  return { section, score: score * (0.7 + 0.5 * precision) * rank, coverage };
}

/** Exact matches have full weight, prefix and fuzzy matches less. */
function shareOf(term: string, matched: readonly string[]): number {
  if (matched.includes(term)) return 1;
  if (matched.some((other) => other.startsWith(term))) return 0.8;
  const near = (other: string) => other[0] === term[0] && Math.abs(other.length - term.length) <= 1;
  return matched.some(near) ? 0.6 : 0;
}
