// EIP-55 checksums of the addresses in results, and the names of accounts. The results themselves stay as received.
import type { Json, RpcAccount, RpcOutput } from "../../../shared/rpcOutput.ts";
import type { Evm } from "../evm/evm.ts";
import type { CellRun } from "./cellRun.ts";

/** The addresses of a view that get a checksum. */
const mostAddresses = 2_000;

/** True if a result has an address, whose checksum needs the Ethereum library. Linear in the size of the results. */
export function hasAddresses({ rounds }: CellRun): boolean {
  return rounds.some(
    ({ network, lines }) =>
      isEvm(network) &&
      lines.some(({ outcome }) => outcome.kind === "result" && !everyText(outcome.value, isNoAddress)),
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
  const collect = (text: string) => {
    if (!isNoAddress(text)) found.add(text.toLowerCase());
    return found.size < mostAddresses;
  };
  for (const { network, outcome } of output.lines)
    if (isEvm(network) && outcome.kind === "result" && !everyText(outcome.value, collect)) break;
  for (const address of names.keys()) found.add(address);
  const accounts = [...found].map((one): RpcAccount => {
    const name = names.get(one);
    return { address: evm.checksummed(one) ?? one, ...(name === undefined ? {} : { name }) };
  });
  return accounts.length > 0 ? { ...output, accounts } : output;
}

/** The ENS names of the run, by the addresses in lower case that they were resolved to. */
export function namesIn({ names }: CellRun): ReadonlyMap<string, string> {
  const all = [...names.values()].flatMap((one) => [...one]);
  return new Map(all.map(([name, address]) => [address.toLowerCase(), name]));
}

function isEvm(network: string): boolean {
  return !/^(?:solana|starknet)-/.test(network);
}

function isNoAddress(text: string): boolean {
  return text.length !== 42 || !/^0x[0-9a-f]{40}$/i.test(text);
}

/** True if a test holds for all texts in a value. Ends at the first for which it does not. */
function everyText(value: Json, test: (text: string) => boolean): boolean {
  const open: Json[] = [value];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one === "string") {
      if (!test(one)) return false;
    } else if (typeof one === "object" && one !== null) {
      for (const part of Object.values(one))
        if (typeof part === "string" || typeof part === "object") open.push(part);
    }
  }
  return true;
}
