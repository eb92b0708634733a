import { hexDigest } from "../simulated/digest.ts";
import type { ChainTransaction } from "./block.ts";
import { fees } from "./fees.ts";
import type { Hex } from "./quantity.ts";
import { type Erc20Token, transferInput, transferLog } from "./token.ts";

/** A made-up token transfer for one of the first blocks. Nobody signed it: its signature is not one. */
export function seedTransaction(options: {
  readonly chainId: number;
  readonly number: number;
  readonly accounts: readonly Hex[];
  readonly token: Erc20Token;
  readonly nonceOf: (address: Hex) => number;
}): ChainTransaction {
  const { chainId, number, accounts, token, nonceOf } = options;
  const from = accounts[number % accounts.length] as Hex;
  const to = accounts[(number + 1) % accounts.length] as Hex;
  const amount = BigInt(number) * 1_000_000n;
  return {
    hash: hexDigest(chainId, "transaction", number),
    type: "0x2",
    from,
    to: token.address,
    value: 0n,
    nonce: nonceOf(from),
    gas: 60_000n,
    gasUsed: 51_000n,
    gasPrice: fees.gasPrice,
    extra: fees.caps,
    input: transferInput(to, amount),
    signature: { r: hexDigest(chainId, "r", number), s: hexDigest(chainId, "s", number), v: "0x0" },
    contractAddress: null,
    logs: [transferLog(token.address, from, to, amount)],
  };
}
