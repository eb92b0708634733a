import { sentUrl } from "./sentUrl.ts";
import { urlProblemAt } from "./urlProblem.ts";

const mostOfSite = 2;
/** Files that are no pages. */
const noPage =
  /\.(?:pdf|docx?|pptx?|xlsx?|zip|t?gz|7z|exe|dmg|png|jpe?g|gif|webp|svg|mp[34]|webm|csv|epub)$/i;

/**
 * The hits whose pages to read, best first: at most so many, each page once, and of one site no more than two unless there
 * are no others. `root` is that of the service, which reads no private pages.
 */
export function choosePages<Hit extends { readonly url: string }>(
  hits: readonly Hit[],
  root: string,
  most: number,
): readonly Hit[] {
  const byPage = new Map<string, Hit>();
  for (const hit of hits) {
    // Without the place within the page.
    const url = sentUrl(hit.url)?.replace(/#.*$/, "");
    if (url === undefined || byPage.has(url) || noPage.test(new URL(url).pathname)) continue;
    if (!urlProblemAt(root, url)) byPage.set(url, { ...hit, url });
  }
  const pages = [...byPage.values()];
  const isOfTwo = ({ url }: Hit, index: number) =>
    pages.slice(0, index).filter((page) => siteOf(page.url) === siteOf(url)).length < mostOfSite;
  const first = pages.filter(isOfTwo);
  return [...first, ...pages.filter((page) => !first.includes(page))].slice(0, most);
}

function siteOf(url: string): string {
  return new URL(url).host.replace(/^www\./, "");
}
