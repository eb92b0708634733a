import type { AnswerSource } from "../../shared/chatMessages.ts";
import { safeHref } from "./links.ts";

/** The marks in the text of one answer that name its sources. The sources may come before the text, or after it. */
export interface CitationMarks {
  /** A mark for the sources at these places, from 0: the text that it was written as, until they are known. */
  place(written: string, indices: readonly number[]): HTMLElement;
  set(sources: readonly AnswerSource[]): void;
  /** Forgets the marks whose text has been drawn anew; not to be called while text is drawn. */
  forget(): void;
}

const shown = new WeakMap<Element, AnswerSource>();
/** Marks of text that has been drawn anew are forgotten once there are so many, or as many as others wait. */
const mostWaiting = 200;

export function createCitationMarks(): CitationMarks {
  let sources: readonly AnswerSource[] = [];
  let forgetAt = mostWaiting;
  let waiting: { element: HTMLElement; written: string; indices: readonly number[] }[] = [];

  const fill = (element: HTMLElement, written: string, indices: readonly number[]): boolean => {
    const links = indices.map((index) => linkOf(sources[index], index));
    // A mark that names none of the sources is the text that it was written as.
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

/** The source that a mark names; undefined for any other element. */
export function sourceOfMark(element: Element): AnswerSource | undefined {
  return shown.get(element);
}
