/** Sets formulas. What it takes is a bundle of its own, loaded when the first formula appears. */
export interface Typesetter {
  /** Puts the formula in place of the element's text, now or when the engine is here; the text stays where it can't. */
  typeset(element: HTMLElement, tex: string, isDisplay: boolean): void;
  /** Resolves when no formula waits for the engine any more. */
  settled(): Promise<void>;
}

export interface MathEngine {
  /** The formula as MathML; what is wrong with it where it is none. */
  toElement(tex: string, isDisplay: boolean): Element | { readonly problem: string };
}

/** A longer formula than this stays text. */
const longestTex = 8000;
/** The end of a paragraph is drawn anew while it grows: its formulas are not set anew. */
const mostKept = 300;

export function createTypesetter(load: () => Promise<MathEngine>): Typesetter {
  let engine: MathEngine | undefined;
  let loading: Promise<void> | undefined;
  const waiting = new Map<HTMLElement, { tex: string; isDisplay: boolean }>();
  const kept = new Map<string, Element | { readonly problem: string }>();

  const made = (ready: MathEngine, tex: string, isDisplay: boolean) => {
    const key = `${isDisplay}${tex}`;
    const known = kept.get(key);
    if (known) return known;
    const formula = ready.toElement(tex, isDisplay);
    const [oldest] = kept.keys();
    if (kept.size >= mostKept && oldest !== undefined) kept.delete(oldest);
    kept.set(key, formula);
    return formula;
  };
  const apply = (ready: MathEngine, element: HTMLElement, tex: string, isDisplay: boolean) => {
    const formula = made(ready, tex, isDisplay);
    if (formula instanceof Element) {
      element.replaceChildren(formula.cloneNode(true));
    } else {
      element.classList.add("math-problem");
      element.title = formula.problem;
    }
  };
  const start = async () => {
    engine = await load();
    for (const [element, { tex, isDisplay }] of waiting) apply(engine, element, tex, isDisplay);
    waiting.clear();
  };
  return {
    typeset(element, tex, isDisplay) {
      if (tex.length > longestTex) return;
      loading ??= start();
      if (engine) apply(engine, element, tex, isDisplay);
      else waiting.set(element, { tex, isDisplay });
    },
    settled: () => loading ?? Promise.resolve(),
  };
}
