import { createScanner, type Node } from "jsonc-parser";
import { openNetwork } from "../../../shared/rpc/networks.ts";
import { parseLiteral, writtenJson } from "../../language/parse/literal.ts";
import { type CastRequest, readCast } from "../cast/readCast.ts";
import { hostOf, networkOfAddress } from "../networkOfAddress.ts";
import { shellWords } from "../shellWords.ts";
import { indented } from "./writeRequest.ts";

/** A pasted request as the text of a cell. */
export interface ReadRequest {
  readonly text: string;
  /** `openNetwork` if the address does not show its network; undefined without an address. */
  readonly network?: string;
  /** The host with the unknown network. */
  readonly host?: string;
  /** For `withheld`, the text is a comment that lists the dropped parts. */
  readonly from: "curl" | "cast" | "http" | "json-rpc" | "withheld";
}

/** Default of the setting. */
export const usualNode = "http://127.0.0.1:8545";

/** Longer commands are ignored. */
const maxLength = 2_000_000;

/**
 * Reads curl, cast or JSON-RPC; undefined for other text. Only the call of a command is used, without headers, address
 * and other options, so that no key is copied. A command without a request is withheld completely.
 */
export function readRequest(text: string, localNode = usualNode): ReadRequest | undefined {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) return undefined;
  if (/^[[{]/.test(trimmed)) return readJson(trimmed);
  if (!/^(?:[$%]\s+)?[\w./]/.test(trimmed)) return undefined;
  return readWords(shellWords(trimmed.replace(/^[$%]\s+/, "")), localNode);
}

/** Other programs whose options or variables may contain keys, and programs that start another one. */
const otherPrograms = new Set(
  "forge anvil chisel seth sncast starkli solana wget http https xh hardhat geth ethdo npx bunx pnpx sudo env export".split(
    " ",
  ),
);

/** Converts a command to a request; undefined for unknown programs, which are treated as text. */
export function readWords(words: readonly string[], localNode: string): ReadRequest | undefined {
  const start = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
  const set = start < 0 ? words : words.slice(0, start);
  const [program = "", ...rest] = start < 0 ? [] : words.slice(start);
  const name = /^(?:[\w./\\-]*[/\\])?(\w+)(?:\.exe)?$/.exec(program)?.[1] ?? "";
  if (name === "curl") return readCurl(rest, localNode);
  if (name === "cast") {
    const own = set.flatMap((word) => /^ETH_RPC_URL=(.*)$/s.exec(word)?.[1] ?? []);
    const read = readCast(rest);
    return fromCast({ ...read, urls: read.urls.length > 0 ? read.urls : own }, localNode);
  }
  if (otherPrograms.has(name)) return withheld(`a command of ${name}`, "all of it");
  const secret = set.find(holdsSecret);
  return secret === undefined ? undefined : withheld("a shell variable", `the value of ${nameOf(secret)}`);
}

/** True for a variable with the name of a secret. A value that is an address or a reference is a name in a cell. */
function holdsSecret(word: string): boolean {
  const value = word.slice(word.indexOf("=") + 1);
  if (/^(?:\$[A-Za-z_]\w*|0x[0-9a-fA-F]{40})$/.test(value)) return false;
  return /PRIVATE|MNEMONIC|SECRET|PASSWORD|PASSPHRASE|SEED|API_?KEY|TOKEN|JWT|_KEY|^KEY|URL/i.test(
    nameOf(word),
  );
}

function nameOf(word: string): string {
  return word.slice(0, Math.min(60, word.indexOf("=")));
}

/** A comment that replaces a command. It contains no values of the command. */
export function withheld(what: string, left: string, why = ""): ReadRequest {
  return { from: "withheld", text: `# Not converted: ${what}.\n${why && `# ${why}\n`}# Left out: ${left}.` };
}

const signs = /^(?:send|mktx|wallet|erc20-token|erc20|mint|approve|transfer)$/;

function fromCast({ line, verb, left, urls }: CastRequest, localNode: string): ReadRequest {
  if (line === undefined) {
    const why = signs.test(verb)
      ? "It signs with a key, which notebooks can't store.\n# Sign locally, then send the bytes: send 0x…"
      : "No single call to a node does the same.";
    const names = left.filter((name) => name.startsWith("-"));
    return withheld(`cast ${verb}`.trim(), ["its parameters", ...names].join(", "), why);
  }
  const note = left.length > 0 ? `\n# Left out: ${left.join(", ")}` : "";
  return { from: "cast", text: `${line}${note}`, ...placeOf(urls, localNode) };
}

/** Derives the network of a request from its addresses; `openNetwork` if it is unknown. */
export function placeOf(
  addresses: readonly string[],
  localNode: string,
): Pick<ReadRequest, "network" | "host"> {
  if (addresses.length === 0) return {};
  const reported = addresses
    .map((one) => networkOfAddress(one, localNode))
    .filter((one) => one !== undefined);
  const [network, ...others] = new Set(reported);
  if (network !== undefined && others.length === 0) return { network };
  const host = addresses.map(hostOf).find((one) => one !== undefined);
  return { network: openNetwork, ...(host ? { host } : {}) };
}

const dataOption = /^--(?:data(?:-raw|-binary|-ascii)?|json)$/;
/** Combined one-letter options of curl without a value. A further letter may have one. */
const curlFlags = /^-[#0123469aBfgGiIjJklLMnNOpqRsSvVZ]*/;

function readCurl(words: readonly string[], localNode: string): ReadRequest {
  const body = bodyOf(words);
  const read = body === undefined ? undefined : readJson(body.trim(), true);
  if (!read) return withheld("a curl command without JSON-RPC in it", "its address, headers and body");
  return { ...read, from: "curl", ...placeOf(addressesOf(words), localNode) };
}

/** Words that may be an address: those with a scheme, else the first that looks like a host or a variable. */
function addressesOf(words: readonly string[]): readonly string[] {
  const plain = words.filter(
    (word, at) => !/^[-{[]/.test(word) && !/^-[XHuAexobK]$|^--\w/.test(words[at - 1] ?? ""),
  );
  const whole = [
    ...words.filter((_, at) => words[at - 1] === "--url"),
    ...plain.filter((word) => /^https?:\/\//i.test(word)),
  ];
  if (whole.length > 0) return whole;
  const bare = plain.find((word) => /^(?:\$|localhost|[\w-]+\.)/.test(word));
  // Even without a readable address it is sent somewhere.
  return [bare ?? ""];
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

const members: ReadonlySet<string> = new Set(["jsonrpc", "method", "params", "id"]);

/** Parses JSON-RPC. From sent bodies, comments and unknown members are removed. */
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
  const calls = items.map(({ node }) => callText(node, text));
  return {
    from: "json-rpc",
    text: indented(root.type === "array" ? `[${calls.join(",")}]` : (calls[0] ?? "")),
  };
}

/** A call with its known members only, as they are written. */
function callText(node: Node, text: string): string {
  const kept = new Map<string, string>();
  for (const member of node.children ?? []) {
    const name = String(member.children?.[0]?.value);
    if (members.has(name)) kept.set(name, writtenJson(member, text));
  }
  return `{${[...kept.values()].join(",")}}`;
}

export function hasComment(text: string): boolean {
  const scanner = createScanner(text, false);
  // 12 and 13: comments; 17: the end (jsonc-parser, SyntaxKind).
  for (let kind: number = scanner.scan(); kind !== 17; kind = scanner.scan())
    if (kind === 12 || kind === 13) return true;
  return false;
}
