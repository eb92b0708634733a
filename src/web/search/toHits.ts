import type { SearchResult } from "../../api/endpoints/augment.ts";
import { htmlToLine } from "../../shared/text/html/htmlToLine.ts";
import type { SearchHit } from "../results/storedResult.ts";

/** Removes markup from the texts of results. One without an http or https URL is text: there is nothing to open. */
export function toHits(results: readonly SearchResult[]): SearchHit[] {
  return results.map(({ title, url, content, date }) => {
    const address = webAddress(url) ?? "";
    return {
      title: htmlToLine(title) || address || "Without a title",
      url: address,
      date: htmlToLine(date),
      snippet: htmlToLine(content),
    };
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
