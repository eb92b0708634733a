import { createScanner, type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { memo } from "../memo.ts";
import type { Name, Placed, Span, SyntaxProblem } from "./nodes.ts";

/** One call of a literal cell. Members that can't be read are undefined. */
export interface LiteralItem extends Span {
  readonly method?: Name;
  readonly params?: Node;
  readonly id?: Node;
  readonly node: Node;
}

/** A cell of JSON-RPC with comments, which is sent as it is written. Offsets count from the start of the cell. */
export interface LiteralCell {
  readonly form: "literal";
  readonly text: string;
  /** Offset of the JSON, after the directive lines. */
  readonly start: number;
  /** The lines above the JSON. */
  readonly above: readonly Placed[];
  readonly batch: boolean;
  readonly root: Node | undefined;
  readonly items: readonly LiteralItem[];
  readonly problems: readonly SyntaxProblem[];
}

/** jsonc-parser is recursive, one stack frame per bracket. */
const maxDepth = 200;

/** `above` are the lines before the JSON, which starts at `start`. */
export function parseLiteral(text: string, start = 0, above: readonly Placed[] = []): LiteralCell {
  const empty = { form: "literal", text, start, above, batch: false, root: undefined, items: [] } as const;
  // The lines above are replaced with spaces to preserve the offsets.
  const json = start === 0 ? text : " ".repeat(start) + text.slice(start);
  const tooDeep = deepBracket(json);
  if (tooDeep) return { ...empty, problems: [{ ...tooDeep, message: "Brackets are nested too deep" }] };
  const errors: ParseError[] = [];
  const root = parseTree(json, errors, { allowTrailingComma: true });
  if (root) keepDigits(root, text);
  const problems = errors.map(({ error, offset, length }) => ({
    start: offset,
    end: Math.max(offset + length, offset),
    message: wordsOf(printParseErrorCode(error)),
  }));
  const batch = root?.type === "array";
  const nodes = !root ? [] : batch ? (root.children ?? []) : [root];
  return { ...empty, batch, root, items: nodes.map(toItem), problems };
}

function toItem(node: Node): LiteralItem {
  const method = memberOf(node, "method");
  const params = memberOf(node, "params");
  const id = memberOf(node, "id");
  return {
    node,
    start: node.offset,
    end: node.offset + node.length,
    ...(method?.type === "string" ? { method: { text: String(method.value), ...spanOf(method) } } : {}),
    ...(params ? { params } : {}),
    ...(id ? { id } : {}),
  };
}

/** The members of an object by name. The last one with a name wins, as in JSON.parse. */
const membersOf = memo((node: Node): ReadonlyMap<string, Node> => {
  const members = new Map<string, Node>();
  for (const { children: [key, value] = [] } of node.children ?? [])
    if (key && value) members.set(String(key.value), value);
  return members;
});

/** The value of a member; undefined if the node is not an object or has no such member. */
export function memberOf(node: Node, name: string): Node | undefined {
  return node.type === "object" ? membersOf(node).get(name) : undefined;
}

export function spanOf({ offset, length }: Node): Span {
  return { start: offset, end: offset + length };
}

/**
 * The JSON of a node as it is written: each number, each escape and each repeated member, which its value loses. Only white
 * space, comments and trailing commas are left out.
 */
export function writtenJson(node: Node, text: string): string {
  const scanner = createScanner(text, true);
  scanner.setPosition(node.offset);
  const tokens: string[] = [];
  for (let kind: number = scanner.scan(); kind !== endOfText; kind = scanner.scan()) {
    const offset = scanner.getTokenOffset();
    if (offset >= node.offset + node.length) break;
    if ((kind === closing.brace || kind === closing.bracket) && tokens.at(-1) === ",") tokens.pop();
    tokens.push(text.slice(offset, offset + scanner.getTokenLength()));
  }
  return tokens.join("");
}

/** The JSON value of a node. */
export function nodeValueOf(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(nodeValueOf);
  if (node.type !== "object") return node.value;
  // Unlike an assignment, fromEntries treats `__proto__` as a plain member.
  return Object.fromEntries([...membersOf(node)].map(([name, value]) => [name, nodeValueOf(value)]));
}

/** Longer whole numbers are no bigint, because parsing takes quadratic time. */
export const maxDigits = 400;

/** Converts whole numbers beyond 2^53 to bigint, so that all digits are sent. */
function keepDigits(node: Node, text: string): void {
  const written = node.type === "number" && node.length <= maxDigits ? sourceOf(node, text) : "";
  if (/^-?\d{16,}$/.test(written) && !Number.isSafeInteger(Number(written)))
    Object.assign(node, { value: BigInt(written) });
  for (const child of node.children ?? []) keepDigits(child, text);
}

export function sourceOf({ offset, length }: Node, text: string): string {
  return text.slice(offset, offset + length);
}

/** The kinds of tokens in jsonc-parser (SyntaxKind), whose enum can't be imported. */
const endOfText = 17;
const opening = { brace: 1, bracket: 3 };
const closing = { brace: 2, bracket: 4 };

function deepBracket(text: string): Span | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (let kind: number = scanner.scan(); kind !== endOfText; kind = scanner.scan()) {
    if (kind === opening.brace || kind === opening.bracket) depth++;
    if (kind === closing.brace || kind === closing.bracket) depth--;
    if (depth > maxDepth) return { start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + 1 };
  }
  return undefined;
}

/** `CommaExpected` → `Comma expected`. */
function wordsOf(code: string): string {
  const words = code.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return words === "Invalid symbol" ? "This is not JSON" : words;
}
