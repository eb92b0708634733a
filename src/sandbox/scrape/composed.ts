import type { DominoDocument, DominoElement, DominoNode } from "@mixmark-io/domino";
import { childrenOf, elements, isElement, isText, nameOf } from "./markdown/elements.ts";

/** A page of one host in another, and so on, is no deeper. */
const maxDepth = 50;

/**
 * Puts the parts of a page where a browser shows them: what a server sent late takes the place that it has kept, and a
 * declarative shadow tree is shown instead of the children of its host, with them in its slots. True if a shadow tree became part of the page.
 */
export function compose(page: DominoDocument): boolean {
  placeLateParts(page);
  return (
    elements(page.querySelectorAll("template")).filter((template) => attachShadow(template, 0)).length > 0
  );
}

/** React sends what it waited for in a hidden element at the end, and a script that moves it to a template with its number. */
function placeLateParts(page: DominoDocument): void {
  for (const part of elements(page.querySelectorAll("div[hidden][id]"))) {
    const number = /^S:([\da-z]+)$/.exec(part.getAttribute("id") ?? "")?.[1];
    const kept = number === undefined ? null : page.querySelector(`template[id="B:${number}"]`);
    if (kept) replaceUntilComment(kept, part);
  }
}

/** A comment ends the content that is shown until then. */
function replaceUntilComment(start: DominoElement, part: DominoElement): void {
  const parent = start.parentNode;
  if (!parent) return;
  for (let node = start.nextSibling; node && !isEnd(node); node = start.nextSibling) node.remove();
  for (const child of [...childrenOf(part)]) parent.insertBefore(child, start);
  start.remove();
  part.remove();
}

function isEnd(node: DominoNode): boolean {
  return node.nodeType === 8 && node.textContent === "/$";
}

/** True if the template was a shadow tree. */
function attachShadow(template: DominoElement, depth: number): boolean {
  const mode = template.getAttribute("shadowrootmode")?.toLowerCase();
  const host = template.parentNode;
  const { content } = template;
  if ((mode !== "open" && mode !== "closed") || !host || !isElement(host) || !content || depth > maxDepth)
    return false;
  template.remove();
  const light = [...childrenOf(host)];
  for (const node of light) node.remove();
  host.appendChild(content);
  for (const slot of elements(host.querySelectorAll("slot"))) fillSlot(slot, light);
  // Those within the templates were in no document until now.
  for (const inner of elements(host.querySelectorAll("template"))) attachShadow(inner, depth + 1);
  return true;
}

/** The slot shows the nodes that name it, or its own content. A node is in the first slot of its name. */
function fillSlot(slot: DominoElement, light: DominoNode[]): void {
  const name = slot.getAttribute("name") ?? "";
  const assigned = light.filter((node) => slotOf(node) === name);
  const isShown = assigned.some(
    (node) => isElement(node) || (isText(node) && node.textContent.trim() !== ""),
  );
  if (!isShown) return;
  for (const own of [...childrenOf(slot)]) own.remove();
  for (const node of assigned) {
    slot.appendChild(node);
    light.splice(light.indexOf(node), 1);
  }
}

function slotOf(node: DominoNode): string | undefined {
  if (isText(node)) return "";
  return isElement(node) && nameOf(node) !== "style" ? (node.getAttribute("slot") ?? "") : undefined;
}
