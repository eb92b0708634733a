import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { normalLabel, readDefinition, safeHref } from "./links.ts";

/** The link definitions of one answer. Text that uses a later definition is drawn again. */
export interface References {
  readonly definitions: ReadonlyMap<string, string>;
  /** The first definition of a label counts. */
  define(label: string, href: string): void;
  /** Calls `redraw`, for text of this length, once one of these labels that has no definition yet gets it. */
  watch(labels: ReadonlySet<string>, length: number, redraw: () => void): void;
  /** Draws texts again whose labels got definitions, up to about this total length. Returns the length that is left. */
  redraw(length: number): number;
}

interface Watcher {
  readonly length: number;
  readonly redraw: () => void;
}

export function createReferences(): References {
  const definitions = new Map<string, string>();
  const watchers = new Map<string, Watcher[]>();
  const due = new Set<Watcher>();
  return {
    definitions,
    define(label, href) {
      const key = normalLabel(label);
      if (definitions.has(key)) return;
      definitions.set(key, href);
      for (const watcher of watchers.get(key) ?? []) due.add(watcher);
      watchers.delete(key);
    },
    watch(labels, length, redraw) {
      const watcher = { length, redraw };
      for (const label of labels) {
        if (definitions.has(label)) continue;
        const waiting = watchers.get(label);
        if (waiting) waiting.push(watcher);
        else watchers.set(label, [watcher]);
      }
    },
    redraw(length) {
      let left = length;
      for (const watcher of due) {
        if (watcher.length > left) return left;
        left -= watcher.length;
        due.delete(watcher);
        watcher.redraw();
      }
      return left;
    },
  };
}

/** Removes the definitions from the start of a paragraph and returns the rest. */
export function takeDefinitions(paragraph: string, references: References): string {
  if (!paragraph.startsWith("[")) return paragraph;
  const source = `${paragraph}\n`;
  let at = 0;
  for (let found = readDefinition(source, at); found; found = readDefinition(source, at)) {
    references.define(found.label, found.href);
    at = found.end;
  }
  return paragraph.slice(at);
}

/** Entries whose text was replaced are removed once this many wait, plus twice the number still in use. */
const mostWaiting = 200;

/** The footnotes of one answer: `[^label]` refers to the note that begins with `[^label]:`. */
export interface Footnotes {
  /** A reference. It is shown as its source until its note arrives. */
  reference(label: string): HTMLElement;
  /** Makes this paragraph the note of the label. */
  define(label: string, paragraph: HTMLElement): void;
  /** Forgets references whose text has been drawn again. Must not be called while text is being drawn. */
  forget(): void;
}

const notes = new WeakMap<Element, HTMLElement>();

export function createFootnotes(): Footnotes {
  const paragraphs = new Map<string, HTMLElement>();
  const waiting = new Map<string, HTMLElement[]>();
  let waitingCount = 0;
  let forgetAt = mostWaiting;
  const fill = (element: HTMLElement, label: string, note: HTMLElement) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "footnote-link";
    button.append(label);
    button.setAttribute("aria-label", `Note ${label}`);
    notes.set(button, note);
    element.replaceChildren(button);
  };
  return {
    reference(label) {
      const element = document.createElement("span");
      element.className = "footnote-ref";
      element.append(`[^${label}]`);
      const note = paragraphs.get(label);
      if (note) {
        fill(element, label, note);
        return element;
      }
      const others = waiting.get(label);
      if (others) others.push(element);
      else waiting.set(label, [element]);
      waitingCount += 1;
      return element;
    },
    define(label, paragraph) {
      paragraph.className = "footnote";
      const name = document.createElement("span");
      name.className = "footnote-label";
      name.append(`${label}.`);
      paragraph.append(name);
      if (paragraphs.has(label)) return;
      paragraphs.set(label, paragraph);
      for (const element of waiting.get(label) ?? []) fill(element, label, paragraph);
      waiting.delete(label);
    },
    forget() {
      if (waitingCount < forgetAt) return;
      waitingCount = 0;
      for (const [label, elements] of waiting) {
        const left = elements.filter((element) => element.isConnected);
        waitingCount += left.length;
        if (left.length > 0) waiting.set(label, left);
        else waiting.delete(label);
      }
      forgetAt = waitingCount * 2 + mostWaiting;
    },
  };
}

/** The note of a reference's button; undefined for any other element. */
export function noteOfButton(element: Element): HTMLElement | undefined {
  return notes.get(element);
}

/** The citations in the text of one answer. The sources may arrive before or after the text. */
export interface CitationMarks {
  /** A citation of the sources at these indices, from 0. It is shown as its source text until they are known. */
  place(written: string, indices: readonly number[]): HTMLElement;
  set(sources: readonly AnswerSource[]): void;
  /** Forgets citations whose text has been drawn again. Must not be called while text is being drawn. */
  forget(): void;
}

const shown = new WeakMap<Element, AnswerSource>();

export function createCitationMarks(): CitationMarks {
  let sources: readonly AnswerSource[] = [];
  let forgetAt = mostWaiting;
  let waiting: { element: HTMLElement; written: string; indices: readonly number[] }[] = [];

  const fill = (element: HTMLElement, written: string, indices: readonly number[]): boolean => {
    const links = indices.map((index) => linkOf(sources[index], index));
    // A citation of an unknown source is shown as its source text.
    if (links.includes(undefined)) return false;
    element.classList.add("cited");
    element.replaceChildren(...links.map((link) => link ?? written));
    return true;
  };
  return {
    place(written, indices) {
      const element = document.createElement("span");
      element.className = "cite";
      element.append(written);
      if (fill(element, written, indices)) return element;
      waiting.push({ element, written, indices });
      return element;
    },
    set(next) {
      sources = next;
      waiting = waiting.filter(({ element, written, indices }) => !fill(element, written, indices));
    },
    forget() {
      if (waiting.length < forgetAt) return;
      waiting = waiting.filter(({ element }) => element.isConnected);
      forgetAt = waiting.length * 2 + mostWaiting;
    },
  };
}

function linkOf(source: AnswerSource | undefined, index: number): HTMLElement | undefined {
  if (!source) return undefined;
  const href = safeHref(source.url);
  const mark = document.createElement(href === undefined ? "span" : "a");
  if (mark instanceof HTMLAnchorElement && href !== undefined) {
    mark.href = href;
    mark.rel = "noreferrer noopener";
  }
  mark.className = "cite-mark";
  mark.append(String(index + 1));
  mark.setAttribute("aria-label", `Source ${index + 1}: ${source.title ?? source.url}`);
  shown.set(mark, source);
  return mark;
}

/** The source of a citation's mark; undefined for any other element. */
export function sourceOfMark(element: Element): AnswerSource | undefined {
  return shown.get(element);
}
