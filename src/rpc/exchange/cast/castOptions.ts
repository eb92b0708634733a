/** Options that belong to the call. All others are dropped, including keys. */
export type CallOption =
  | "block"
  | "from"
  | "value"
  | "gas"
  | "data"
  | "fromBlock"
  | "toBlock"
  | "address"
  | "erc20";

export const callOptions: ReadonlyMap<string, CallOption | "url"> = new Map<string, CallOption | "url">([
  ["--block", "block"],
  ["-b", "block"],
  ["-B", "block"],
  ["--from", "from"],
  ["-f", "from"],
  ["-F", "from"],
  ["--value", "value"],
  ["--gas-limit", "gas"],
  ["--data", "data"],
  ["--from-block", "fromBlock"],
  ["--to-block", "toBlock"],
  ["--address", "address"],
  ["--erc20", "erc20"],
  ["--rpc-url", "url"],
  ["-r", "url"],
  ["--chain", "url"],
  ["-c", "url"],
]);

const address = /^0x[0-9a-fA-F]{1,40}$/;
const block = /^(?:latest|pending|earliest|safe|finalized|\d{1,20}|0x[0-9a-fA-F]{1,16})$/;
/** Accepted values. 64 hex digits after `--from` would be a private key. */
const forms: Readonly<Record<CallOption, RegExp>> = {
  block,
  from: address,
  value: /^\d[\d_.]{0,60}(?:wei|gwei|ether)?$/,
  gas: /^(?:\d{1,20}|0x[0-9a-fA-F]{1,16})$/,
  data: /^0x(?![0-9a-fA-F]{64}$)[0-9a-fA-F]*$/,
  fromBlock: block,
  toBlock: block,
  address,
  erc20: address,
};

/** Options without a value. After any other option the next word is its value, which is dropped. */
export const flags = new Set(
  `--json --md --quiet --insecure --no-proxy --flashbots --curl --interactive --ledger --trezor --aws --gcp --turnkey
  --browser --unlocked --legacy --blob --trace --debug --decode-internal --with-local-artifacts --disable-labels --raw
  --to-request --async --cast-async --disassemble --ether --eip4844 --color-always --help --version --create --odyssey
  --full --subscribe
  -q -k -i -l -t -w -h`.split(/\s+/),
);
/** Options whose value is dropped even if it looks like an option. */
const holdsSecret =
  /^--(?:private-keys?|mnemonics?|mnemonic-.*|passwords?|password-.*|passphrases?|keystores?|accounts?|jwt-secret|rpc-url|rpc-headers|headers?|etherscan-api-key|api-key|auth|token)$|^-[rHeup]$/;
/** Options that change the request or contain a secret. The cell lists their names if they are dropped. */
const named = new Set(
  `--private-key --private-keys --mnemonic --mnemonics --password --password-file --keystore --account --field
  --override-balance --override-nonce --override-code --override-state --override-state-diff --block.time --block.number
  --access-list --nonce --gas-price --priority-gas-price --auth --create --proof --subscribe --data --from --value
  --block --from-block --to-block --address --erc20 --gas-limit --ledger --trezor --aws --gcp --interactive --unlocked`.split(
    /\s+/,
  ),
);

/** The words of a command of cast, apart from its options. */
export interface CastCommand {
  readonly words: readonly string[];
  readonly options: ReadonlyMap<CallOption, string>;
  readonly urls: readonly string[];
  readonly flags: ReadonlySet<string>;
  /** Names of dropped options. */
  readonly left: ReadonlySet<string>;
}

export function splitOptions(
  all: readonly string[],
  alone: ReadonlySet<string>,
  hasFields = false,
): CastCommand {
  const words: string[] = [];
  const kept: KeptOptions = { options: new Map(), urls: [], flags: new Set(), left: new Set() };
  for (let at = 0; at < all.length; at++) {
    const word = all[at] ?? "";
    if (word === "--") return { words: [...words, ...all.slice(at + 1)], ...kept };
    if (!/^--?[A-Za-z]/.test(word)) words.push(word);
    else if (takeOption(kept, word, all[at + 1], alone, hasFields)) at++;
  }
  return { words, ...kept };
}

/** The options of a command as they are found. */
interface KeptOptions {
  readonly options: Map<CallOption, string>;
  readonly urls: string[];
  readonly flags: Set<string>;
  readonly left: Set<string>;
}

/** Returns true if it took the next word, too. */
function takeOption(
  { options, urls, flags: found, left }: KeptOptions,
  word: string,
  next: string | undefined,
  alone: ReadonlySet<string>,
  hasFields: boolean,
): boolean {
  const { name, value } = nameAndValue(word);
  if (alone.has(name) || /^-v+$/.test(word)) {
    found.add(name);
    if (named.has(name)) left.add(name);
    return false;
  }
  const taken = value === undefined ? valueAfter(name, next) : undefined;
  const given = value ?? taken;
  const meant = hasFields && name === "-f" ? "--field" : name;
  const option = callOptions.get(meant);
  if (option === "url") urls.push(given ?? "");
  else if (option && given !== undefined && forms[option].test(given)) options.set(option, given);
  else if (named.has(meant)) left.add(meant);
  return taken !== undefined;
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

/** The next word, if it is the value of an option. */
function valueAfter(option: string, next: string | undefined): string | undefined {
  if (next === undefined) return undefined;
  const isValue = callOptions.has(option) || holdsSecret.test(option) || !/^--?[A-Za-z]/.test(next);
  return isValue ? next : undefined;
}
