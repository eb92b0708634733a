import type { Citation } from "../../../api/endpoints/chat/chatReply.ts";
import { citationMarks } from "../../../shared/chat/sources/citationMarks.ts";

const maxAnnotations = 1000;

/**
 * The sources of an answer as annotations of its text: one for each mark such as `[1]`, and one at the end of the text
 * for a source without a mark. Offsets are in UTF-16 units.
 */
export function toAnnotations(text: string, citations: readonly Citation[]): object[] {
  if (citations.length === 0) return [];
  const marked = new Set<Citation>();
  const atMarks = citationMarks(text).flatMap(({ start, end, numbers }) =>
    numbers.flatMap((number) => {
      const citation = citations[number - 1];
      if (!citation) return [];
      marked.add(citation);
      return [toAnnotation(citation, start, end)];
    }),
  );
  const others = citations.filter((citation) => !marked.has(citation));
  const atEnd = others.map((citation) => toAnnotation(citation, text.length, text.length));
  return [...atMarks, ...atEnd].slice(0, maxAnnotations);
}

function toAnnotation({ url, title }: Citation, start: number, end: number) {
  return { type: "url_citation", start_index: start, end_index: end, url, title: title ?? url };
}
