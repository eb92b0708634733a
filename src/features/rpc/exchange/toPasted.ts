import { nodeValueOf, parseLiteral } from "../language/literal.ts";
import type { ReadRequest } from "./readRequest.ts";
import { toLines } from "./toLines.ts";

/** A command as the text of a cell, with the network that the command was for. */
export function toPasted(read: ReadRequest): string {
  return read.network ? `@network ${read.network}\n${bodyText(read)}` : bodyText(read);
}

/** JSON becomes lines if lines can express it. */
function bodyText({ text }: ReadRequest): string {
  return (/^[[{]/.test(text) ? literalAsLines(text) : undefined) ?? text;
}

/** The text of one cell, and the network that it asks; undefined for that of the notebook. */
export interface PastedCell {
  readonly text: string;
  readonly network?: string;
  readonly host?: string;
}

/** What was pasted as cells: one, or as many as there are changes of the network. JSON can't stand beside lines. */
export function toPastedCells(parts: readonly (ReadRequest | string)[]): readonly PastedCell[] {
  const cells: Growing[] = [];
  for (const part of parts) {
    const next = growing(part);
    const before = cells.at(-1);
    const joined = before && !before.isJson && !next.isJson ? join(before, next) : undefined;
    if (joined) cells[cells.length - 1] = joined;
    else cells.push(next);
  }
  return cells.map(({ text, network, host }) => ({
    text,
    ...(network ? { network } : {}),
    ...(host ? { host } : {}),
  }));
}

interface Growing {
  readonly text: string;
  readonly isJson: boolean;
  /** True if it asks nothing. */
  readonly isNote: boolean;
  readonly network: string | undefined;
  readonly host: string | undefined;
}

function growing(part: ReadRequest | string): Growing {
  if (typeof part === "string")
    return { text: part, isJson: false, isNote: false, network: undefined, host: undefined };
  const text = bodyText(part);
  const isNote = part.from === "withheld";
  return { text, isJson: /^[[{]/.test(text), isNote, network: part.network, host: part.host };
}

/** Undefined where the two ask different networks. */
function join(before: Growing, next: Growing): Growing | undefined {
  const text = `${before.text}\n${next.text}`;
  if (next.isNote) return { ...before, text };
  if (before.isNote) return { ...next, text };
  return before.network === next.network && before.host === next.host ? { ...next, text } : undefined;
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
