/** What is copied out of an answer has its formulas as they were written, not as the letters that they consist of. */
export function copyAsWritten(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || !event.clipboardData) return;
  const text = writtenText(selection.getRangeAt(0));
  if (text === undefined) return;
  event.clipboardData.setData("text/plain", text);
  event.preventDefault();
}

/** The text of a selection with formulas in it; undefined where there is none. */
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

/** Blocks on lines of their own, cells parted by tabs. */
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
