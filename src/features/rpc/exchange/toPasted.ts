import { nodeValueOf, parseLiteral } from "../language/literal.ts";
import type { ReadRequest } from "./readRequest.ts";
import { toLines } from "./toLines.ts";
import type { WireItem } from "./writeRequest.ts";

/** A command as the text of a cell: as lines, for they can say which network the command was for, and JSON can't. */
export function toPasted({ text, network }: ReadRequest): string {
  const lines = /^[[{]/.test(text) ? literalAsLines(text) : text;
  if (lines === undefined) return text;
  return network ? `@network ${network}\n${lines}` : lines;
}

/** Undefined where a call is none that a line could say. */
function literalAsLines(text: string): string | undefined {
  const { root } = parseLiteral(text);
  const value = root && nodeValueOf(root);
  const items = (Array.isArray(value) ? value : [value]) as readonly Partial<WireItem>[];
  const isPlain = items.every(
    ({ method, params = [] }) => /^\w+$/.test(method ?? "") && Array.isArray(params),
  );
  if (!isPlain) return undefined;
  return toLines(items.map(({ method = "", params = [] }) => ({ method, params })));
}
