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
  const network = networkIn(url);
  return read && { ...read, from: "curl", ...(network ? { network } : {}) };
}

/** The network that an address of the service asks. */
export function networkIn(address: string): string | undefined {
  return /\/crypto\/rpc\/([a-z0-9-]+)/.exec(address)?.[1];
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

/** These end with a block, which cast leaves out for the newest one. */
const takesBlock = new Set(["balance", "nonce", "code"]);

function readCast(command: string): ReadRequest | undefined {
  const { words, options } = splitOptions(shellWords(command.replace(/^\$\s*/, "")).slice(1));
  const [verb = "", ...rest] = words;
  const line = (parts: readonly string[]): ReadRequest => ({
    from: "cast",
    text: parts.map(argument).join(" "),
  });
  if (verb === "rpc" && rest.length > 0) return line(rest);
  if (verb === "call" && rest.length > 1) {
    const { block, ...others } = options;
    const said = Object.entries({ ...(block ? { at: block } : {}), ...others });
    return line(["call", ...rest, ...said.map(([name, value]) => `${name}:${value}`)]);
  }
  const method = castReads[verb];
  return method
    ? line([method, ...rest, ...(takesBlock.has(verb) ? [options.block ?? "latest"] : [])])
    : undefined;
}

/** What options say about the call; the node's address and the like are the network's business here. */
function splitOptions(words: readonly string[]) {
  const kept: string[] = [];
  const options: Partial<Record<"block" | "from" | "value", string>> = {};
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const said = /^(?:--(block|from|value)|-[BbFf])$/.exec(word);
    if (said) {
      const name = said[1] ?? (/b/i.test(word) ? "block" : "from");
      options[name as keyof typeof options] = words[++at] ?? "";
    } else if (/^(--rpc-url|-r|--chain|-c|--rpc-headers|--rpc-timeout)$/.test(word)) at++;
    else if (!/^--?[a-z]/.test(word)) kept.push(word);
  }
  return { words: kept, options };
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
