import { createWorkQueue } from "./workQueue.ts";

/** Sets formulas. What it takes is a bundle of its own, loaded when the first formula appears. */
export interface Typesetter {
  /** Puts the formula in place of the element's text, now or when the engine is here; the text stays where it can't. */
  typeset(element: HTMLElement, tex: string, isDisplay: boolean): void;
  /** Resolves when no formula waits for the engine any more. */
  settled(): Promise<void>;
}

export interface MathEngine {
  /** The formula as MathML; what is wrong with it where it is none, or where it is too large to be one. */
  toElement(tex: string, isDisplay: boolean): Element | FormulaProblem;
}

interface FormulaProblem {
  readonly problem: string;
  readonly isTooLarge?: boolean;
}

const longestTex = 4000;
const tooLong: FormulaProblem = { problem: `It has more than ${longestTex} characters.`, isTooLarge: true };
/** The end of a paragraph is drawn anew while it grows: its formulas are not set anew. */
const mostStored = 300;

export function createTypesetter(load: () => Promise<MathEngine>): Typesetter {
  const queue = createWorkQueue();
  let engine: MathEngine | undefined;
  let loading: Promise<void> | undefined;
  const waiting = new Map<HTMLElement, { tex: string; isDisplay: boolean }>();
  const stored = new Map<string, Element | FormulaProblem>();

  const made = (ready: MathEngine, tex: string, isDisplay: boolean) => {
    const key = `${isDisplay}${tex}`;
    const known = stored.get(key);
    if (known) return known;
    const formula = ready.toElement(tex, isDisplay);
    const [oldest] = stored.keys();
    if (stored.size >= mostStored && oldest !== undefined) stored.delete(oldest);
    stored.set(key, formula);
    return formula;
  };
  const apply = (ready: MathEngine, element: HTMLElement, tex: string, isDisplay: boolean) => {
    const formula = made(ready, tex, isDisplay);
    if (formula instanceof Element) element.replaceChildren(formula.cloneNode(true));
    else showProblem(element, formula);
  };
  /** Now, or when there is time: what has been drawn anew by then needs no formula. */
  const applyInTime = (ready: MathEngine, element: HTMLElement, tex: string, isDisplay: boolean) => {
    let isNow = true;
    queue.add(() => {
      if (isNow || element.isConnected) apply(ready, element, tex, isDisplay);
    });
    isNow = false;
  };
  const start = async () => {
    engine = await load();
    for (const [element, { tex, isDisplay }] of waiting) applyInTime(engine, element, tex, isDisplay);
    waiting.clear();
  };
  return {
    typeset(element, tex, isDisplay) {
      if (tex.length > longestTex) return showProblem(element, tooLong);
      loading ??= start();
      if (engine) applyInTime(engine, element, tex, isDisplay);
      else waiting.set(element, { tex, isDisplay });
    },
    async settled() {
      await loading;
      await queue.settled();
    },
  };
}

/** The formula stays as it was written; of one that is too large, this is said below it. */
function showProblem(element: HTMLElement, { problem, isTooLarge = false }: FormulaProblem): void {
  element.classList.add("math-problem");
  element.title = problem;
  if (!isTooLarge) return;
  const note = document.createElement("span");
  note.className = "cut-note";
  note.append(`This formula is too large to be set. ${problem}`);
  element.append(note);
}
