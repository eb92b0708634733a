import { formatEther, formatGwei, type Hex, keccak256, parseTransaction } from "viem";
import { firstLine } from "./signatures.ts";

/** A signed transaction as its bytes say it. */
export interface RawTransaction {
  /** As the chain will know it; computed here. */
  readonly hash: string;
  /** Undefined for a signature that holds on every chain. */
  readonly chainId: number | undefined;
  /** Undefined where it makes a contract. */
  readonly to: string | undefined;
  /** In the chain's coin, exact. */
  readonly value: string;
  readonly valueWei: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  /** The most that gas may cost, in the chain's coin; undefined where the bytes name no price. */
  readonly maxFee: string | undefined;
  /** The most for one unit of gas, in gwei. */
  readonly maxFeePerGas: string | undefined;
  readonly dataBytes: number;
}

/** Reads the bytes that eth_sendRawTransaction takes. Throws a sentence where they are no signed transaction. */
export function readTransaction(raw: string): RawTransaction {
  // Its hash leaves the blobs out that travel with it.
  if (/^0x03/i.test(raw))
    throw new Error("Transactions with blobs can't be checked here: send them with a wallet");
  const parsed = parsedTransaction(raw);
  const price = parsed.maxFeePerGas ?? parsed.gasPrice;
  const gas = parsed.gas ?? 0n;
  if (parsed.r === undefined) throw new Error("This transaction is not signed");
  return {
    hash: keccak256(raw as Hex),
    chainId: parsed.chainId,
    to: parsed.to ?? undefined,
    value: formatEther(parsed.value ?? 0n),
    valueWei: parsed.value ?? 0n,
    nonce: parsed.nonce ?? 0,
    gas,
    maxFee: price === undefined ? undefined : formatEther(price * gas),
    maxFeePerGas: price === undefined ? undefined : formatGwei(price),
    dataBytes: parsed.data ? (parsed.data.length - 2) / 2 : 0,
  };
}

interface Parsed {
  readonly chainId?: number;
  readonly to?: string | null;
  readonly value?: bigint;
  readonly nonce?: number;
  readonly gas?: bigint;
  readonly gasPrice?: bigint;
  readonly maxFeePerGas?: bigint;
  readonly data?: string;
  readonly r?: string;
}

function parsedTransaction(raw: string): Parsed {
  try {
    return parseTransaction(raw as Hex) as unknown as Parsed;
  } catch (error) {
    throw new Error(`These bytes are no signed transaction: ${firstLine(error)}`);
  }
}
