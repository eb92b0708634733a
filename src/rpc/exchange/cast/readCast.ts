import { toLines } from "../toLines.ts";
import { castConstant } from "./castConstants.ts";
import { type CallOption, type CastCommand, callOptions, flags, splitOptions } from "./castOptions.ts";
import { readCastValue } from "./castValues.ts";
import { readSignature } from "./signatureTypes.ts";

/** The request of a cast command. */
export interface CastRequest {
  /** The equivalent line; undefined for commands that sign or do not call a node. */
  readonly line?: string;
  /** The name of the command: `send`. */
  readonly verb: string;
  /** Names of the dropped parts, never their values. */
  readonly left: readonly string[];
  /** Addresses and names of networks. */
  readonly urls: readonly string[];
}

interface CastRead {
  readonly method: string;
  /** Number of words that it uses. */
  readonly takes: number;
  /** True if the last parameter is a block, which is optional in cast. */
  readonly block?: true;
}

const reads: ReadonlyMap<string, CastRead> = new Map<string, CastRead>([
  ["block-number", { method: "eth_blockNumber", takes: 0 }],
  ["chain-id", { method: "eth_chainId", takes: 0 }],
  ["chain", { method: "eth_chainId", takes: 0 }],
  ["gas-price", { method: "eth_gasPrice", takes: 0 }],
  ["client", { method: "web3_clientVersion", takes: 0 }],
  ["balance", { method: "eth_getBalance", takes: 1, block: true }],
  ["nonce", { method: "eth_getTransactionCount", takes: 1, block: true }],
  ["code", { method: "eth_getCode", takes: 1, block: true }],
  ["storage", { method: "eth_getStorageAt", takes: 2, block: true }],
  ["tx", { method: "eth_getTransactionByHash", takes: 1 }],
  ["receipt", { method: "eth_getTransactionReceipt", takes: 1 }],
]);

/** Names of commands that may be shown. Any other word may be a secret. */
const otherVerbs = new Set(
  `send wallet mktx 4byte 4byte-event 4byte-calldata abi-encode abi-encode-event access-list address-zero admin age artifact
  balance base-fee bind block calldata call chain codehash codesize compute-address constructor-args create2 creation-code
  decode-abi decode-calldata decode-error decode-event decode-transaction disassemble erc20-token estimate
  etherscan-source find-block from-bin from-utf8 generate-fig-spec hash-message hash-zero implementation index interface
  keccak logs lookup-address namehash parse-units proof publish recover-authority resolve-name rpc run selectors sig
  from-wei max-int max-uint min-int sig-event source storage storage-root to-dec to-hex to-wei tx txpool upload-signature`.split(
    /\s+/,
  ),
);

export function readCast(all: readonly string[]): CastRequest {
  const [verb = ""] = splitOptions(all, flags).words;
  const command = splitOptions(all, flagsOf(verb), /^(?:block|tx|receipt)$/.test(verb));
  const [, ...rest] = command.words;
  const made = lineOf(verb, rest, command);
  const left = new Set(command.left);
  if (made && rest.length > made.takes) left.add("further parameters");
  for (const [name, value] of command.options)
    if (value !== "" && !made?.uses.includes(name)) left.add(optionName(name));
  return {
    verb: otherVerbs.has(verb) ? verb : "",
    left: [...left],
    urls: command.urls,
    ...(made ? { line: made.line } : {}),
  };
}

/** Short options depend on the command. */
function flagsOf(verb: string): ReadonlySet<string> {
  if (verb === "balance") return new Set([...flags, "-e"]);
  return verb === "block" ? new Set([...flags, "-j"]) : flags;
}

function optionName(option: CallOption): string {
  return [...callOptions].find(([, own]) => own === option)?.[0] ?? "";
}

/** A line, with the number of words and the options that it uses. */
interface CastLine {
  readonly line: string;
  readonly takes: number;
  readonly uses: readonly CallOption[];
}

function lineOf(verb: string, rest: readonly string[], command: CastCommand): CastLine | undefined {
  const { options } = command;
  const at = options.get("block") ?? "latest";
  switch (verb) {
    case "rpc": {
      const line = rest.length > 0 ? rpcLine(rest, command.flags) : undefined;
      return line === undefined ? undefined : { line, takes: rest.length, uses: [] };
    }
    case "call":
    case "estimate":
    case "access-list":
      return dataLine(verb, rest, options) ?? callLine(verb, rest, options);
    case "block":
      return blockLine(rest, command.flags);
    case "logs":
      return logsLine(rest, options);
    case "run":
      return runLine(rest);
    case "calldata":
      return calldataLine(rest);
    case "implementation":
    case "admin":
      return slotLine(verb, rest, at);
    case "proof":
      return proofLine(rest, at);
    case "publish":
      return rest.length === 1 ? write(["send", ...rest], 1) : undefined;
    case "balance": {
      const token = options.get("erc20");
      if (token === undefined || !rest[0]) return readLine(verb, rest, at);
      const called = ["call", token, "balanceOf(address)(uint256)", rest[0], `at:${at}`];
      return write(called, 1, "erc20", "block");
    }
    default:
      return readLine(verb, rest, at) ?? otherLine(verb, rest, at, command.flags);
  }
}

function proofLine([address = "", ...slots]: readonly string[], at: string): CastLine | undefined {
  if (slots.length === 0) return undefined;
  return write(["eth_getProof", address, `[${slots.join(",")}]`, at], 1 + slots.length, "block");
}

/** Reads that cast works on, or whose method it does not name, and what it computes. */
function otherLine(
  verb: string,
  rest: readonly string[],
  at: string,
  flags: ReadonlySet<string>,
): CastLine | undefined {
  if (verb === "codesize" || verb === "codehash") return readLine("code", rest, at);
  if (verb === "base-fee") return blockLine(rest, flags);
  const [what = ""] = rest;
  if (verb === "txpool" && /^(?:status|content|inspect)$/.test(what)) return write([`txpool_${what}`], 1);
  return constantLine(verb, rest);
}

/** In place of a signature cast takes the bytes of a call. */
function dataLine(
  verb: keyof typeof callMethods,
  rest: readonly string[],
  options: CastCommand["options"],
): CastLine | undefined {
  const [to = "", data = ""] = rest;
  if (rest.length !== 2 || !/^0x(?:[0-9a-f]{2})*$/i.test(data)) return undefined;
  const made = callLine(verb, [to], new Map([...options, ["data", data]]));
  return made && { ...made, takes: 2 };
}

/** What cast executes again, nodes can trace. */
function runLine([hash = ""]: readonly string[]): CastLine | undefined {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hash)) return undefined;
  return { line: `debug_traceTransaction ${hash} { tracer: callTracer }`, takes: 1, uses: [] };
}

/** What cast computes without a node is a constant. */
function constantLine(verb: string, words: readonly string[]): CastLine | undefined {
  const made = castConstant(verb, words);
  return made && { ...made, uses: [] };
}

function calldataLine([text, ...values]: readonly string[]): CastLine | undefined {
  if (text === undefined) return undefined;
  const words = [JSON.stringify(text), ...typedArguments(text, values)];
  return { line: `data = abi(${words.join(", ")})`, takes: words.length, uses: [] };
}

/** The slots of EIP-1967. */
const proxySlots = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
} as const;

function slotLine(
  verb: keyof typeof proxySlots,
  [address]: readonly string[],
  at: string,
): CastLine | undefined {
  return address === undefined
    ? undefined
    : write(["eth_getStorageAt", address, proxySlots[verb], at], 1, "block");
}

function write(words: readonly string[], takes: number, ...uses: CallOption[]): CastLine {
  return { line: words.map(argument).join(" "), takes, uses };
}

/** A verb that reads by one method. */
function readLine(verb: string, rest: readonly string[], block: string): CastLine | undefined {
  const read = reads.get(verb);
  if (!read || rest.length < read.takes) return undefined;
  const words = [read.method, ...rest.slice(0, read.takes), ...(read.block ? [block] : [])];
  return write(words, read.takes, ...(read.block ? (["block"] as const) : []));
}

const callMethods = {
  call: "eth_call",
  estimate: "eth_estimateGas",
  "access-list": "eth_createAccessList",
} as const;

function callLine(
  verb: keyof typeof callMethods,
  [to, ...words]: readonly string[],
  options: CastCommand["options"],
): CastLine | undefined {
  const data = options.get("data");
  if (to === undefined || (words.length === 0 && data === undefined && verb === "call")) return undefined;
  const takes = 1 + words.length;
  const given = (["from", "gas", "value"] as const).filter((name) => options.has(name));
  if (verb === "call" && words.length > 0) {
    const named = [...given, ...(options.has("block") ? (["block"] as const) : [])];
    const texts = named.map((name) => `${name === "block" ? "at" : name}:${options.get(name)}`);
    const [signature = "", ...args] = words;
    const line = [
      "call",
      argument(to),
      argument(signature),
      ...typedArguments(signature, args),
      ...texts.sort(),
    ];
    return { line: line.join(" "), takes, uses: named };
  }
  const own =
    words.length > 0
      ? `abi(${[JSON.stringify(words[0]), ...typedArguments(words[0] ?? "", words.slice(1))].join(", ")})`
      : data;
  const members = [
    `to: ${argument(to)}`,
    ...given.map((name) => `${name}: ${options.get(name)}`),
    ...(own === undefined ? [] : [`data: ${own}`]),
  ];
  const line = `${callMethods[verb]} { ${members.join(", ")} } ${options.get("block") ?? "latest"}`;
  return {
    line,
    takes,
    uses: [...given, "block", ...(words.length > 0 ? [] : (["data"] as const))],
  };
}

/** The arguments of a function, each by its type: cast writes tuples in round brackets. */
function typedArguments(signature: string, words: readonly string[]): readonly string[] {
  const { inputs } = readSignature(signature);
  return words.map((word, at) => readCastValue(word, inputs[at] ?? "", argument));
}

/** The values of an event by its inputs. An empty one stands for any value, and cast ignores those that are not indexed. */
function eventArguments(event: string, words: readonly string[]): readonly string[] {
  const { inputs } = readSignature(event.replace(/^\s*event\s+/, ""));
  const indexed = inputs.map((input) => /\sindexed(?:\s|$)/.test(input));
  const values = words.map((word, at) =>
    word === "" ? "_" : readCastValue(word, inputs[at] ?? "", argument),
  );
  return indexed.includes(true) ? values.filter((_, at) => indexed[at]) : values;
}

function blockLine([which = "latest"]: readonly string[], set: ReadonlySet<string>): CastLine {
  const isHash = /^0x[0-9a-fA-F]{64}$/.test(which);
  const method = isHash ? "eth_getBlockByHash" : "eth_getBlockByNumber";
  return { line: `${method} ${argument(which)} ${set.has("--full")}`, takes: 1, uses: [] };
}

/** The first word is an event or its hash. Its indexed values or more hashes follow. */
function logsLine(words: readonly string[], options: CastCommand["options"]): CastLine {
  const uses = ["address", "fromBlock", "toBlock"] as const;
  const [address, from, to] = uses.map((name) => options.get(name));
  const takes = words.length;
  const [event = "", ...values] = words;
  if (event.includes("(")) {
    const range = [...(from ? [`from:${from}`] : []), ...(to ? [`to:${to}`] : [])];
    const line = ["logs", address ?? "_", argument(event), ...eventArguments(event, values), ...range];
    return { line: line.join(" "), takes, uses };
  }
  const members = [
    ...(address ? [`address: ${address}`] : []),
    ...(from ? [`fromBlock: ${from}`] : []),
    ...(to ? [`toBlock: ${to}`] : []),
    ...(words.length > 0 ? [`topics: [${words.map((word) => argument(word || "_")).join(", ")}]`] : []),
  ];
  return { line: `eth_getLogs { ${members.join(", ")} }`, takes, uses };
}

/** With --raw the parameters are one JSON list. */
function rpcLine([method = "", ...params]: readonly string[], set: ReadonlySet<string>): string | undefined {
  if (!set.has("--raw") && !set.has("-w")) return [method, ...params].map(argument).join(" ");
  try {
    const list: unknown = JSON.parse(params[0] ?? "[]");
    return Array.isArray(list) && /^\w+$/.test(method) ? toLines([{ method, params: list }]) : undefined;
  } catch {
    return undefined;
  }
}

/** A shell word as a value of a line. */
function argument(word: string): string {
  return /^[\w.$:()[\]{},"@-]+$/.test(word) ? word : JSON.stringify(word);
}
