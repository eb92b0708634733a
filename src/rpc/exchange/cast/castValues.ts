// Values of arguments in the syntax of cast: lists in square brackets, tuples in round ones. A text inside of them is in
// quotes if a comma or a bracket is part of it; cast knows no escapes.
import { durations, units } from "../../language/parse/nodes.ts";
import { itemOf, membersOf } from "./signatureTypes.ts";

/** A value as an argument of cast, by its type. */
export function castValue(value: unknown, type: string, isInside = false): string {
  if (typeof value === "object" && value !== null) {
    const item = itemOf(type);
    const members = membersOf(type);
    const named = Object.entries(value);
    const values = Array.isArray(value) ? value : inOrder(named, members);
    const inside = values.map((one, at) => castValue(one, item ?? members[at] ?? "", true)).join(",");
    return item === undefined && (members.length > 0 || !Array.isArray(value))
      ? `(${inside})`
      : `[${inside}]`;
  }
  const text = String(value);
  const needsQuotes = isInside && /^string\b/.test(type) && (text === "" || /[\s,()[\]"']/.test(text));
  if (!needsQuotes) return text;
  return text.includes('"') ? `'${text}'` : `"${text}"`;
}

/** The members of an object in the order of its type. */
function inOrder(
  named: readonly (readonly [string, unknown])[],
  members: readonly string[],
): readonly unknown[] {
  const values = new Map(named);
  const names = members.map((member) => member.trim().split(/\s+/).at(-1) ?? "");
  return names.length === named.length && names.every((name) => values.has(name))
    ? names.map((name) => values.get(name))
    : named.map(([, value]) => value);
}

/** An argument of cast as a value of a line, by its type. `plain` writes a word that is neither list, tuple nor text. */
export function readCastValue(
  text: string,
  type: string,
  plain: (word: string) => string,
  isInside = false,
): string {
  const word = isInside ? text.trim() : text;
  const item = itemOf(type);
  const members = membersOf(type);
  const [open, close] = item === undefined ? ["(", ")"] : ["[", "]"];
  const isGroup = item !== undefined || members.length > 0;
  if (isGroup && word.trim().startsWith(open) && word.trim().endsWith(close)) {
    const parts = partsOf(word.trim().slice(1, -1));
    return `[${parts.map((part, at) => readCastValue(part, item ?? members[at] ?? "", plain, true)).join(", ")}]`;
  }
  if (!/^string\b/.test(type) || isGroup) return plain(word);
  const quote = isInside ? word[0] : undefined;
  const isQuoted = (quote === '"' || quote === "'") && word.length > 1 && word.endsWith(quote);
  return isQuoted ? JSON.stringify(word.slice(1, -1)) : textOf(word);
}

/** A text as it is, if it is one word of a line. */
function textOf(text: string): string {
  // After a number it would be a unit.
  const isUnit = Object.hasOwn(units, text) || Object.hasOwn(durations, text);
  return /^[A-Za-z]\w*$/.test(text) && !isUnit ? text : JSON.stringify(text);
}

/** Where a character stands in a list. */
interface ListState {
  /** Open brackets. */
  readonly depth: number;
  /** The mark that ends the quoted text; empty outside. */
  readonly quote: string;
  /** True where a value begins. Quotes are part of a text elsewhere. */
  readonly begins: boolean;
}

function after({ depth, quote, begins }: ListState, mark: string): ListState {
  const open = quote === "" ? quoteOpenedBy(mark, begins) : mark === quote ? "" : quote;
  return {
    depth: quote === "" && open === "" ? depth + depthChange(mark) : depth,
    quote: open,
    begins: /\s/.test(mark) ? begins : open === "" && /[[(,]/.test(mark),
  };
}

function quoteOpenedBy(mark: string, begins: boolean): string {
  return begins && /["']/.test(mark) ? mark : "";
}

function depthChange(mark: string): number {
  if (/[[(]/.test(mark)) return 1;
  return /[\])]/.test(mark) ? -1 : 0;
}

/** The parts of a list between commas that are in no bracket and no quotes. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  let from = 0;
  let state: ListState = { depth: 0, quote: "", begins: true };
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? "";
    if (mark === "," && state.quote === "" && state.depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
    state = after(state, mark);
  }
  const last = text.slice(from);
  return parts.length === 0 && last.trim() === "" ? [] : [...parts, last];
}
