import { isShellLanguage } from "../../shared/text/shellLanguages.ts";
import { addElement, type DrawBudget, growText, type Leaf, settleDirection, WorkQueue } from "./drawing.ts";
import { isDiagram } from "./pictures.ts";

interface CodeTools {
  readonly highlighter: Highlighter;
  readonly budget: DrawBudget;
}

/** Code is split into segments at a line that looks like a beginning after this length, at any line after twice of it. */
const segmentLength = 1024;
/** The approximate number of elements around code. */
const frameElements = 10;
/** A growing segment is highlighted again at this interval. */
const recolourEveryMs = 200;

/**
 * Code, drawn line by line. Each segment is highlighted once, when it is complete, so the cost of a block is linear in
 * its length. The last segment is highlighted again while it grows, a few times per second.
 */
export function createCode(parent: Element, info: string, { highlighter, budget }: CodeTools): Leaf {
  /** Joined on request only: reading a string that grows copies all of it. */
  let pieces: string[] = [];
  budget.addElements(frameElements);
  const whole = () => {
    pieces = [pieces.join("")];
    return pieces[0] ?? "";
  };
  const { code, language, offerDiagram } = codeFrame(parent, info, whole);
  let segment = startSegment(code);
  let colouredAtMs = 0;
  /** The number of line ends at the end of the code. */
  let ends = 0;

  const add = (text: string) => {
    pieces.push(text);
    segment.source += text;
    segment.fresh += text;
  };
  const colour = () => {
    if (budget.takeColour(segment.source.length))
      highlighter.colour(segment.element, segment.source, language);
  };
  const settle = () => {
    drawPlain(segment);
    colour();
    settleDirection(code);
    segment = startSegment(code);
  };
  /** An unindented line after a blank one begins something new. A long segment ends at any line. */
  const isBeginning = (line: string) =>
    segment.source.length >= 2 * segmentLength || (ends > 1 && /^\S/.test(line));
  return {
    kind: "code",
    append(text) {
      // A line end belongs to the code only if another line follows.
      if (ends > 0 && segment.source.length >= segmentLength && isBeginning(text)) settle();
      if (text === "") return;
      add(text);
      ends = 0;
    },
    endLine() {
      add("\n");
      ends += 1;
    },
    draw() {
      if (segment.fresh === "") return;
      drawPlain(segment);
      const now = performance.now();
      if (now - colouredAtMs < recolourEveryMs) return;
      colouredAtMs = now;
      highlighter.colourMeanwhile(segment.element, segment.source, language);
    },
    finish() {
      if (ends > 0) {
        pieces.push((pieces.pop() ?? "").slice(0, -1));
        segment.source = segment.source.slice(0, -1);
      }
      segment.element.replaceChildren();
      growText(segment.element, segment.source);
      colour();
      if (segment.source === "") segment.element.remove();
      if (language === "mermaid" && isDiagram(whole())) offerDiagram();
    },
  };
}

interface Segment {
  readonly element: HTMLElement;
  source: string;
  /** The end of the source that is not drawn yet. */
  fresh: string;
}

function startSegment(code: HTMLElement): Segment {
  return { element: addElement(code, "span", "segment"), source: "", fresh: "" };
}

function drawPlain(segment: Segment): void {
  growText(segment.element, segment.fresh);
  segment.fresh = "";
}

/** The buttons of code. `diagram` and `more` are handled in the page, all others by the host. */
type CodeAction = "copy" | "insert" | "apply" | "save" | "run" | "diagram" | "more";

/** The code that a button acts on. */
export interface FramedCode {
  readonly action: CodeAction;
  readonly source: string;
  readonly language: string;
  /** The file named by the fence, as the model wrote it. */
  readonly path: string | undefined;
  readonly frame: HTMLElement;
}

interface Frame {
  readonly language: string;
  readonly path: string | undefined;
  readonly source: () => string;
  readonly element: HTMLElement;
}

const buttons = new WeakMap<Element, { readonly action: CodeAction; readonly frame: Frame }>();

const titles: Readonly<Record<CodeAction, string>> = {
  copy: "Copy",
  insert: "Insert",
  apply: "Apply",
  save: "Save As…",
  run: "Run in Terminal…",
  diagram: "Show Diagram",
  more: "More",
};

/**
 * The frame of code: its language, its file and its buttons. Their classes distinguish them from the text of the
 * answer. The buttons behind More are created with the first click on it.
 */
function codeFrame(parent: Element, info: string, source: () => string) {
  const { language, path } = readFenceInfo(info);
  const element = made("div", "code-frame");
  const head = made("div", "code-head");
  const name = made("span", "code-language");
  name.append(path === undefined ? language : `${language} ${path}`.trim());
  if (path !== undefined) name.title = path;
  const frame = { language, path, source, element };
  head.append(name);
  const more = button(frame, "more");
  more.setAttribute("aria-expanded", "false");
  const copy = button(frame, "copy");
  const isShell = isShellLanguage(language);
  head.append(...(isShell ? [] : [button(frame, "apply")]), copy, button(frame, "insert"), more);
  const pre = made("pre", "");
  pre.tabIndex = 0;
  const code = made("code", "");
  pre.append(code);
  element.append(head, pre);
  parent.append(element);
  /** Adds the button that draws the code as a diagram. */
  const offerDiagram = () => copy.before(button(frame, "diagram"));
  return { code, language, offerDiagram };
}

/** The code and the action of a button; undefined for any other element. */
export function codeOfButton(element: Element): FramedCode | undefined {
  const known = buttons.get(element);
  if (!known) return undefined;
  const { language, path, source, element: frame } = known.frame;
  return { action: known.action, source: source(), language, path, frame };
}

/** Opens or closes the row of buttons that do not fit into the head. */
export function toggleMore(more: Element): void {
  const frame = buttons.get(more)?.frame;
  const head = more.closest(".code-head");
  if (!frame || !head) return;
  const open = more.getAttribute("aria-expanded") !== "true";
  more.setAttribute("aria-expanded", String(open));
  const row = frame.element.querySelector<HTMLElement>(":scope > .code-actions") ?? moreRow(frame, head);
  row.hidden = !open;
  if (open) row.querySelector("button")?.focus();
}

function moreRow(frame: Frame, head: Element): HTMLElement {
  const row = made("div", "code-actions");
  row.setAttribute("role", "group");
  row.setAttribute("aria-label", "More for this code");
  const actions: CodeAction[] = isShellLanguage(frame.language)
    ? ["insert", "save", "run"]
    : ["insert", "save"];
  row.append(...actions.map((action) => button(frame, action)));
  head.after(row);
  return row;
}

function button(frame: Frame, action: CodeAction): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = `code-button code-${action}`;
  element.append(titles[action]);
  const what = frame.language === "" ? "code" : `${frame.language} code`;
  if (action === "copy" || action === "insert")
    element.setAttribute("aria-label", `${titles[action]} ${what}`);
  if (action === "apply") {
    element.title = "Shows as a diff what becomes of the file";
    element.setAttribute("aria-label", `Apply ${what} as a diff`);
  }
  if (action === "more") element.setAttribute("aria-label", `More for this ${what}`);
  buttons.set(element, { action, frame });
  return element;
}

/** Reads the language and the file: ```` ```ts src/a.ts ````, `ts title="src/a.ts"`, `ts:src/a.ts` or `src/a.ts`. */
export function readFenceInfo(info: string): Pick<Frame, "language" | "path"> {
  const first = /^[^\s{,]+/.exec(info)?.[0] ?? "";
  const colon = /^([\w+#-]+):(?!\/\/)([^\s:]+)$/.exec(first);
  const named = /(?:title|file|filename|path)=(?:"([^"]*)"|(\S+))/.exec(info);
  const written = named?.[1] ?? named?.[2] ?? colon?.[2] ?? /^\S+\s+([^\s={}"]+)$/.exec(info)?.[1];
  const isFile = (text: string | undefined) => text !== undefined && /[\w)]\.\w{1,10}$|\//.test(text);
  if (isFile(written)) return { language: colon?.[1] ?? first, path: written };
  if (isFile(first) && !colon) return { language: /\.(\w+)$/.exec(first)?.[1] ?? "", path: first };
  return { language: colon?.[1] ?? first, path: undefined };
}

function made(tag: "div" | "span" | "pre" | "code", className: string): HTMLElement {
  const element = document.createElement(tag);
  if (className !== "") element.className = className;
  return element;
}

export interface Grammars {
  /** The highlighted code; undefined for a language without a grammar. */
  colour(source: string, language: string): DocumentFragment | undefined;
}

/** A longer piece of code is not highlighted. */
const longestSource = 20_000;
/** The time of some grammars grows with the square of the line length: a line of 20,000 letters takes them seconds. */
const longestLine = 1000;

/** True if the language is known and the code is not so long that highlighting it would block the page. */
export function isWorthColour(source: string, language: string): boolean {
  const isShort = source.length <= longestSource && !hasLongLine(source);
  return language !== "" && source !== "" && isShort;
}

function hasLongLine(source: string): boolean {
  for (let start = 0; start < source.length; ) {
    const found = source.indexOf("\n", start);
    const end = found < 0 ? source.length : found;
    if (end - start > longestLine) return true;
    start = end + 1;
  }
  return false;
}

/** Highlights code. The grammars are a chunk of their own that is loaded when the first code appears. */
export class Highlighter {
  readonly #load: () => Promise<Grammars>;
  readonly #queue = new WorkQueue();
  #grammars: Grammars | undefined;
  #loading: Promise<void> | undefined;
  readonly #waiting = new Map<HTMLElement, { source: string; language: string }>();

  constructor(load: () => Promise<Grammars>) {
    this.#load = load;
  }

  /** Replaces the element's text by highlighted text, at the latest once the grammars are loaded. */
  colour(element: HTMLElement, source: string, language: string): void {
    if (!isWorthColour(source, language)) return;
    this.#loading ??= this.#start();
    if (this.#grammars) this.#queue.add(() => this.#apply(element, source, language));
    else this.#waiting.set(element, { source, language });
  }

  /** Highlights code that still grows, if the grammars are loaded. */
  colourMeanwhile(element: HTMLElement, source: string, language: string): void {
    if (!isWorthColour(source, language)) return;
    this.#loading ??= this.#start();
    if (this.#grammars) this.#apply(element, source, language);
  }

  /** Resolves when all code that waited is highlighted. */
  async settled(): Promise<void> {
    await this.#loading;
    await this.#queue.settled();
  }

  #apply(element: HTMLElement, source: string, language: string): void {
    const coloured = this.#grammars?.colour(source, language);
    if (coloured) element.replaceChildren(coloured);
  }

  async #start(): Promise<void> {
    this.#grammars = await this.#load();
    for (const [element, { source, language }] of this.#waiting)
      this.#queue.add(() => this.#apply(element, source, language));
    this.#waiting.clear();
  }
}
