import { type ParseError, parse } from "jsonc-parser";

/** What a pasted text asks for, as a cell. */
export interface ReadRequest {
  readonly text: string;
  /** Where the text names it. */
  readonly network?: string;
  readonly from: "curl" | "cast" | "json-rpc";
}

/** Reads curl, `cast rpc` or JSON-RPC; undefined for any other text. What looks like a key is left behind. */
export function readRequest(text: string): ReadRequest | undefined {
  const trimmed = text.trim();
  if (/^\$?\s*curl\s/.test(trimmed)) return readCurl(trimmed);
  if (/^\$?\s*cast\s+/.test(trimmed)) return readCast(trimmed);
  return readJson(trimmed);
}

function readCurl(command: string): ReadRequest | undefined {
  const words = shellWords(command.replace(/^\$\s*/, ""));
  const data = words.findIndex((word) => /^(-d|--data(-raw|-binary)?|--json)$/.test(word));
  const attached = words.find((word) => /^--data(-raw|-binary)?=/.test(word))?.replace(/^[^=]+=/, "");
  const body = attached ?? words[data + 1];
  if (body === undefined || (data < 0 && attached === undefined)) return undefined;
  const read = readJson(body);
  const url = words.find((word) => /^https?:\/\//.test(word)) ?? "";
  const network = /\/crypto\/rpc\/([a-z0-9-]+)/.exec(url)?.[1];
  return read && { ...read, from: "curl", ...(network ? { network } : {}) };
}

const castReads: Readonly<Record<string, string>> = {
  "block-number": "eth_blockNumber",
  "chain-id": "eth_chainId",
  "gas-price": "eth_gasPrice",
  balance: "eth_getBalance",
  nonce: "eth_getTransactionCount",
  code: "eth_getCode",
  tx: "eth_getTransactionByHash",
  receipt: "eth_getTransactionReceipt",
};

function readCast(command: string): ReadRequest | undefined {
  const words = withoutOptions(shellWords(command.replace(/^\$\s*/, "")).slice(1));
  const [verb = "", ...rest] = words;
  if (verb === "rpc" && rest.length > 0) return { from: "cast", text: rest.map(argument).join(" ") };
  if (verb === "call" && rest.length > 1)
    return { from: "cast", text: ["call", ...rest].map(argument).join(" ") };
  const method = castReads[verb];
  return method ? { from: "cast", text: [method, ...rest].map(argument).join(" ") } : undefined;
}

/** The node's address and other options are the network's business here. */
function withoutOptions(words: readonly string[]): string[] {
  const kept: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^(--rpc-url|-r|--block|-b|--from|-f|--value|--chain|-c)$/.test(word)) at++;
    else if (!/^--?[a-z]/.test(word)) kept.push(word);
  }
  return kept;
}

/** A word of a shell as a value of a line. */
function argument(word: string): string {
  return /^[\w.$:()[\]{},"@-]+$/.test(word) ? word : JSON.stringify(word);
}

function readJson(text: string): ReadRequest | undefined {
  if (!/^[[{]/.test(text)) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const isCall = (one: unknown) => typeof one === "object" && one !== null && "method" in one;
  if (errors.length > 0 || items.length === 0 || !items.every(isCall)) return undefined;
  return { from: "json-rpc", text };
}

/** Words as a POSIX shell splits them: quotes, escapes, and lines that go on. */
export function shellWords(command: string): string[] {
  const words: string[] = [];
  const pattern = /\s*(?:\\\r?\n\s*)*((?:\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$'(?:\\.|[^'\\])*'|[^\s'"\\])+)/gy;
  for (let found = pattern.exec(command); found; found = pattern.exec(command)) {
    words.push(unquoted(found[1] ?? ""));
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}
