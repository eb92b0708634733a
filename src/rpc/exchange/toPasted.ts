import type { Node } from "jsonc-parser";
import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { nodeValueOf, parseLiteral, writtenJson } from "../language/parse/literal.ts";
import type { ReadRequest } from "./request/readRequest.ts";
import { toLines } from "./toLines.ts";

/** A command as the text of a cell, with its network. */
export function toPasted(read: ReadRequest): string {
  return read.network ? `@network ${read.network}\n${bodyText(read)}` : bodyText(read);
}

/** JSON becomes lines if lines can express it. */
function bodyText({ text }: ReadRequest): string {
  return (/^[[{]/.test(text) ? literalAsLines(text) : undefined) ?? text;
}

/** The text of one cell and its network; undefined for the network of the notebook. */
export interface PastedCell {
  readonly text: string;
  readonly network?: string;
  readonly host?: string;
}

/** Converts pasted parts to cells. A new cell starts at each change of the network, and between JSON and lines. */
export function toPastedCells(parts: readonly (ReadRequest | string)[]): readonly PastedCell[] {
  const cells: CellDraft[] = [];
  for (const part of parts) {
    const next = toDraft(part);
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

interface CellDraft {
  readonly text: string;
  readonly isJson: boolean;
  /** True for a comment without a request. */
  readonly isNote: boolean;
  readonly network: string | undefined;
  readonly host: string | undefined;
}

function toDraft(part: ReadRequest | string): CellDraft {
  if (typeof part === "string")
    return { text: part, isJson: false, isNote: false, network: undefined, host: undefined };
  const text = bodyText(part);
  const isNote = part.from === "withheld";
  return { text, isJson: /^[[{]/.test(text), isNote, network: part.network, host: part.host };
}

/** Undefined if their networks differ. */
function join(before: CellDraft, next: CellDraft): CellDraft | undefined {
  const text = `${before.text}\n${next.text}`;
  if (next.isNote) return { ...before, text };
  if (before.isNote) return { ...next, text };
  return before.network === next.network && before.host === next.host ? { ...next, text } : undefined;
}

/** True if the value of JSON is all of it. Lines can't write a number such as 1.0, nor a member twice. */
function isValueOnly(node: Node, text: string): boolean {
  const plain = writtenJson(node, text).replace(/"(?:[^"\\]|\\.)*"/g, (string) =>
    JSON.stringify(JSON.parse(string)),
  );
  return plain === exactJsonText(nodeValueOf(node));
}

/** Undefined if lines can't express a call. */
export function literalAsLines(text: string): string | undefined {
  const { items, problems } = parseLiteral(text);
  if (problems.length > 0 || items.length === 0) return undefined;
  const isPlain = items.every(
    ({ method, params }) =>
      /^\w+$/.test(method?.text ?? "") && (!params || (params.type === "array" && isValueOnly(params, text))),
  );
  if (!isPlain) return undefined;
  return toLines(
    items.map(({ method, params }) => ({
      method: method?.text ?? "",
      params: params ? (nodeValueOf(params) as readonly unknown[]) : [],
    })),
  );
}
