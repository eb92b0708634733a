import { fileName } from "../../../shared/text/fileName.ts";

/** A file path in a text, with the position counted from 1. */
interface NamedPlace {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Links for workspace paths in answers. Only the host knows which files exist: when an answer is rendered completely,
 * all of its paths are checked in one request. Paths that are not confirmed stay text.
 */
export interface PathLinks {
  /** Finds paths in a text that is rendered completely. */
  look(root: Element): void;
  /** Handles the paths that are files. */
  came(asked: readonly string[], found: readonly string[]): void;
  /** The position of a link; undefined for any other element. */
  placeOf(link: Element): NamedPlace | undefined;
}

/** Limits: paths per request, and scanned characters of an answer. */
const mostPaths = 200;
const mostCharacters = 400_000;
/** Milliseconds after which a missing path is checked again: an answer may create the file. */
const askAgainMs = 30_000;

export function createPathLinks(ask: (paths: string[]) => void): PathLinks {
  const known = new Map<string, { readonly isFile: boolean; readonly atMs: number }>();
  const asked = new Set<string>();
  /** Elements with paths that are being checked. */
  const waiting = new Map<Element, readonly string[]>();
  const places = new WeakMap<Element, NamedPlace>();
  const toLink = (text: string, place: NamedPlace) => {
    const made = document.createElement("a");
    made.className = "path-link";
    made.href = "#";
    made.title = `Open ${text}`;
    places.set(made, place);
    return made;
  };
  const link = (root: Element) => {
    for (const { element, text, place } of wholesIn(root)) {
      if (!known.get(place.path)?.isFile) continue;
      const made = toLink(text, place);
      made.append(...element.childNodes);
      element.append(made);
    }
    for (const { node, words } of wordsIn(root)) {
      // From the end, so that earlier offsets stay valid.
      for (const { from, text, place } of words.toReversed()) {
        if (!known.get(place.path)?.isFile) continue;
        const named = node.splitText(from);
        named.splitText(text.length);
        const made = toLink(text, place);
        named.replaceWith(made);
        made.append(named);
      }
    }
  };
  return {
    look(root) {
      const words = wordsIn(root).flatMap(({ words: found }) => found);
      const paths = new Set([...wholesIn(root), ...words].map(({ place }) => place.path));
      const isDue = (path: string) => {
        const answer = known.get(path);
        return !answer || (!answer.isFile && Date.now() - answer.atMs > askAgainMs);
      };
      const unknown = [...paths].filter(isDue).slice(0, mostPaths);
      const fresh = unknown.filter((path) => !asked.has(path));
      if (unknown.length === 0) return link(root);
      waiting.set(root, unknown);
      for (const path of fresh) asked.add(path);
      if (fresh.length > 0) ask(fresh);
    },
    came(paths, found) {
      for (const path of paths) {
        asked.delete(path);
        known.set(path, { isFile: found.includes(path), atMs: Date.now() });
      }
      for (const [root, needed] of waiting) {
        if (needed.some((path) => asked.has(path))) continue;
        waiting.delete(root);
        if (root.isConnected) link(root);
      }
    },
    placeOf: (element) => places.get(element),
  };
}

interface Word {
  readonly from: number;
  readonly text: string;
  readonly place: NamedPlace;
}

interface Whole {
  readonly element: Element;
  readonly text: string;
  readonly place: NamedPlace;
}

/** Finds elements that name one file: Markdown's links to it, and code with spaces, as `my report.md`. */
function wholesIn(root: Element): readonly Whole[] {
  const candidates = [...root.querySelectorAll<HTMLElement>("span[data-target], code")].slice(0, mostPaths);
  return candidates.flatMap((element) => {
    if (element.closest(notText) || element.querySelector("a")) return [];
    const text = element.dataset.target ?? element.textContent.trim();
    if (element.localName === "code" && !text.includes(" ")) return [];
    const place = namedPlace(decoded(text), element.localName === "span");
    return place ? [{ element, text, place }] : [];
  });
}

/** The text without percent encoding, or as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const notText = "a, button, pre, .math, .cite, .code-head, .code-actions";

/** Finds words that may be file paths, in one pass. */
function wordsIn(root: Element): { readonly node: Text; readonly words: readonly Word[] }[] {
  const found: { readonly node: Text; readonly words: readonly Word[] }[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  let left = mostCharacters;
  for (
    let node = walker.nextNode() as Text | null;
    node && left > 0;
    node = walker.nextNode() as Text | null
  ) {
    left -= node.length;
    if (!node.data.includes(".") && !node.data.includes("/")) continue;
    if (node.parentElement?.closest(notText)) continue;
    const isCode = node.parentElement?.closest("code") !== null;
    const words = [...node.data.matchAll(/[^\s"'`()<>[\]{}|,;*]+/g)].flatMap(({ 0: word, index }) => {
      const text = word.replace(/[.:!?…]+$/, "");
      const place = namedPlace(text, isCode);
      return place ? [{ from: index, text, place }] : [];
    });
    if (words.length > 0) found.push({ node, words });
  }
  return found;
}

const longestPath = 300;

/** `src/a.ts`, `a.ts:12`, `src/a.ts:12:5`, `src/a.ts#L12`; in code also a path without an extension. */
function namedPlace(text: string, isCode: boolean): NamedPlace | undefined {
  if (text.length > longestPath) return undefined;
  const parts = /^(?:\.\/)?([^:#]+)(?:(?::(\d{1,7})(?::(\d{1,7}))?)|#L(\d{1,7}))?$/.exec(text);
  const path = parts?.[1];
  if (path === undefined || path.startsWith("/") || path.includes("\\") || path.split("/").includes(".."))
    return undefined;
  const name = fileName(path);
  const isFile =
    /^[^.].*\.[a-z]\w{0,9}$/i.test(name) || (/[a-z]/i.test(name) && isCode && path.includes("/"));
  if (!isFile && !(isCode && /^\.[a-z]/i.test(name))) return undefined;
  const [line, column] = [parts?.[2] ?? parts?.[4], parts?.[3]].map((digits) => Number(digits ?? 0));
  return { path, ...(line ? { line } : {}), ...(column ? { column } : {}) };
}
