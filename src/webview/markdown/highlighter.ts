import { createWorkQueue } from "./workQueue.ts";

/** Colours code. Its grammars are a bundle of their own, loaded when the first code appears. */
export interface Highlighter {
  /** Replaces the element's text by coloured text, now or when the grammars are here. */
  colour(element: HTMLElement, source: string, language: string): void;
  /** The same for code that still grows: now or not at all. */
  colourMeanwhile(element: HTMLElement, source: string, language: string): void;
  /** Resolves when nothing waits for its colours any more. */
  settled(): Promise<void>;
}

export interface Grammars {
  /** The coloured code; undefined for a language without a grammar. */
  colour(source: string, language: string): DocumentFragment | undefined;
}

/** Longer code than this in one piece stays plain. */
const longestSource = 20_000;
/** The time that grammars take grows with the square of a line's length: one of 20,000 letters took some of them seconds. */
const longestLine = /[^\n]{1001}/;

/** Whether code is coloured: its language is told, and it was not made to be slow. */
export function isWorthColour(source: string, language: string): boolean {
  const isShort = source.length <= longestSource && !longestLine.test(source);
  return language !== "" && source !== "" && isShort;
}

export function createHighlighter(load: () => Promise<Grammars>): Highlighter {
  const queue = createWorkQueue();
  let grammars: Grammars | undefined;
  let loading: Promise<void> | undefined;
  const waiting = new Map<HTMLElement, { source: string; language: string }>();

  const apply = (element: HTMLElement, source: string, language: string) => {
    const coloured = grammars?.colour(source, language);
    if (coloured) element.replaceChildren(coloured);
  };
  const start = async () => {
    grammars = await load();
    for (const [element, { source, language }] of waiting) queue.add(() => apply(element, source, language));
    waiting.clear();
  };
  return {
    colour(element, source, language) {
      if (!isWorthColour(source, language)) return;
      loading ??= start();
      if (grammars) queue.add(() => apply(element, source, language));
      else waiting.set(element, { source, language });
    },
    colourMeanwhile(element, source, language) {
      if (!isWorthColour(source, language)) return;
      loading ??= start();
      if (grammars) apply(element, source, language);
    },
    async settled() {
      await loading;
      await queue.settled();
    },
  };
}
