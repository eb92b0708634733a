import type { DominoDocument, DominoElement } from "@mixmark-io/domino";
import { Readability } from "@mozilla/readability";
import { classOf, displayOf, elements, nameOf } from "./elements.ts";

/** If the main content is shorter than this many characters, the whole page is used. */
const fewestCharacters = 200;
/** Readability takes seconds for more. */
const mostElements = 60_000;
const number = "data-workbench-number";

/** Parts of a page that lead to other pages. */
const aroundContent = "nav, [role=navigation], [role=banner], [role=search], [role=contentinfo]";
const unlikely =
  /(?:^|[\s_-])(?:ads?|advert\S*|banner|breadcrumbs?|comments?|consent|cookies?|disqus|gdpr|masthead|menu|modal|navbox|newsletter|noprint|pager|pagination|popup|promo|related|share|sharing|sidebar|skip|social|sponsor|subscribe|toolbar|widget)(?:[\s_-]|$)/i;

/** Questions about cookies, by the names that sites and the programs for it give them. */
const consent =
  /(?:^|[\s_-])(?:cookies?|consent|gdpr|ccpa)[-_]?(?:banner|bar|box|consent|container|dialog|disclaimer|info|law|message|modal|notice|notification|overlay|popup|pop-up|prompt|wall|warning)|onetrust-|CybotCookiebot|didomi-|osano-cm|qc-cmp2|usercentrics|cmplz-|cky-consent|iubenda-cs|fc-consent|truste[-_]|(?:^|\s)cc-window/i;
/** A part with this much text of its own is content. */
const proseCharacters = 300;

/**
 * The element with the main content of a page, without what only surrounds it. Readability finds where it is; it is then
 * taken from the page itself, because Readability also drops parts of it: code, tables and notes. `copy` is the same page,
 * parsed again: Readability changes it.
 */
export function mainContent(page: DominoDocument, copy: DominoDocument): DominoElement | null {
  const all = elements(page.querySelectorAll("*"));
  const kept = all.length > mostElements ? undefined : readableElements(all, copy);
  const root = kept && commonParent(kept);
  const { body } = page;
  if (!root || !body) {
    if (body) dropSurroundings(body);
    return body;
  }
  const main = widened(root.closest("article, main, [role=main]") ?? root, body);
  dropSurroundings(main);
  dropUnlikely(main, new Set(kept));
  return main;
}

/** The elements of the page that Readability counts to the main content. */
function readableElements(
  all: readonly DominoElement[],
  copy: DominoDocument,
): readonly DominoElement[] | undefined {
  for (const [index, element] of elements(copy.querySelectorAll("*")).entries())
    element.setAttribute(number, String(index));
  makeIterable(copy);
  // It reads these two, and domino does not define them.
  for (const name of ["baseURI", "documentURI"])
    Object.defineProperty(copy, name, { value: "http://page.invalid/" });
  const reader = new Readability<DominoElement>(copy as never, {
    keepClasses: true,
    serializer: (node) => node as unknown as DominoElement,
  });
  const article = reader.parse();
  if (!article?.content || (article.textContent ?? "").trim().length < fewestCharacters) return undefined;
  const found = elements(article.content.querySelectorAll(`[${number}]`));
  return found.flatMap((element) => all[Number(element.getAttribute(number))] ?? []);
}

/** The smallest element around all that have text. */
function commonParent(kept: readonly DominoElement[]): DominoElement | undefined {
  const texts = kept.filter((element) => element.textContent.trim() !== "" && nameOf(element) !== "body");
  let parent = texts[0];
  while (parent && !texts.every((element) => parent?.contains(element))) {
    parent = (parent.parentNode as DominoElement | null) ?? undefined;
  }
  // A paragraph alone is not a page: what is beside it may be its table.
  return parent && /^(?:p|span|h\d|li|td|pre|blockquote)$/.test(nameOf(parent))
    ? ((parent.parentNode as DominoElement | null) ?? undefined)
    : parent;
}

/** Readability takes one of several articles or sections: with those beside it, if they have as much to read. */
function widened(main: DominoElement, body: DominoElement): DominoElement {
  let wide = main;
  for (let inner = main; inner !== body && !inner.matches("main, [role=main]"); ) {
    const parent = inner.parentNode as DominoElement | null;
    if (!parent || !body.contains(parent)) break;
    const current = inner;
    if (elements(parent.children).some((beside) => beside !== current && isProse(beside))) wide = parent;
    inner = parent;
  }
  dropBeside(main, wide);
  return wide;
}

/** An element whose name says that it is beside the content was taken only because its parent is content. */
function dropBeside(main: DominoElement, wide: DominoElement): void {
  for (let inner = main; inner !== wide; inner = inner.parentNode as DominoElement) {
    for (const element of elements((inner.parentNode as DominoElement).children))
      if (element !== inner && isUnlikely(element)) element.remove();
  }
}

function isProse(element: DominoElement): boolean {
  if (!/^(?:article|section|div|main)$/.test(nameOf(element)) || displayOf(element) === "none") return false;
  if (
    isUnlikely(element) ||
    consent.test(namesOf(element)) ||
    element.matches("[role=dialog], [role=complementary]")
  )
    return false;
  const texts = elements(element.querySelectorAll("p, pre, blockquote, td, dd")).filter(
    (part) => !part.querySelector("p, pre, blockquote, td, dd") && !part.closest("aside, footer, nav, form"),
  );
  const length = texts.reduce((sum, { textContent }) => sum + textContent.trim().length, 0);
  return length >= proseCharacters && linkShare(element) < 0.3;
}

function dropSurroundings(root: DominoElement): void {
  for (const element of elements(root.querySelectorAll("div, section, aside, form, dialog"))) {
    if (consent.test(namesOf(element)) && !element.querySelector("main, article, h1")) drop(element, root);
  }
  for (const element of elements(root.querySelectorAll(aroundContent))) drop(element, root);
  for (const element of elements(root.querySelectorAll("aside, footer"))) {
    // Both can hold notes, but those of the page lead away from it.
    const isPart =
      nameOf(element) === "aside" ||
      element.closest("article, main, [role=main], blockquote, figure, section");
    if (!isPart || linkShare(element) > 0.5 || isUnlikely(element)) drop(element, root);
  }
}

function isUnlikely(element: DominoElement): boolean {
  return unlikely.test(classOf(element)) || unlikely.test(element.getAttribute("id") ?? "");
}

function namesOf(element: DominoElement): string {
  return `${classOf(element)} ${element.getAttribute("id") ?? ""}`;
}

/** Blocks of links, adverts and the like that Readability left out completely. */
function dropUnlikely(root: DominoElement, kept: ReadonlySet<DominoElement>): void {
  for (const element of elements(
    root.querySelectorAll("div, section, ul, ol, aside, header, footer, form"),
  )) {
    if (kept.has(element) || !root.contains(element) || element.closest("pre, code, table, figure, dl"))
      continue;
    const holdsContent = Boolean(element.querySelector("pre, table, img, h1, math, dl, blockquote"));
    if (holdsContent || elements(element.querySelectorAll("*")).some((inner) => kept.has(inner))) continue;
    if (isUnlikely(element) && linkShare(element) > 0.3) drop(element, root);
  }
}

/** The part of the text that is in links, 0 to 1. */
function linkShare(element: DominoElement): number {
  const length = element.textContent.trim().length;
  if (length === 0) return 0;
  const linked = elements(element.getElementsByTagName("a")).map((link) => link.textContent.trim().length);
  return linked.reduce((sum, each) => sum + each, 0) / length;
}

function drop(element: DominoElement, root: DominoElement): void {
  if (element !== root && root.contains(element)) element.remove();
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
