import type { Hex } from "../../../shared/rpc/hex.ts";
import { toWord } from "../../../shared/rpc/hex.ts";
import { ChainFault } from "../chain.ts";
import { tokenAddress } from "../networks.ts";
import type { ChainLog } from "./block.ts";
import { addressWord, lower } from "./values/quantity.ts";

/** keccak256("Transfer(address,address,uint256)"). */
const transferTopic: Hex = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Selectors of ERC-20. */
const selectors = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  balanceOf: "0x70a08231",
  transfer: "0xa9059cbb",
} as const;
const startAmount = 1_000_000n * 10n ** 6n;

/** The only contract of the simulated chain: an ERC-20 with six decimals. */
export interface Erc20Token {
  readonly address: Hex;
  /** The result of eth_call. Throws a revert for an unknown selector. */
  call(data: string): Hex;
  /** The log of a transfer. Undefined for other calls. */
  transferOf(from: Hex, data: string): ChainLog | undefined;
  apply(logs: readonly ChainLog[]): void;
}

export function createToken(holders: readonly Hex[]): Erc20Token {
  const address: Hex = tokenAddress;
  const amounts = new Map<string, bigint>(holders.map((holder) => [holder, startAmount]));
  const amountOf = (holder: Hex) => amounts.get(lower(holder)) ?? 0n;
  const add = (holder: Hex, amount: bigint) => amounts.set(lower(holder), amountOf(holder) + amount);
  return {
    address,
    call(data) {
      const selector = data.slice(0, 10).toLowerCase();
      if (selector === selectors.name) return text("Sandbox Dollar");
      if (selector === selectors.symbol) return text("SUSD");
      if (selector === selectors.decimals) return toWord(6);
      if (selector === selectors.totalSupply) return toWord(startAmount * BigInt(holders.length));
      if (selector === selectors.balanceOf && data.length >= 74) return toWord(amountOf(addressAt(data, 0)));
      if (selector === selectors.transfer && data.length >= 138) return toWord(1);
      throw new ChainFault(3, "execution reverted", "0x");
    },
    transferOf(from, data) {
      if (data.slice(0, 10).toLowerCase() !== selectors.transfer || data.length < 138) return undefined;
      const amount = BigInt(`0x${data.slice(74, 138)}`);
      return amount > amountOf(from) ? undefined : transferLog(address, from, addressAt(data, 0), amount);
    },
    apply(logs) {
      for (const { topics, data } of logs) {
        add(addressOfWord(topics[1]), -BigInt(data));
        add(addressOfWord(topics[2]), BigInt(data));
      }
    },
  };
}

export function transferLog(token: Hex, from: Hex, to: Hex, amount: bigint): ChainLog {
  return {
    address: token,
    topics: [transferTopic, addressWord(from), addressWord(to)],
    data: toWord(amount),
  };
}

export function transferInput(to: Hex, amount: bigint): Hex {
  return `${selectors.transfer}${addressWord(to).slice(2)}${toWord(amount).slice(2)}`;
}

function addressAt(data: string, argument: number): Hex {
  const end = 10 + 64 * (argument + 1);
  return lower(`0x${data.slice(end - 40, end)}`);
}

function addressOfWord(topic: Hex = "0x"): Hex {
  return `0x${topic.slice(-40)}`;
}

/** A string in ABI encoding: offset, length, bytes. */
function text(value: string): Hex {
  const bytes = Buffer.from(value).toString("hex").padEnd(64, "0");
  return `0x${toWord(32).slice(2)}${toWord(value.length).slice(2)}${bytes}`;
}
