import type { SearchResult } from "../../../api/endpoints/augment.ts";
import type { SearchHit } from "../storedResult.ts";

/** Removes markup from the texts of results, and drops results without an http or https URL. */
export function toHits(results: readonly SearchResult[]): SearchHit[] {
  return results.flatMap(({ title, url, content, date }) => {
    const address = webAddress(url);
    if (address === undefined) return [];
    return [
      {
        title: htmlToLine(title) || address,
        url: address,
        date: htmlToLine(date),
        snippet: htmlToLine(content),
      },
    ];
  });
}

/** The host of a URL without `www.`. */
export function hitSite(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : url;
}

function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  rsquo: "’",
  lsquo: "‘",
  ldquo: "“",
  rdquo: "”",
};
const mostCharacters = 4_000;

/** Converts text that may contain HTML (wire.md section 7) to one plain line: removes tags, decodes entities. */
export function htmlToLine(html: string): string {
  return html
    .slice(0, mostCharacters * 4)
    .replace(/<(script|style)\b[^>]*>[^<]*<\/\1>/gi, " ")
    .replace(/<\/?(?:p|div|br|li|ul|ol|tr|td|h[1-6])\b[^<>]*>/gi, " ")
    .replace(/<\/?[a-z!][^<>]*>/gi, "")
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, name: string) => characterOf(name) ?? whole)
    .replace(/[\s\p{Cc}\u200b\u2028-\u202e\u2066-\u2069]+/gu, " ")
    .trim()
    .slice(0, mostCharacters);
}

function characterOf(name: string): string | undefined {
  if (!name.startsWith("#")) return entities[name.toLowerCase()];
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? undefined : String.fromCodePoint(code);
}
