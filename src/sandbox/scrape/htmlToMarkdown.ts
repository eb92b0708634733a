import { createDocument, type DominoDocument, type DominoElement } from "@mixmark-io/domino";
import type { RootContent } from "mdast";
import { toString as wordsOf } from "mdast-util-to-string";
import { oneLine } from "../../shared/text/lineFeeds.ts";
import { compose } from "./composed.ts";
import { displayOf, elements, flatten, nameOf } from "./markdown/elements.ts";
import { Flow, type Resolve } from "./markdown/flow.ts";
import { mainContent } from "./markdown/mainContent.ts";
import { writeMarkdown } from "./markdown/writeMarkdown.ts";
import { refreshAddress } from "./refresh.ts";
import { markTex } from "./texText.ts";

/** What a browser would do with a page. */
export interface PageText {
  /** The main content as Markdown below its title. */
  readonly markdown: string;
  /** The page that it sends a browser to, at once or after some seconds. */
  readonly refresh?: string;
  /** True if the page has no text of its own, and scripts that may write it. */
  readonly needsScripts: boolean;
}

/** The main content of a page as markdown below its title. Relative links are resolved against `url`. */
export function htmlToMarkdown(html: string, url: string): string {
  return readHtml(html, url).markdown;
}

export function readHtml(html: string, url: string): PageText {
  const page = parsed(html);
  const resolve = resolver(page, url);
  const refresh = refreshTarget(page, resolve);
  const title = titleIn(page);
  const first = elements(page.querySelectorAll("h1")).find((each) => displayOf(each) !== "none");
  const heading = first
    ? oneLine(wordsOf({ type: "root", children: new Flow(resolve).blocksIn(first) }))
    : "";
  // The main content is then all that is left of the page.
  const scripts = hasScripts(page);
  const blocks = contentOf(page, html, resolve);
  const text = oneLine(blocks.map((block) => wordsOf(block)).join(" "));
  const needsScripts = scripts && isUnwritten(page, text);
  const next = refresh ?? (text.length < fewWords ? scriptTarget(page, resolve) : undefined);
  return {
    markdown: writeMarkdown(withTitle(blocks, heading || title, title)),
    ...(next === undefined ? {} : { refresh: next }),
    needsScripts,
  };
}

function titleIn(page: DominoDocument): string {
  const own = oneLine(page.querySelector("head title, body > title")?.textContent ?? page.title);
  if (own !== "") return own;
  const named = page.querySelector('meta[property="og:title"], meta[name="twitter:title"]');
  return oneLine(named?.getAttribute("content") ?? "");
}

function parsed(html: string): DominoDocument {
  const page = createDocument(html, true);
  flatten(page.documentElement);
  if (compose(page)) flatten(page.documentElement);
  markTex(page);
  hideByStyleSheets(page);
  return page;
}

function contentOf(page: DominoDocument, html: string, resolve: Resolve): RootContent[] {
  const main = mainContent(page, parsed(html)) ?? page.querySelector("frameset");
  return main ? new Flow(resolve).blocksOf([main]) : [];
}

/** The content below its title, unless it has it already: as its heading, or as the words that it begins with. */
function withTitle(blocks: readonly RootContent[], heading: string, title: string): RootContent[] {
  if (heading === "" || blocks.some((block) => block.type === "heading" && block.depth === 1))
    return [...blocks];
  const [first, ...others] = blocks;
  const start = first ? oneLine(wordsOf(first)) : "";
  const isTitle = start === heading || isPartOf(start, title);
  if (isTitle && first?.type === "heading") return [...blocks];
  // A title that is drawn as one, without being a heading.
  if (isTitle && first?.type === "paragraph") return [headingOf(start), ...others];
  return [headingOf(heading), ...blocks];
}

function headingOf(text: string): RootContent {
  return { type: "heading", depth: 1, children: [{ type: "text", value: text }] };
}

/** True for the beginning of a title before the name of its site. */
function isPartOf(start: string, title: string): boolean {
  return start !== "" && title.startsWith(start) && /^(?:$|\s*[-–—|｜·•:»])/.test(title.slice(start.length));
}

/** Addresses of the web and of mail; a page can name another base for its own. */
function resolver(page: DominoDocument, url: string): Resolve {
  const base = page.querySelector("base[href]")?.getAttribute("href") ?? url;
  const named = URL.canParse(base, url) ? new URL(base, url) : new URL(url);
  const start = /^https?:$/.test(named.protocol) ? named : new URL(url);
  return (address) => {
    if (!URL.canParse(address, start.href)) return undefined;
    const { protocol, href } = new URL(address, start);
    return /^(?:https?|mailto|tel|ftp):$/.test(protocol) ? href : undefined;
  };
}

/** The target of `meta refresh`; a page that loads itself again has none. */
function refreshTarget(page: DominoDocument, resolve: Resolve): string | undefined {
  for (const meta of elements(page.querySelectorAll("meta[http-equiv]"))) {
    if (meta.getAttribute("http-equiv")?.trim().toLowerCase() !== "refresh" || meta.closest("noscript"))
      continue;
    const target = refreshAddress(meta.getAttribute("content") ?? "");
    const url = target === undefined ? undefined : resolve(target);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** A script that does nothing but send the browser on, to an address that it names. */
const location =
  /^(?:<!--)?\s*(?:(?:window|document|self|top|parent)\.)*location(?:\.href)?\s*(?:=\s*|\.(?:replace|assign)\(\s*)(["'])([^"']+)\1\s*\)?\s*;?\s*(?:\/\/\s*-->)?$/;

function scriptTarget(page: DominoDocument, resolve: Resolve): string | undefined {
  for (const script of elements(page.querySelectorAll("script"))) {
    const address = location.exec(script.textContent.trim())?.[2];
    const url = address === undefined ? undefined : resolve(address);
    if (url !== undefined) return url;
  }
  return undefined;
}

/** Rules that hide elements, in the page's own style sheets. Those that depend on the medium or the state are left out. */
function hideByStyleSheets(page: DominoDocument): void {
  const css = elements(page.querySelectorAll("style"))
    .filter((style) => !/print|speech/i.test(style.getAttribute("media") ?? ""))
    .map((style) => style.textContent)
    .join("\n")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/@[^{};]*\{(?:[^{}]|\{[^{}]*\})*\}/g, "");
  for (const [, selectors = "", rules = ""] of css.matchAll(/([^{}]+)\{([^{}]*)\}/g)) {
    if (/display\s*:\s*none|visibility\s*:\s*hidden/i.test(rules)) hide(page, selectors);
  }
}

function hide(page: DominoDocument, selectors: string): void {
  if (/:|^\s*$/.test(selectors)) return;
  const found = selected(page, selectors);
  for (const element of found) {
    // What hides the whole page waits for a script that shows it.
    const { body } = page;
    const isPage =
      !body || element.contains(body) || element.textContent.length * 2 > body.textContent.length;
    if (!isPage) element.setAttribute("hidden", "");
  }
}

function selected(page: DominoDocument, selectors: string): readonly DominoElement[] {
  try {
    return elements(page.querySelectorAll(selectors));
  } catch {
    // It is a selector that the parser does not know.
    return [];
  }
}

function hasScripts(page: DominoDocument): boolean {
  return elements(page.querySelectorAll("script")).some((script) =>
    /^(?:|module|(?:text|application)\/(?:java|ecma|babel)?script)$/i.test(script.getAttribute("type") ?? ""),
  );
}

/** A page with less text may still be waiting for its scripts. */
const fewWords = 200;
const waiting =
  /\b(?:enable|requires?|need|turn on|activate)\b.{0,40}\bjava ?script\b|\bjava ?script\b.{0,40}\b(?:required|disabled|enabled?|needed)\b|^loading\b|\bplease wait\b|^(?:just a moment|one moment)/i;

/** True if all text waits for scripts: there is none, or it says so. */
function isUnwritten(page: DominoDocument, text: string): boolean {
  if (text === "") return !page.querySelector("img, video, audio, iframe, embed, object");
  if (text.length >= fewWords) return false;
  if (waiting.test(text) || /^\W*$/.test(text)) return true;
  const said = elements(page.querySelectorAll("noscript")).some(({ textContent }) =>
    waiting.test(textContent),
  );
  return (
    said &&
    elements(page.querySelectorAll("#root, #app, #__next, #__nuxt, app-root, [data-reactroot]")).some(isBare)
  );
}

function isBare(element: DominoElement): boolean {
  return nameOf(element) !== "body" && element.textContent.trim().length < fewWords;
}
