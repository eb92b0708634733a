import type { Hex } from "../../../shared/rpc/hex.ts";

/** A log of a transaction that is not yet mined. */
export interface ChainLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A transaction to mine. */
export interface ChainTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly from: Hex;
  /** Null creates a contract. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  /** Price per gas in wei, with the tip. */
  readonly gasPrice: bigint;
  /** Members that depend on the transaction type: fee caps, access list. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly input: Hex;
  readonly signature: { readonly r: Hex; readonly s: Hex; readonly v: Hex };
  readonly contractAddress: Hex | null;
  readonly logs: readonly ChainLog[];
}

export interface ChainBlock {
  readonly number: number;
  readonly hash: Hex;
  readonly parentHash: Hex;
  /** Unix time in seconds. */
  readonly timestamp: number;
  readonly transactions: readonly ChainTransaction[];
}
