// EIP-55 checksums of the addresses in results, and the names of accounts. The results themselves stay as received.

import type { Evm } from "../../evm/evm.ts";
import type { Json, RpcAccount, RpcOutput } from "../../output/rpcOutput.ts";
import type { CellRun } from "../cellRun.ts";

/** The addresses of a view that get a checksum. */
const mostAddresses = 2_000;

/** True if a result has an address, whose checksum needs the Ethereum library. Linear in the size of the results. */
export function hasAddresses({ rounds }: CellRun): boolean {
  return rounds.some(
    ({ network, lines }) =>
      isEvm(network) && lines.some(({ outcome }) => outcome.kind === "result" && hasAddress(outcome.value)),
  );
}

/** The output with the checksums of its first 2,000 addresses, and the names that are known for them. */
export function withAccounts(
  output: RpcOutput,
  evm: Evm | undefined,
  names: ReadonlyMap<string, string> = new Map(),
): RpcOutput {
  if (!evm) return output;
  const found = new Set<string>();
  for (const { network, outcome } of output.lines) {
    if (!isEvm(network) || outcome.kind !== "result") continue;
    for (const text of textsIn(outcome.value)) {
      if (isAddress(text)) found.add(text.toLowerCase());
      if (found.size >= mostAddresses) break;
    }
  }
  for (const address of names.keys()) found.add(address);
  const accounts = [...found].map((one): RpcAccount => {
    const name = names.get(one);
    return { address: evm.checksummed(one) ?? one, ...(name === undefined ? {} : { name }) };
  });
  return accounts.length > 0 ? { ...output, accounts } : output;
}

/** The ENS names of a run, by addresses in lower case. */
export function ensNamesIn({ names, lookedUp }: CellRun): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [key, name] of lookedUp.names) if (name !== null) found.set(key.slice(-42), name);
  for (const one of names.values()) for (const [name, address] of one) found.set(address.toLowerCase(), name);
  return found;
}

function isEvm(network: string): boolean {
  return !/^(?:solana|starknet)-/.test(network);
}

function hasAddress(value: Json): boolean {
  for (const text of textsIn(value)) if (isAddress(text)) return true;
  return false;
}

function isAddress(text: string): boolean {
  return text.length === 42 && /^0x[0-9a-f]{40}$/i.test(text);
}

/** The texts in a value, each object and list once. */
export function* textsIn(value: Json): Generator<string> {
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === "string") yield one;
    else for (const part of partsOf(one).reverse()) open.push(part);
  }
}

/** The parts of a value that are texts or contain some. */
function partsOf(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).filter((part) => typeof part === "string" || typeof part === "object");
}
