import type { SearchResult } from "../../../api/endpoints/augment.ts";
import type { SearchHit } from "../storedResult.ts";
import { htmlToLine } from "./plainText.ts";

/** What a search found, fit to be shown: texts without markup; what has no web address is left out. */
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

/** The host, as people name a site. */
export function hitSite(url: string): string {
  return URL.canParse(url) ? new URL(url).host.replace(/^www\./, "") : url;
}

function webAddress(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const { protocol, href } = new URL(url);
  return protocol === "https:" || protocol === "http:" ? href : undefined;
}
