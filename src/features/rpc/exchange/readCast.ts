import { toLines } from "./toLines.ts";

/** What options say about a call. All else that they say stays behind, keys and addresses of nodes among it. */
type CallOption = "block" | "from" | "value";

const callOptions: ReadonlyMap<string, CallOption> = new Map<string, CallOption>([
  ["--block", "block"],
  ["-b", "block"],
  ["-B", "block"],
  ["--from", "from"],
  ["-f", "from"],
  ["-F", "from"],
  ["--value", "value"],
]);

/** The forms that are taken over: 64 hex digits behind `--from` would be a key. */
const forms: Readonly<Record<CallOption, RegExp>> = {
  block: /^(?:latest|pending|earliest|safe|finalized|\d{1,20}|0x[0-9a-fA-F]{1,16})$/,
  from: /^0x[0-9a-fA-F]{1,40}$/,
  value: /^\d[\d_.]{0,60}(?:wei|gwei|ether)?$/,
};

/** Options that stand alone. Behind any other option the next word is taken for its value, and left out. */
const flags = new Set(
  `--json --md --quiet --insecure --no-proxy --flashbots --curl --interactive --ledger --trezor --aws --gcp --turnkey
  --browser --unlocked --legacy --blob --trace --debug --decode-internal --with-local-artifacts --disable-labels --raw
  --to-request --async --cast-async --disassemble --ether --eip4844 --color-always --help --version --create --odyssey
  -q -k -i -l -t -w -h`.split(/\s+/),
);
/** Those whose value is left out even where it looks like an option. */
const holdsSecret =
  /^--(?:private-keys?|mnemonics?|mnemonic-.*|passwords?|password-.*|passphrases?|keystores?|accounts?|jwt-secret|rpc-url|rpc-headers|headers?|etherscan-api-key|api-key|auth|token)$|^-[rHeup]$/;

interface CastCommand {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<CallOption, string>;
  readonly flags: ReadonlySet<string>;
}

interface CastRead {
  readonly method: string;
  /** How many words it takes over. */
  readonly takes: number;
  /** Whether it ends with a block, which cast leaves out for the newest one. */
  readonly block?: true;
}

const reads: ReadonlyMap<string, CastRead> = new Map<string, CastRead>([
  ["block-number", { method: "eth_blockNumber", takes: 0 }],
  ["chain-id", { method: "eth_chainId", takes: 0 }],
  ["gas-price", { method: "eth_gasPrice", takes: 0 }],
  ["balance", { method: "eth_getBalance", takes: 1, block: true }],
  ["nonce", { method: "eth_getTransactionCount", takes: 1, block: true }],
  ["code", { method: "eth_getCode", takes: 1, block: true }],
  ["tx", { method: "eth_getTransactionByHash", takes: 1 }],
  ["receipt", { method: "eth_getTransactionReceipt", takes: 1 }],
]);

/** The line that asks the same as cast's words do; undefined for what asks no node, or signs. */
export function readCast(words: readonly string[]): string | undefined {
  const plain = splitOptions(words, flags);
  // What is the price of something elsewhere is a flag of `balance`.
  const command = plain.words.includes("balance") ? splitOptions(words, new Set([...flags, "-e"])) : plain;
  const [verb = "", ...rest] = command.words;
  const { options } = command;
  if (verb === "rpc") return rest.length > 0 ? rpcLine(rest, command.flags) : undefined;
  if (verb === "call" && rest.length > 1) {
    const said = [...options].map(([name, value]) => `${name === "block" ? "at" : name}:${value}`);
    return [...["call", ...rest].map(argument), ...said.sort()].join(" ");
  }
  const read = reads.get(verb);
  if (!read || rest.length < read.takes) return undefined;
  const block = read.block ? [options.get("block") ?? "latest"] : [];
  return [read.method, ...rest.slice(0, read.takes), ...block].map(argument).join(" ");
}

/** With --raw the parameters stand together, as JSON. */
function rpcLine([method = "", ...params]: readonly string[], said: ReadonlySet<string>): string | undefined {
  if (!said.has("--raw") && !said.has("-w")) return [method, ...params].map(argument).join(" ");
  try {
    const list: unknown = JSON.parse(params[0] ?? "[]");
    return Array.isArray(list) && /^\w+$/.test(method) ? toLines([{ method, params: list }]) : undefined;
  } catch {
    return undefined;
  }
}

function splitOptions(all: readonly string[], alone: ReadonlySet<string>): CastCommand {
  const words: string[] = [];
  const options = new Map<CallOption, string>();
  const found = new Set<string>();
  for (let at = 0; at < all.length; at++) {
    const word = all[at] ?? "";
    if (word === "--") {
      words.push(...all.slice(at + 1));
      break;
    }
    if (!/^--?[A-Za-z]/.test(word)) {
      words.push(word);
      continue;
    }
    const { name, value } = nameAndValue(word);
    if (alone.has(name) || /^-v+$/.test(word)) {
      found.add(name);
      continue;
    }
    const isNext = value === undefined && takesNext(name, all[at + 1]);
    const said = isNext ? all[++at] : value;
    const option = callOptions.get(name);
    if (option && said !== undefined && forms[option].test(said)) options.set(option, said);
  }
  return { words, options, flags: found };
}

/** `--from=0xaa`, `-f=0xaa`, `-f0xaa`. */
function nameAndValue(word: string): { readonly name: string; readonly value: string | undefined } {
  if (!word.startsWith("--")) {
    const value = word.slice(word[2] === "=" ? 3 : 2);
    return { name: word.slice(0, 2), value: word.length > 2 ? value : undefined };
  }
  const equals = word.indexOf("=");
  if (equals < 0) return { name: word, value: undefined };
  return { name: word.slice(0, equals), value: word.slice(equals + 1) };
}

function takesNext(option: string, next: string | undefined): boolean {
  if (next === undefined) return false;
  return callOptions.has(option) || holdsSecret.test(option) || !/^--?[A-Za-z]/.test(next);
}

/** A word of a shell as a value of a line. */
function argument(word: string): string {
  return /^[\w.$:()[\]{},"@-]+$/.test(word) ? word : JSON.stringify(word);
}
