import { createDocument, type DominoDocument } from "@mixmark-io/domino";

export type { DominoDocument };

/** A parsed page whose links and images name their whole address. */
export function parseHtmlDocument(html: string, url: string): DominoDocument {
  const document = createDocument(html, true);
  makeIterable(document);
  // A picture written into its link would fill pages with letters.
  for (const image of Array.from(document.querySelectorAll('img[src^="data:"]'))) image.remove();
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? url;
  const start = URL.canParse(base, url) ? new URL(base, url) : new URL(url);
  resolveLinks(document, "a", "href", start);
  resolveLinks(document, "img", "src", start);
  // domino leaves these two out, and Readability asks for them.
  for (const name of ["baseURI", "documentURI"]) Object.defineProperty(document, name, { value: start.href });
  return document;
}

function resolveLinks(document: DominoDocument, tag: string, name: string, start: URL): void {
  for (const element of Array.from(document.querySelectorAll(`${tag}[${name}]`))) {
    const target = element.getAttribute(name) ?? "";
    if (URL.canParse(target, start.href)) element.setAttribute(name, new URL(target, start).href);
  }
}

/** Browsers let one loop over lists of elements, and Readability does; domino's lists lack just that. */
function makeIterable(document: DominoDocument): void {
  for (const list of [
    document.getElementsByTagName("a"),
    document.childNodes,
    document.documentElement.children,
  ]) {
    const prototype = Object.getPrototypeOf(list) as { [Symbol.iterator]?: unknown };
    prototype[Symbol.iterator] ??= Array.prototype[Symbol.iterator];
  }
}
