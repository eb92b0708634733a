import { codeOfButton, type FramedCode, toggleMore } from "../../../webview/markdown/code.ts";
import { fileNamedBy } from "../../../webview/markdown/codeName.ts";
import { safeHref } from "../../../webview/markdown/inline/links.ts";
import { noteOfButton, sourceOfMark } from "../../../webview/markdown/inline/references.ts";
import type { ChatPageDeps } from "./chatDeps.ts";

/** Duration of the “Copied” label in milliseconds. */
const copiedMs = 1500;

/** Dependencies of the click handlers. */
interface Deps {
  readonly bridge: Pick<ChatPageDeps["bridge"], "post">;
  readonly paths: Pick<ChatPageDeps["paths"], "placeOf">;
  readonly markdown: Pick<ChatPageDeps["markdown"], "pictures" | "diagrams">;
}

/** Clicks inside answers. The host opens links and applies code, because the webview can't. */
export function handleClick(event: MouseEvent, deps: Deps): void {
  if (!(event.target instanceof Element)) return;
  const link = event.target.closest("a");
  if (link) {
    openLink(event, link, deps);
    return;
  }
  const button = event.target.closest("button");
  if (!button || event.button !== 0) return;
  if (deps.markdown.pictures.load(button)) return;
  const code = codeOfButton(button);
  if (code) useCode(button, code, deps);
  const note = noteOfButton(button);
  if (note) showNote(note);
}

function openLink(event: MouseEvent, link: HTMLAnchorElement, { bridge, paths }: Deps): void {
  event.preventDefault();
  // VS Code also handles clicks on links, which would open the page twice.
  event.stopPropagation();
  if (event.button === 2) return;
  const cited = citedBy(link);
  const place = cited ? undefined : paths.placeOf(link);
  const url = safeHref(link.href);
  if (cited) bridge.post("openSource", cited);
  else if (place) bridge.post("openPath", place);
  else if (url !== undefined) bridge.post("openLink", { url });
}

/** The number of characters before a citation that are looked at. */
const longestStatement = 600;

/** The stored page of a citation and what it is about; undefined for other links. */
function citedBy(link: HTMLAnchorElement) {
  const source = sourceOfMark(link);
  if (source?.stored === undefined) return undefined;
  const { stored, url, excerpt = "" } = source;
  const statement = link.classList.contains("cite-mark") ? textBefore(link) : excerpt;
  return { stored, url, statement };
}

/** The text of a block up to a citation, without other citations; the whole block if there is none before it. */
function textBefore(mark: HTMLElement): string {
  const block = mark.closest("p, li, td, th, blockquote, h1, h2, h3, h4, h5, h6");
  if (!block) return "";
  const range = document.createRange();
  range.setStart(block, 0);
  range.setEndBefore(mark.closest(".cite") ?? mark);
  const before = wordsOf(range.cloneContents());
  if (before !== "") return before.slice(-longestStatement);
  range.selectNodeContents(block);
  return wordsOf(range.cloneContents()).slice(0, longestStatement);
}

function wordsOf(fragment: DocumentFragment): string {
  for (const mark of fragment.querySelectorAll(".cite")) mark.remove();
  return (fragment.textContent ?? "").trim();
}

function useCode(button: HTMLButtonElement, code: FramedCode, { bridge, markdown }: Deps): void {
  const { action, source, language, path, frame } = code;
  switch (action) {
    case "copy":
      bridge.post("copyText", { text: source });
      button.textContent = "Copied";
      setTimeout(() => {
        button.textContent = "Copy";
      }, copiedMs);
      break;
    case "more":
      toggleMore(button);
      break;
    case "diagram":
      void markdown.diagrams.toggle(button, code);
      break;
    default: {
      const named = path ?? fileNamedBy(source, frame);
      bridge.post("useCode", {
        action,
        text: source,
        language,
        ...(named === undefined ? {} : { path: named }),
      });
    }
  }
}

/** Scrolls to a footnote and announces it. */
function showNote(note: HTMLElement): void {
  note.tabIndex = -1;
  note.scrollIntoView({ block: "center" });
  note.focus({ preventScroll: true });
}

/** Copies formulas of an answer as their TeX source, not as the characters that they are drawn with. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  const text = writtenText(selection.getRangeAt(0));
  if (text === undefined) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
}

/** The text of a selection that contains formulas; undefined if it contains none. */
export function writtenText(range: Range): string | undefined {
  const around = range.commonAncestorContainer;
  const formula = (around instanceof Element ? around : around.parentElement)?.closest<HTMLElement>(".math");
  if (formula) return formula.dataset.tex;
  const copy = range.cloneContents();
  const formulas = [...copy.querySelectorAll<HTMLElement>(".math")];
  if (formulas.length === 0) return undefined;
  for (const element of formulas) {
    const end = element.matches(".math-display") ? "\n\n" : "";
    element.replaceWith(`${element.dataset.tex ?? ""}${end}`);
  }
  return textOf(copy)
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}

const blocks = "p, h1, h2, h3, h4, h5, h6, pre, blockquote, ul, ol, li, .table-frame, tr, .math-source";

/** Puts each block on a line of its own and separates cells by tabs. */
function textOf(node: Node): string {
  if (node instanceof Text) return node.data;
  if (node instanceof HTMLBRElement) return "\n";
  if (node instanceof HTMLElement && node.matches(".code-head, .code-actions, .diagram")) return "";
  const inside = [...node.childNodes].map(textOf).join("");
  if (!(node instanceof Element)) return inside;
  if (node.matches("td, th")) return `${inside}\t`;
  if (node.matches("li, tr")) return `${inside.trim()}\n`;
  return node.matches(blocks) ? `${inside.trimEnd()}\n\n` : inside;
}
