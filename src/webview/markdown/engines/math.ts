import { type DrawBudget, growText, type Leaf, WorkQueue } from "../drawing.ts";

export interface MathFound {
  readonly tex: string;
  readonly isDisplay: boolean;
  readonly end: number;
  /** True if the next character may still rule it out: a digit after `$` makes it a price. */
  readonly isOpen: boolean;
}

/** `indexOf` for increasing offsets. */
type Find = (text: string, from: number) => number;

/** The length limits keep the text short that may still become a formula. */
const longestInline = 400;
const longestDisplay = 4000;
const dollars = new RegExp(`\\$((?:\\\\[^]|[^\\\\$]){1,${longestInline}})(\\$)?`, "y");

/** Reads `$…$` or `$$…$$` at the first `$`; `incomplete` if the end may still come. */
export function readDollars(source: string, at: number, find: Find): MathFound | "incomplete" | undefined {
  if (source[at + 1] === "$")
    return source[at + 2] === "$" ? undefined : readUntil(source, at, "$$", true, find);
  if (/[\w$\\]/.test(source.charAt(at - 1))) return undefined;
  if (at + 1 === source.length) return "incomplete";
  if (/\s/.test(source.charAt(at + 1))) return undefined;
  dollars.lastIndex = at;
  const match = dollars.exec(source);
  if (!match) return at + 2 >= source.length ? "incomplete" : undefined;
  const [whole, tex = "", closer] = match;
  const end = at + whole.length;
  if (!closer) return mayGoOn(tex, source.slice(end)) ? "incomplete" : undefined;
  const next = source.charAt(end);
  if (/\s$/.test(tex) || /^[\w$]/.test(next) || isProse(tex) || isShell(tex, next)) return undefined;
  return { tex, isDisplay: false, end, isOpen: end === source.length };
}

/** True if the text ends before the closing `$`. */
function mayGoOn(tex: string, rest: string): boolean {
  return (rest === "" || rest === "\\") && tex.length < longestInline;
}

/** Reads `\(…\)` or `\[…\]` at the backslash. */
export function readBackslashed(
  source: string,
  at: number,
  find: Find,
): MathFound | "incomplete" | undefined {
  // Documentation escapes brackets behind a name: `createError\[code\]`. Formulas do not begin within a word.
  if (/\w/.test(source.charAt(at - 1))) return undefined;
  const isDisplay = source[at + 1] === "[";
  const found = readUntil(source, at, isDisplay ? "\\]" : "\\)", isDisplay, find);
  return typeof found === "object" && isText(found.tex) ? undefined : found;
}

/** True for words, code or links in escaped brackets, and for punctuation alone. */
function isText(tex: string): boolean {
  const rest = tex.replace(/!?\[[^[\]\n]*\](?:\([^()\s]*\)|\[[^[\]\n]*\])/g, "");
  if (!/[\p{L}\p{N}]/u.test(rest) || tex.includes("`")) return true;
  return /^[\p{L}\p{N}\s'’",.;:!?#@*–—-]*$/u.test(rest) && /\p{L}{3}/u.test(rest);
}

function readUntil(
  source: string,
  at: number,
  closer: string,
  isDisplay: boolean,
  find: Find,
): MathFound | "incomplete" | undefined {
  const longest = isDisplay ? longestDisplay : longestInline;
  const end = find(closer, at + 2);
  const length = end - at - 2;
  if (end < 0 || length > longest)
    return at + 2 + longest + closer.length > source.length ? "incomplete" : undefined;
  const tex = source.slice(at + 2, end);
  if (tex.trim() === "") return undefined;
  // Signs for what is cheap and what is not: `$$ to $$$`.
  if (closer === "$$" && (source[end + 2] === "$" || isWords(tex))) return undefined;
  return { tex, isDisplay, end: at + 2 + length + closer.length, isOpen: false };
}

/** Names of functions that stand in formulas without a backslash. */
const functions = /\b(?:mod|sin|cos|tan|log|exp|max|min|gcd|lcm|det|lim)\b/g;

/** True for an amount or a shell variable followed by words: `$5 for one and 10$`, `$HOME and $PATH: $`. */
function isProse(tex: string): boolean {
  const plain = tex.replace(functions, "");
  if (/^\d[\d.,]*\s+[A-Za-z]{2,}|^[A-Z_]{3,}(?:[;,:/]|\s+[a-z]{2,})/.test(plain) || isWords(tex)) return true;
  return /^\d/.test(tex) && !/[\\^_{}]/.test(tex) && /[A-Za-z]{3}|[\u2e80-\uffef]/.test(plain);
}

/** True for words alone: `$name or that$`, `($$) pricey ($$$)`. */
function isWords(tex: string): boolean {
  return /^[\s)(,;:–—-]*(?:[A-Za-z]{2,}[\s)(,;:–—-]+)+[A-Za-z]{2,}[\s)(,;:.–—-]*$|^\s*\)|^[\s,;:–—-]+[A-Za-z]{2,}[\s,;:–—-]+$/.test(
    tex,
  );
}

/** True for commands and variables of a shell: `$(a);$(b)`, `${a}/${b}`. */
function isShell(tex: string, next: string): boolean {
  return /[({]/.test(next) && tex.startsWith(next);
}

/** Reads the first line of a formula block: `$$` without a second one on the line, or `\[` alone. */
export function mathStart(
  text: string,
): { readonly closer: "$$" | "\\]"; readonly rest: string } | undefined {
  if (/^\\\[\s*$/.test(text)) return { closer: "\\]", rest: "" };
  const match = /^\$\$(?!\$)(.*)$/.exec(text);
  return match && !match[1]?.includes("$$") ? { closer: "$$", rest: match[1]?.trim() ?? "" } : undefined;
}

export interface MathLeaf extends Leaf {
  readonly kind: "math";
  /** Ends the formula after its last line. */
  close(): void;
}

interface MathTools {
  readonly typesetter: Typesetter;
  readonly budget: DrawBudget;
}

/** A formula block. It is shown as its source until its end has arrived. */
export function createMath(parent: Element, opener: string, { budget, typesetter }: MathTools): MathLeaf {
  const element = document.createElement("div");
  element.className = "math-source";
  element.tabIndex = 0;
  element.append(opener);
  parent.append(element);
  let source = "";
  let fresh = "";
  let isClosed = false;
  const draw = () => {
    if (!isClosed) growText(element, fresh);
    fresh = "";
  };
  const add = (text: string) => {
    source += text;
    fresh += text;
  };
  return {
    kind: "math",
    append: add,
    endLine: () => add("\n"),
    draw,
    close() {
      draw();
      isClosed = true;
      const closer = opener === "$$" ? "$$" : "\\]";
      const tex = source.trim();
      growText(element, closer);
      element.className = "math math-display";
      element.dataset.tex = `${opener}\n${tex}\n${closer}`;
      if (tex !== "" && budget.takeFormula(tex)) typesetter.typeset(element, tex, true);
    },
    finish() {
      draw();
    },
  };
}

/** Typesets formulas. The engine is a chunk of its own that is loaded when the first formula appears. */
export interface Typesetter {
  /** Replaces the element's text by the formula, once the engine is loaded. The text stays if that fails. */
  typeset(element: HTMLElement, tex: string, isDisplay: boolean): void;
  /** Resolves when all formulas that waited are typeset. */
  settled(): Promise<void>;
}

export interface MathEngine {
  /** The formula as MathML, or the reason why it is invalid or too large. */
  toElement(tex: string, isDisplay: boolean): Element | FormulaProblem;
}

interface FormulaProblem {
  readonly problem: string;
  readonly isTooLarge?: boolean;
}

const longestTex = 4000;
const tooLong: FormulaProblem = { problem: `It has more than ${longestTex} characters.`, isTooLarge: true };
/** The size of the cache: the end of a growing paragraph is drawn again and again, with the same formulas. */
const mostStored = 300;

export function createTypesetter(load: () => Promise<MathEngine>): Typesetter {
  const queue = new WorkQueue();
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
  /** Applies at once or when there is time, unless the element has been replaced by then. */
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

/** Keeps the source of the formula. If it is too large, a note below it says so. */
function showProblem(element: HTMLElement, { problem, isTooLarge = false }: FormulaProblem): void {
  element.classList.add("math-problem");
  element.title = problem;
  if (!isTooLarge) return;
  const note = document.createElement("span");
  note.className = "cut-note";
  note.append(`This formula is too large to be set. ${problem}`);
  element.append(note);
}
