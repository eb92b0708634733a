import { hitSite } from "../search/toHits.ts";

const mostCharacters = 120;

/** What a page is called: its first heading, else its address. */
export function pageTitle(markdown: string, url: string): string {
  const heading = /^#{1,3}[ \t]+(.+)$/m.exec(markdown.slice(0, 20_000))?.[1] ?? "";
  const words = heading
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`#]+/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, mostCharacters);
  return words || `${hitSite(url)}${new URL(url).pathname.replace(/\/$/, "")}`;
}
