import type { AnswerSource } from "../../../shared/chat/answerSource.ts";
import { normalLabel, readDefinition, safeHref } from "./links.ts";

interface Watcher {
  readonly length: number;
  readonly redraw: () => void;
}

/** The link definitions of one answer. Text that uses a later definition is drawn again. */
export class References {
  readonly #definitions = new Map<string, string>();
  readonly #watchers = new Map<string, Watcher[]>();
  readonly #due = new Set<Watcher>();
  readonly definitions: ReadonlyMap<string, string> = this.#definitions;

  /** The first definition of a label counts. */
  define(label: string, href: string): void {
    const key = normalLabel(label);
    if (this.#definitions.has(key)) return;
    this.#definitions.set(key, href);
    for (const watcher of this.#watchers.get(key) ?? []) this.#due.add(watcher);
    this.#watchers.delete(key);
  }

  /** Calls `redraw`, for text of this length, once one of these labels that has no definition yet gets it. */
  watch(labels: ReadonlySet<string>, length: number, redraw: () => void): void {
    const watcher = { length, redraw };
    for (const label of labels) {
      if (this.#definitions.has(label)) continue;
      const waiting = this.#watchers.get(label);
      if (waiting) waiting.push(watcher);
      else this.#watchers.set(label, [watcher]);
    }
  }

  /** Draws texts again whose labels got definitions, up to about this total length. Returns the length that is left. */
  redraw(length: number): number {
    let left = length;
    for (const watcher of this.#due) {
      if (watcher.length > left) return left;
      left -= watcher.length;
      this.#due.delete(watcher);
      watcher.redraw();
    }
    return left;
  }
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

const notes = new WeakMap<Element, HTMLElement>();

/** The footnotes of one answer: `[^label]` refers to the note that begins with `[^label]:`. */
export class Footnotes {
  readonly #paragraphs = new Map<string, HTMLElement>();
  readonly #waiting = new Map<string, HTMLElement[]>();
  #waitingCount = 0;
  #forgetAt = mostWaiting;

  /** A reference. It is shown as its source until its note arrives. */
  reference(label: string): HTMLElement {
    const element = document.createElement("span");
    element.className = "footnote-ref";
    element.append(`[^${label}]`);
    const note = this.#paragraphs.get(label);
    if (note) {
      this.#fill(element, label, note);
      return element;
    }
    const others = this.#waiting.get(label);
    if (others) others.push(element);
    else this.#waiting.set(label, [element]);
    this.#waitingCount += 1;
    return element;
  }

  /** Makes this paragraph the note of the label. */
  define(label: string, paragraph: HTMLElement): void {
    paragraph.className = "footnote";
    const name = document.createElement("span");
    name.className = "footnote-label";
    name.append(`${label}.`);
    paragraph.append(name);
    if (this.#paragraphs.has(label)) return;
    this.#paragraphs.set(label, paragraph);
    for (const element of this.#waiting.get(label) ?? []) this.#fill(element, label, paragraph);
    this.#waiting.delete(label);
  }

  /** Forgets references whose text has been drawn again. Must not be called while text is being drawn. */
  forget(): void {
    if (this.#waitingCount < this.#forgetAt) return;
    this.#waitingCount = 0;
    for (const [label, elements] of this.#waiting) {
      const left = elements.filter((element) => element.isConnected);
      this.#waitingCount += left.length;
      if (left.length > 0) this.#waiting.set(label, left);
      else this.#waiting.delete(label);
    }
    this.#forgetAt = this.#waitingCount * 2 + mostWaiting;
  }

  #fill(element: HTMLElement, label: string, note: HTMLElement): void {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "footnote-link";
    button.append(label);
    button.setAttribute("aria-label", `Note ${label}`);
    notes.set(button, note);
    element.replaceChildren(button);
  }
}

/** The note of a reference's button; undefined for any other element. */
export function noteOfButton(element: Element): HTMLElement | undefined {
  return notes.get(element);
}

const shown = new WeakMap<Element, () => AnswerSource>();

/** The citations in the text of one answer. The sources may arrive before or after the text. */
export class CitationMarks {
  #sources: readonly AnswerSource[] = [];
  #forgetAt = mostWaiting;
  #waiting: { element: HTMLElement; written: string; indices: readonly number[] }[] = [];

  /** A citation of the sources at these indices, from 0. It is shown as its source text until they are known. */
  place(written: string, indices: readonly number[]): HTMLElement {
    const element = document.createElement("span");
    element.className = "cite";
    element.append(written);
    if (this.#fill(element, written, indices)) return element;
    this.#waiting.push({ element, written, indices });
    return element;
  }

  set(next: readonly AnswerSource[]): void {
    this.#sources = next;
    this.#waiting = this.#waiting.filter(
      ({ element, written, indices }) => !this.#fill(element, written, indices),
    );
  }

  /** Forgets citations whose text has been drawn again. Must not be called while text is being drawn. */
  forget(): void {
    if (this.#waiting.length < this.#forgetAt) return;
    this.#waiting = this.#waiting.filter(({ element }) => element.isConnected);
    this.#forgetAt = this.#waiting.length * 2 + mostWaiting;
  }

  #fill(element: HTMLElement, written: string, indices: readonly number[]): boolean {
    const links = indices.map((index) =>
      linkOf(this.#sources[index], index, (first) => this.#sources[index] ?? first),
    );
    // A citation of an unknown source is shown as its source text.
    if (links.includes(undefined)) return false;
    element.classList.add("cited");
    element.replaceChildren(...links.map((link) => link ?? written));
    return true;
  }
}

/** `now`: what is known of the source later. The sentence that is cited is known at the end of the answer. */
function linkOf(
  source: AnswerSource | undefined,
  index: number,
  now: (first: AnswerSource) => AnswerSource,
): HTMLElement | undefined {
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
  shown.set(mark, () => now(source));
  return mark;
}

/** Makes an element open a source, as the mark of a citation does. */
export function setSourceOfMark(element: Element, source: AnswerSource): void {
  shown.set(element, () => source);
}

/** The source of a citation's mark; undefined for any other element. */
export function sourceOfMark(element: Element): AnswerSource | undefined {
  return shown.get(element)?.();
}
