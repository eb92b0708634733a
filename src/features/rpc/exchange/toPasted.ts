import { nodeValueOf, parseLiteral } from "../language/literal.ts";
import type { ReadRequest } from "./readRequest.ts";
import { toLines } from "./toLines.ts";

/** A command as the text of a cell: as lines, for they can say which network the command was for, and JSON can't. */
export function toPasted({ text, network }: ReadRequest): string {
  const lines = /^[[{]/.test(text) ? literalAsLines(text) : text;
  if (lines === undefined) return text;
  return network ? `@network ${network}\n${lines}` : lines;
}

/** Undefined where a call is none that a line could say. */
export function literalAsLines(text: string): string | undefined {
  const { items, problems } = parseLiteral(text);
  const isPlain = items.every(
    ({ method, params }) => /^\w+$/.test(method?.text ?? "") && (!params || params.type === "array"),
  );
  if (!isPlain || problems.length > 0 || items.length === 0) return undefined;
  return toLines(
    items.map(({ method, params }) => ({
      method: method?.text ?? "",
      params: params ? (nodeValueOf(params) as readonly unknown[]) : [],
    })),
  );
}
