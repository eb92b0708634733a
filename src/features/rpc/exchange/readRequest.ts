import { createScanner } from "jsonc-parser";
import { exactText } from "../../../shared/exactJson.ts";
import { networks } from "../../../shared/rpc/networks.ts";
import { nodeValueOf, parseLiteral } from "../language/literal.ts";
import { readCast } from "./readCast.ts";
import { shellWords } from "./shellWords.ts";

/** What a pasted text asks for, as a cell. */
export interface ReadRequest {
  readonly text: string;
  /** Where the text names it. */
  readonly network?: string;
  readonly from: "curl" | "cast" | "json-rpc";
}

/** Nobody writes a longer command. */
const maxLength = 2_000_000;

/**
 * Reads curl, cast or JSON-RPC; undefined for any other text. Of a command only what it asks comes along: no header, no
 * address, no option that is not about the call, so that no key does.
 */
export function readRequest(text: string): ReadRequest | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  if (/^[[{]/.test(trimmed)) return readJson(trimmed);
  if (!/^(?:\$\s+)?[\w./]/.test(trimmed)) return undefined;
  const words = shellWords(trimmed.replace(/^\$\s+/, ""));
  const [program = "", ...rest] = words.slice(words.findIndex((word) => !/^\w+=/.test(word)));
  if (/^(?:[\w./-]*\/)?curl$/.test(program)) return readCurl(rest);
  if (!/^(?:[\w./-]*\/)?cast$/.test(program)) return undefined;
  const line = readCast(rest);
  return line === undefined ? undefined : { from: "cast", text: line };
}

const dataOption = /^--(?:data(?:-raw|-binary|-ascii)?|json)$/;
/** Options of curl with one letter that stand alone; the last of several such letters may have a value. */
const curlFlags = /^-[#0123469aBfgGiIjJklLMnNOpqRsSvVZ]*/;

function readCurl(words: readonly string[]): ReadRequest | undefined {
  const body = bodyOf(words);
  const read = body === undefined ? undefined : readJson(body.trim(), true);
  const network = words.map(networkIn).find((one) => one !== undefined);
  return read && { ...read, from: "curl", ...(network ? { network } : {}) };
}

function bodyOf(words: readonly string[]): string | undefined {
  for (const [at, word] of words.entries()) {
    const equals = word.indexOf("=");
    if (dataOption.test(word)) return words[at + 1];
    if (equals > 0 && dataOption.test(word.slice(0, equals))) return word.slice(equals + 1);
    if (!/^-[^-]/.test(word)) continue;
    const [alone = "-"] = curlFlags.exec(word) ?? [];
    if (word[alone.length] === "d") return word.slice(alone.length + 1) || words[at + 1];
  }
  return undefined;
}

/** The network that an address of the service asks, if it is a known one: anything else there may be a key. */
export function networkIn(address: string): string | undefined {
  const slug = /\/crypto\/rpc\/([a-z0-9-]+)/.exec(address)?.[1];
  return networks.find((one) => one.slug === slug)?.slug;
}

const members: ReadonlySet<string> = new Set(["jsonrpc", "method", "params", "id"]);

/** Calls as they are written; of those that somebody sent, only what a call has, without comments. */
export function readJson(text: string, wasSent = false): ReadRequest | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const { root, items, problems } = parseLiteral(text);
  if (!root || problems.length > 0 || items.length === 0) return undefined;
  if (!items.every(({ node, method }) => node.type === "object" && method !== undefined)) return undefined;
  const isPlain =
    !hasComment(text) &&
    items.every(({ node: { children = [] } }) => {
      const names = children.map(({ children: [key] = [] }) => String(key?.value));
      return names.every((name) => members.has(name)) && new Set(names).size === names.length;
    });
  if (isPlain || !wasSent) return { from: "json-rpc", text };
  const calls = items.map(({ node }) => {
    const written = Object.entries(nodeValueOf(node) as Readonly<Record<string, unknown>>);
    return Object.fromEntries(written.filter(([name]) => members.has(name)));
  });
  return { from: "json-rpc", text: exactText(root.type === "array" ? calls : calls[0], 2) };
}

function hasComment(text: string): boolean {
  const scanner = createScanner(text, false);
  // 12 and 13: comments; 17: the end (jsonc-parser, SyntaxKind).
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan())
    if (kind === 12 || kind === 13) return true;
  return false;
}
