import { termsOf } from "../docs/terms.ts";

const mostCharacters = 320;

/** The part of a text in which most of a query's words stand, on one line. */
export function passageSnippet(text: string, query: string): string {
  const plain = text
    .replace(/[`*_|#]+|^\s*>+|^[-\s]+$/gm, " ")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
  if (plain.length <= mostCharacters) return plain;
  const start = bestStart(plain, new Set(termsOf(query)));
  const end = Math.min(plain.length, start + mostCharacters);
  const cut = plain.slice(start, end);
  const whole = end === plain.length ? cut : cut.slice(0, Math.max(1, cut.lastIndexOf(" ")));
  return `${start > 0 ? "…" : ""}${whole.trim()}${end < plain.length ? "…" : ""}`;
}

/** The start of the last sentence that has as many of the words behind it as any; the text's own where none has one. */
function bestStart(text: string, terms: ReadonlySet<string>): number {
  const starts = [...text.matchAll(/[.!?:] (?=\S)/g)].map(({ index }) => index + 2);
  const count = (start: number) =>
    termsOf(text.slice(start, start + mostCharacters)).filter((term) => terms.has(term)).length;
  return starts.reduce((best, start) => (count(start) > 0 && count(start) >= count(best) ? start : best), 0);
}

/** As HTML, with a query's words marked, the way one of the providers answers (wire.md section 7). */
export function marked(snippet: string, query: string): string {
  const terms = new Set(termsOf(query));
  const escaped = snippet.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped.replace(/(?<!&)[\p{L}\p{N}_'’]+/gu, (word) =>
    termsOf(word).some((term) => terms.has(term)) ? `<strong>${word}</strong>` : word,
  );
}
