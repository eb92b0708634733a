import * as z from "zod";
import { checkRequest } from "../checkRequest.ts";
import { termsOf } from "../docs/terms.ts";
import { json } from "../http/reply.ts";
import { chargeRequest, type MediaHandler } from "../media.ts";

const Search = z.strictObject({
  query: z.string().min(1).max(400),
  limit: z.int().min(1).max(20).default(10),
  search_provider: z.enum(["provider_a", "provider_b"]).default("provider_a"),
});

/** POST /augment/search (spec E2). The first provider marks found words in HTML. The second does not. */
export const searchWeb: MediaHandler = (state, call) => {
  const { query, limit, search_provider } = checkRequest(Search, call.input);
  const found = state.media.search.find(query, limit);
  const results = found.map(({ title, url, text }) => {
    // `date` is empty, because the pages have none.
    const snippet = passageSnippet(text, query);
    return {
      title,
      url,
      content: search_provider === "provider_a" ? marked(snippet, query) : snippet,
      date: "",
    };
  });
  chargeRequest(state, call, "search");
  return json({ query, results });
};

const mostCharacters = 320;

/** The part of a text with the most query words, as one line. */
export function passageSnippet(text: string, query: string): string {
  const plain = text
    .replace(/^[ \t|:-]+$|[`*_|#]+|^\s*>+/gm, " ")
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

/** The start of the last sentence with the most query words after it, else 0. */
function bestStart(text: string, terms: ReadonlySet<string>): number {
  const starts = [...text.matchAll(/[.!?:] (?=\S)/g)].map(({ index }) => index + 2);
  const count = (start: number) =>
    termsOf(text.slice(start, start + mostCharacters)).filter((term) => terms.has(term)).length;
  return starts.reduce((best, start) => (count(start) > 0 && count(start) >= count(best) ? start : best), 0);
}

/** The snippet as HTML with the query's words in bold, as one of the providers returns it (wire.md section 7). */
export function marked(snippet: string, query: string): string {
  const terms = new Set(termsOf(query));
  const escaped = snippet.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  return escaped.replace(/(?<!&)[\p{L}\p{N}_'’]+/gu, (word) =>
    termsOf(word).some((term) => terms.has(term)) ? `<strong>${word}</strong>` : word,
  );
}
