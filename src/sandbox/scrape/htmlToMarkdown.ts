import { gfm } from "@joplin/turndown-plugin-gfm";
import { createDocument, type DominoDocument } from "@mixmark-io/domino";
import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";

/** If the main content is shorter than this many characters, the whole page is used. */
const fewestCharacters = 200;
/** Elements without readable content. */
const clutter = "script, style, noscript, template, iframe, svg, canvas, form, nav, footer, aside, [hidden]";

/** The main content of a page as markdown below its title. Relative links are resolved against `url`. */
export function htmlToMarkdown(html: string, url: string): string {
  const article = new Readability(parseHtmlDocument(html, url) as never, { keepClasses: true }).parse();
  const readable = (article?.textContent ?? "").trim().length >= fewestCharacters;
  const whole = parseHtmlDocument(html, url);
  const title = (article?.title || whole.title).trim();
  const body = toMarkdown(readable && article?.content ? article.content : strippedBody(whole));
  const titled = title === "" || body.startsWith("# ");
  return titled ? body : `# ${title}\n\n${body}`.trim();
}

function strippedBody(document: DominoDocument): string {
  for (const element of Array.from(document.querySelectorAll(clutter))) element.remove();
  return document.body?.innerHTML ?? "";
}

function toMarkdown(html: string): string {
  const service = new TurndownService({
    headingStyle: "atx",
    codeBlockStyle: "fenced",
    bulletListMarker: "-",
  });
  service.use(gfm);
  return service.turndown(html).trim();
}

/** Parses a page and makes the URLs of links and images absolute. */
function parseHtmlDocument(html: string, url: string): DominoDocument {
  const document = createDocument(html, true);
  makeIterable(document);
  // A data URL would fill the Markdown with base64.
  for (const image of Array.from(document.querySelectorAll('img[src^="data:"]'))) image.remove();
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? url;
  const start = URL.canParse(base, url) ? new URL(base, url) : new URL(url);
  resolveLinks(document, "a", "href", start);
  resolveLinks(document, "img", "src", start);
  // Readability reads these two, and domino does not define them.
  for (const name of ["baseURI", "documentURI"]) Object.defineProperty(document, name, { value: start.href });
  return document;
}

function resolveLinks(document: DominoDocument, tag: string, name: string, start: URL): void {
  for (const element of Array.from(document.querySelectorAll(`${tag}[${name}]`))) {
    const target = element.getAttribute(name) ?? "";
    if (URL.canParse(target, start.href)) element.setAttribute(name, new URL(target, start).href);
  }
}

/** Readability iterates over element lists. domino's lists are not iterable. */
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
