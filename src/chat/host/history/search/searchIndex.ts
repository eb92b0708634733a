import { buildSegment, inText, inTitle, type SearchSegment, type SegmentDocument } from "./searchSegment.ts";
import { eachTerm, queryWords } from "./searchTerms.ts";

/** Searched text of a conversation. */
interface SearchText {
  readonly id: string;
  /** Stamp of the file that the text is from. */
  readonly stamp: string;
  readonly title: string;
  readonly texts: readonly string[];
}

interface SearchHit {
  readonly id: string;
  /** True if all words are in the title. */
  readonly isTitle: boolean;
}

/** Full text index of all conversations. Each one is in a closed segment or in the open one that collects new text. */
export interface SearchIndex {
  /** Replaces the entry of the conversation. */
  add(text: SearchText): void;
  remove(id: string): void;
  /** Stamp of the indexed file; undefined if the conversation is not indexed. */
  stampOf(id: string): string | undefined;
  /** Conversations with a term for every prefix of the query, in no order. */
  find(query: string): SearchHit[];
  /** Closes the open segment if it has at least `documents`. */
  close(documents: number): SearchSegment | undefined;
}

/** Position of a conversation: the number of its segment, or the open one. */
interface Place {
  readonly segment: number;
  readonly document: number;
  readonly stamp: string;
}

const open = -1;

export function createSearchIndex(loaded: readonly SearchSegment[]): SearchIndex {
  const segments = [...loaded];
  const places = new Map<string, Place>();
  let documents: SegmentDocument[] = [];
  let postings = new Map<string, number[]>();
  const settle = (segment: number, members: readonly SegmentDocument[]) => {
    members.forEach(({ id, stamp }, document) => {
      places.set(id, { segment, document, stamp });
    });
  };
  segments.forEach(({ documents: members }, segment) => {
    settle(segment, members);
  });
  const isLive = (segment: number, document: number, id: string) => {
    const place = places.get(id);
    return place?.segment === segment && place.document === document;
  };
  const findIn = (segment: number, words: readonly string[], hits: SearchHit[]) => {
    const closed = segments[segment];
    const members = closed?.documents ?? documents;
    const all = new Uint8Array(members.length).fill(inText | inTitle);
    for (const word of words) {
      const found = new Uint8Array(members.length);
      if (closed) closed.find(word, found);
      else findOpen(postings, word, found);
      // All words must match, each of them in the text or in the title.
      found.forEach((how, document) => {
        const before = all[document] ?? 0;
        all[document] = how === 0 || before === 0 ? 0 : (before & how) | inText;
      });
    }
    members.forEach(({ id }, document) => {
      const how = all[document] ?? 0;
      if (how !== 0 && isLive(segment, document, id)) hits.push({ id, isTitle: (how & inTitle) !== 0 });
    });
  };
  return {
    add({ id, stamp, title, texts }) {
      const document = documents.length;
      documents.push({ id, stamp });
      places.set(id, { segment: open, document, stamp });
      const post = (posting: number) => (term: string) => {
        const list = postings.get(term);
        if (!list) postings.set(term, [posting]);
        else if (list.at(-1) !== posting) list.push(posting);
      };
      for (const text of texts) eachTerm(text, post(document * 2));
      eachTerm(title, post(document * 2 + 1));
    },
    remove: (id) => void places.delete(id),
    stampOf: (id) => places.get(id)?.stamp,
    find(query) {
      const words = queryWords(query);
      const hits: SearchHit[] = [];
      if (words.length === 0) return hits;
      for (let segment = open; segment < segments.length; segment++) findIn(segment, words, hits);
      return hits;
    },
    close(enough) {
      const live = documents.filter(({ id }, document) => isLive(open, document, id)).length;
      if (live < enough) return undefined;
      const segment = buildSegment(documents, postings);
      segments.push(segment);
      documents.forEach(({ id, stamp }, document) => {
        if (isLive(open, document, id)) places.set(id, { segment: segments.length - 1, document, stamp });
      });
      documents = [];
      postings = new Map();
      return segment;
    },
  };
}

function findOpen(postings: ReadonlyMap<string, readonly number[]>, prefix: string, found: Uint8Array): void {
  for (const [term, list] of postings) {
    if (!term.startsWith(prefix)) continue;
    for (const posting of list)
      found[posting >>> 1] = (found[posting >>> 1] ?? 0) | (posting & 1 ? inTitle : inText);
  }
}
