import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";
import type { Members } from "../../../shared/members.ts";
import { ConfigFault, type ConfigFormat, type ConfigPath } from "./configFormat.ts";
import { lineAt, lineEndOf, type TextEdits } from "./textEdits.ts";

/** JSON, also with comments and trailing commas. An empty file has no members. */
export const jsonFormat: ConfigFormat = {
  // A copy has the usual prototypes, so that values can be compared.
  read: (text): Members => (text.trim() === "" ? {} : structuredClone(getNodeValue(rootOf(text)))),
  set(text, path, value) {
    if (text.trim() === "") {
      const edit = { offset: 0, length: text.length, text: `${textOf(nested(path, value), "", "\n")}\n` };
      return value === undefined ? [] : [edit];
    }
    const root = rootOf(text);
    const found = findNodeAtLocation(root, [...path]);
    if (found && value !== undefined)
      return [
        { offset: found.offset, length: found.length, text: textOf(value, indentAt(text, found), "\n") },
      ];
    if (found?.parent) return removed(text, found.parent);
    return value === undefined ? [] : inserted(text, root, path, value);
  },
  dropEmpty(text, path) {
    const found = text.trim() === "" ? undefined : findNodeAtLocation(rootOf(text), [...path]);
    const isEmpty = found?.type === "object" && text.slice(found.offset + 1, endOf(found) - 1).trim() === "";
    return found?.parent && isEmpty ? removed(text, found.parent) : [];
  },
};

function rootOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parsed(text, errors);
  const [error] = errors;
  if (error)
    throw new ConfigFault(`is not JSON: ${printParseErrorCode(error.error)}`, lineAt(text, error.offset));
  if (root?.type !== "object") throw new ConfigFault("is not an object of JSON", 1);
  const twice = repeatedIn(root);
  if (twice) throw new ConfigFault(`has “${twice.value}” twice`, lineAt(text, twice.offset));
  return root;
}

function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch {
    // The parser is recursive.
    throw new ConfigFault("is nested too deeply");
  }
}

/** A name that its object has twice: programs read the last one. */
function repeatedIn(root: Node): Node | undefined {
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    const { type, children = [] } = node;
    waiting.push(...children);
    if (type !== "object") continue;
    const names = children.flatMap((property) => property.children?.slice(0, 1) ?? []);
    const seen = new Set<unknown>();
    for (const name of names) {
      if (seen.has(name.value)) return name;
      seen.add(name.value);
    }
  }
  return undefined;
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** `{ b: { c: value } }` for the path `b`, `c`. */
function nested(path: ConfigPath, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
}

const tab = "  ";

/** JSON whose lines after the first have this indentation. */
function textOf(value: unknown, indent: string, eol: string): string {
  return JSON.stringify(value, undefined, tab).replaceAll("\n", `${eol}${indent}`);
}

/** The white space before the first character of a node's line. */
function indentAt(text: string, { offset }: Node): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Inserts a member that is missing, with the objects that are missing around it. */
function inserted(text: string, root: Node, path: ConfigPath, value: unknown): TextEdits {
  let [object, depth] = [root, 0];
  for (let next = childOf(object, path[0]); next; next = childOf(object, path[depth])) {
    if (next.type !== "object")
      throw new ConfigFault(`has a “${path[depth]}” that is not an object`, lineAt(text, next.offset));
    [object, depth] = [next, depth + 1];
  }
  const rest = nested(path.slice(depth + 1), value);
  const name = JSON.stringify(path[depth]);
  const [last] = object.children?.slice(-1) ?? [];
  const [close, eol] = [endOf(object) - 1, lineEndOf(text)];
  const inside = text.slice(object.offset + 1, close);
  if (last && !inside.includes("\n"))
    return [{ offset: endOf(last), length: 0, text: `, ${name}: ${JSON.stringify(rest)}` }];
  const [outer, inner] = [indentAt(text, object), last ? indentAt(text, last) : undefined];
  const indent = inner ?? outer + tab;
  const line = `${eol}${indent}${name}: ${textOf(rest, indent, eol)}`;
  const from = last ? endOf(last) : object.offset + 1;
  const { comma, end } = tokensUntil(text, from, close);
  const isOpen = end === close || text.slice(end, close).includes("\n");
  const added = {
    offset: end,
    length: 0,
    text: isOpen && inside.includes("\n") ? line : `${line}${eol}${outer}`,
  };
  return last && comma === undefined ? [{ offset: endOf(last), length: 0, text: "," }, added] : [added];
}

function childOf(object: Node, name: string | undefined): Node | undefined {
  return name === undefined ? undefined : findNodeAtLocation(object, [name]);
}

/** The first comma between two offsets, and the end of the last comment or comma. */
function tokensUntil(
  text: string,
  from: number,
  to: number,
): { readonly comma: number | undefined; readonly end: number } {
  const scanner = createScanner(text, false);
  scanner.setPosition(from);
  let [comma, end]: [number | undefined, number] = [undefined, from];
  for (scanner.scan(); scanner.getTokenOffset() < to; scanner.scan()) {
    const offset = scanner.getTokenOffset();
    const token = text.slice(offset, offset + scanner.getTokenLength());
    if (token === ",") comma ??= offset;
    if (token.trim() !== "") end = offset + token.length;
  }
  return { comma, end };
}

/** Without a property, its comma, and a line that is blank then. */
function removed(text: string, property: Node): TextEdits {
  const siblings = property.parent?.children ?? [];
  const index = siblings.indexOf(property);
  const [before, after] = [siblings[index - 1], siblings[index + 1]];
  const close = property.parent ? endOf(property.parent) - 1 : endOf(property);
  const { comma } = tokensUntil(text, endOf(property), after?.offset ?? close);
  const end = comma === undefined ? endOf(property) : comma + 1;
  const edit = wholeLine(text, property.offset, end);
  if (after || !before) return [edit];
  const earlier = tokensUntil(text, endOf(before), property.offset).comma;
  return earlier === undefined ? [edit] : [{ offset: earlier, length: 1, text: "" }, edit];
}

/** Removes what is between two offsets, and the line if nothing else is in it. */
function wholeLine(text: string, from: number, to: number) {
  const begin = text.lastIndexOf("\n", from - 1);
  const next = text.indexOf("\n", to);
  const isAlone = begin >= 0 && next >= 0 && (text.slice(begin, from) + text.slice(to, next)).trim() === "";
  const offset = isAlone ? begin + 1 : from;
  return { offset, length: (isAlone ? next + 1 : to) - offset, text: "" };
}
