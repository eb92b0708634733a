import type { DominoElement, DominoNode } from "@mixmark-io/domino";
import type { BlockContent, DefinitionContent, List, ListItem, RootContent } from "mdast";
import { romanNumeral } from "../../romanNumeral.ts";
import { childrenOf, displayOf, isElement, isText, nameOf } from "./elements.ts";
import type { BlockReader, Scope } from "./scope.ts";

type ItemContent = BlockContent | DefinitionContent;

/** A list. Markdown counts up from the first number: a list that counts otherwise is several. */
export function listBlocks(list: DominoElement, flow: BlockReader, scope: Scope): RootContent[] {
  const isOrdered = nameOf(list) === "ol";
  const style = isOrdered ? letterStyle(list) : undefined;
  const lists: List[] = [];
  let last: number | null = null;
  for (const { nodes, number } of numbered(list, itemsOf(list))) {
    const blocks = flow.blocksOf(nodes, scope) as ItemContent[];
    if (blocks.length === 0 && !isOrdered) continue;
    // Markdown has no numbers below zero.
    const label = isOrdered && number < 0 ? String(number) : style && letters(number, style);
    const item = toItem(label === undefined ? blocks : labelled(blocks, label), checkbox(nodes));
    const start = isOrdered && label === undefined && number >= 0 ? number : null;
    addItem(lists, item, start, last);
    last = start;
  }
  for (const each of lists) each.spread = each.children.some(({ spread }) => spread);
  return lists;
}

/** Adds an item to the last list if it continues it. `start` is its number, null without one; `last` that before it. */
function addItem(lists: List[], item: ListItem, start: number | null, last: number | null): void {
  const current = lists.at(-1);
  const continues = start === null ? last === null : last !== null && start === last + 1;
  if (current && continues) current.children.push(item);
  else lists.push({ type: "list", ordered: start !== null, start, children: [item] });
}

interface Item {
  readonly nodes: readonly DominoNode[];
  readonly element?: DominoElement;
}

/** The items. What stands between them, such as a list within a list, belongs to the one before. */
function itemsOf(list: DominoElement): Item[] {
  const items: { nodes: DominoNode[]; element?: DominoElement }[] = [];
  for (const child of childrenOf(list)) {
    if (isElement(child) && nameOf(child) === "li") {
      if (displayOf(child) !== "none") items.push({ nodes: [...childrenOf(child)], element: child });
      continue;
    }
    if (isText(child) && child.textContent.trim() === "") continue;
    const last = items.at(-1);
    if (last) last.nodes.push(child);
    else items.push({ nodes: [child] });
  }
  return items;
}

function numbered(
  list: DominoElement,
  items: readonly Item[],
): { nodes: readonly DominoNode[]; number: number }[] {
  const isReversed = list.hasAttribute("reversed");
  let number = integer(list.getAttribute("start")) ?? (isReversed ? items.length : 1);
  return items.map(({ nodes, element }) => {
    number = integer(element?.getAttribute("value") ?? null) ?? number;
    const own = number;
    number += isReversed ? -1 : 1;
    return { nodes, number: own };
  });
}

function integer(text: string | null): number | undefined {
  return text !== null && /^\s*-?\d{1,9}/.test(text) ? Number.parseInt(text, 10) : undefined;
}

/** Whether the box at the start of an item is ticked; null without a box. */
function checkbox(nodes: readonly DominoNode[]): boolean | null {
  for (const node of nodes) {
    if (isText(node) && node.textContent.trim() !== "") return null;
    if (!isElement(node)) continue;
    if (nameOf(node) === "input" && node.getAttribute("type") === "checkbox")
      return node.hasAttribute("checked");
    if (node.getAttribute("role") === "checkbox") return node.getAttribute("aria-checked") === "true";
    return /^(?:p|label|span|div)$/.test(nameOf(node)) ? checkbox([...childrenOf(node)]) : null;
  }
  return null;
}

/**
 * An item with one block, or with lists below its first, needs no blank lines. A list that holds code, a quote or an
 * empty item has one above it: micromark joins the lines of such code without it, and takes such an item for text.
 */
function toItem(blocks: readonly ItemContent[], checked: boolean | null): ListItem {
  const spread = blocks.slice(1).some((block) => block.type !== "list" || !holdsText(block));
  return { type: "listItem", spread, checked, children: [...blocks] };
}

function holdsText(list: List): boolean {
  return list.children.every(
    ({ children }) =>
      children.length > 0 &&
      children.every((block) =>
        block.type === "list" ? holdsText(block) : !/^(?:code|blockquote)$/.test(block.type),
      ),
  );
}

type LetterStyle = "a" | "A" | "i" | "I";

function letterStyle(list: DominoElement): LetterStyle | undefined {
  const type = list.getAttribute("type");
  if (type === "a" || type === "A" || type === "i" || type === "I") return type;
  const style = /list-style(?:-type)?\s*:[^;]*(lower|upper)-(alpha|latin|roman)/i.exec(
    list.getAttribute("style") ?? "",
  );
  if (!style) return undefined;
  const isUpper = style[1]?.toLowerCase() === "upper";
  if (style[2]?.toLowerCase() === "roman") return isUpper ? "I" : "i";
  return isUpper ? "A" : "a";
}

/** `c`, `iv`. Undefined for a number that has no such form. */
function letters(number: number, style: LetterStyle): string | undefined {
  if (number < 1 || number > 3_999) return undefined;
  const text = style.toLowerCase() === "a" ? alphabetic(number) : romanNumeral(number);
  return style === style.toLowerCase() ? text : text.toUpperCase();
}

function alphabetic(number: number): string {
  const rest = number - 1;
  const last = String.fromCharCode(97 + (rest % 26));
  return rest < 26 ? last : alphabetic(Math.floor(rest / 26)) + last;
}

/** Markdown has no letters before items: they are text. */
function labelled(blocks: readonly ItemContent[], label: string): ItemContent[] {
  const [first, ...others] = blocks;
  const text = { type: "text" as const, value: `${label}. ` };
  if (first?.type !== "paragraph")
    return [{ type: "paragraph", children: [{ ...text, value: `${label}.` }] }, ...blocks];
  return [{ ...first, children: [text, ...first.children] }, ...others];
}

/** Terms in bold, each with its definitions below it in one item. */
export function definitionList(list: DominoElement, flow: BlockReader, scope: Scope): RootContent[] {
  const items: ListItem[] = [];
  let isTerm = false;
  for (const node of entriesOf(list)) {
    const name = nameOf(node);
    const blocks = flow.blocksIn(node, scope) as ItemContent[];
    if (blocks.length === 0) continue;
    if (name === "dt" && !isTerm)
      items.push({ type: "listItem", spread: true, children: blocks.map(inBold) });
    else if (name === "dt") items.at(-1)?.children.push(...blocks.map(inBold));
    else if (items.length === 0) items.push({ type: "listItem", spread: true, children: blocks });
    else items.at(-1)?.children.push(...blocks);
    isTerm = name === "dt";
  }
  for (const item of items) item.spread = item.children.length > 1;
  return items.length === 0
    ? []
    : [{ type: "list", ordered: false, spread: items.some(({ spread }) => spread), children: items }];
}

/** The terms and definitions, also those that a `div` groups. */
function* entriesOf(list: DominoElement): Generator<DominoElement> {
  for (const child of childrenOf(list)) {
    if (!isElement(child) || displayOf(child) === "none") continue;
    if (nameOf(child) === "div") yield* entriesOf(child);
    else yield child;
  }
}

function inBold(block: ItemContent): ItemContent {
  if (block.type !== "paragraph") return block;
  const isOne = block.children.every(({ type }) => type === "text");
  return isOne ? { ...block, children: [{ type: "strong", children: block.children }] } : block;
}
