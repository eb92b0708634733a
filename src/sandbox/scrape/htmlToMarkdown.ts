import { gfm } from "@joplin/turndown-plugin-gfm";
import { Readability } from "@mozilla/readability";
import TurndownService from "turndown";
import { type DominoDocument, parseHtmlDocument } from "./htmlDocument.ts";

/** A page that has less to read than this many characters is taken whole, menus and all. */
const fewestCharacters = 200;
/** What is never meant for reading. */
const clutter = "script, style, noscript, template, iframe, svg, canvas, form, nav, footer, aside, [hidden]";

/** What there is to read on a page, as markdown under its title. Relative links are resolved against `url`. */
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
