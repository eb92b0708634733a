import { isShellLanguage } from "../../shared/shellLanguages.ts";

/** What can be done with code. `diagram` draws it here; all else the host does. */
type CodeAction = "copy" | "insert" | "apply" | "save" | "run" | "diagram" | "more";

/** The code that a button belongs to. */
export interface FramedCode {
  readonly action: CodeAction;
  readonly source: string;
  readonly language: string;
  /** The file that its fence names, as the model wrote it. */
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

interface CodeParts {
  readonly code: HTMLElement;
  readonly language: string;
  /** Adds the button that draws it. */
  offerDiagram(): void;
}

/**
 * What stands around code: its language, the file it is for, and its buttons. They are told apart from the answer's own
 * text by their class. Only the few that are always there are made; the others come with the first click on More.
 */
export function codeFrame(parent: Element, info: string, source: () => string): CodeParts {
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
  return { code, language, offerDiagram: () => copy.before(button(frame, "diagram")) };
}

/** The code that a button belongs to, and what it does; undefined for any other element. */
export function codeOfButton(element: Element): FramedCode | undefined {
  const known = buttons.get(element);
  if (!known) return undefined;
  const { language, path, source, element: frame } = known.frame;
  return { action: known.action, source: source(), language, path, frame };
}

/** Opens or closes the row of buttons that there is no room for in the head. */
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

/** ```` ```ts src/a.ts ````, `ts title="src/a.ts"`, `ts:src/a.ts`, `src/a.ts`: the language and the file. */
export function readFenceInfo(info: string): {
  readonly language: string;
  readonly path: string | undefined;
} {
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
