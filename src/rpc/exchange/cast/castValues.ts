// Values of arguments in the syntax of cast: lists in square brackets, tuples in round ones. A text inside of them is in
// quotes if a comma or a bracket is part of it. Around any text quotes are removed, and there are no escapes. Blanks at
// the end of a text are lost without quotes.
import { durations, units } from "../../language/parse/nodes.ts";
import { itemOf, membersOf } from "./signatureTypes.ts";

/** A value as an argument of cast, by its type; undefined if cast has no way to write one of its texts. */
export function castValue(value: unknown, type: string, isInside = false): string | undefined {
  if (typeof value === "object" && value !== null) return castList(value, type);
  const text = String(value);
  if (!/^string\b/.test(type) || (!isInside && isBare(text, false))) return text;
  if (isInside && text !== "" && !/[\s,()[\]"']/.test(text)) return text;
  const quote = ['"', "'"].find((one) => !text.includes(one));
  if (quote !== undefined) return `${quote}${text}${quote}`;
  return isBare(text, isInside) ? text : undefined;
}

/** A list or a tuple. */
function castList(value: object, type: string): string | undefined {
  const item = itemOf(type);
  const members = membersOf(type);
  const values = Array.isArray(value) ? value : inOrder(Object.entries(value), members);
  const inside = values.map((one, at) => castValue(one, item ?? members[at] ?? "", true));
  if (inside.includes(undefined)) return undefined;
  const isTuple = item === undefined && (members.length > 0 || !Array.isArray(value));
  return isTuple ? `(${inside.join(",")})` : `[${inside.join(",")}]`;
}

/** True if cast reads a text without quotes as it is. */
function isBare(text: string, isInside: boolean): boolean {
  return isInside ? !/^$|^[\s"']|[,()[\]]|\s$/.test(text) : !/^["']|\s$/.test(text);
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
  if (isGroup) return plain(word);
  return /^string\b/.test(type) ? readText(word.trimEnd()) : (readPlain(word, type) ?? plain(word));
}

function readText(text: string): string {
  const quote = text[0];
  const isQuoted = (quote === '"' || quote === "'") && text.length > 1 && text.endsWith(quote);
  return isQuoted ? JSON.stringify(text.slice(1, -1)) : textOf(text);
}

/** Forms of numbers and bytes that lines write in another way; undefined for all others. */
function readPlain(word: string, type: string): string | undefined {
  if (/^u?int\d*\b/.test(type)) {
    const [, sign = "", digits] = /^(-?)(0[bo][0-7]+|(?<=-)0x[0-9a-f]+)$/i.exec(word) ?? [];
    if (digits !== undefined && !/^0b.*[2-7]/i.test(digits)) return `${sign}${BigInt(digits)}`;
    const [, number, unit = ""] = /^(-?\d+(?:\.\d+)?(?:e\d+)?)\s*(wei|gwei|nano|ether)$/i.exec(word) ?? [];
    return number && `${number} ${unit === "nano" ? "gwei" : unit}`;
  }
  const isHex =
    (/^bytes/.test(type) && /^(?:[0-9a-f]{2})+$/i.test(word)) ||
    (/^address\b/.test(type) && /^[0-9a-f]{40}$/i.test(word));
  return isHex ? `0x${word}` : undefined;
}

/** A text as it is, if it is one word of a line. */
function textOf(text: string): string {
  // After a number it would be a unit.
  const isUnit = Object.hasOwn(units, text) || Object.hasOwn(durations, text);
  return /^(?!null$)[A-Za-z]\w*$/.test(text) && !isUnit ? text : JSON.stringify(text);
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
  // A comma may stand after the last value.
  const last = text.slice(from);
  return last.trim() === "" ? parts : [...parts, last];
}
