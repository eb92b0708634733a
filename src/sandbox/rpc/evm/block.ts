import type { Hex } from "./quantity.ts";

/** A log of a transaction, before it has a place in a block. */
export interface ChainLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A transaction that is about to be mined. */
export interface ChainTransaction {
  readonly hash: Hex;
  readonly type: Hex;
  readonly from: Hex;
  /** Null makes a contract. */
  readonly to: Hex | null;
  readonly value: bigint;
  readonly nonce: number;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  /** What each gas costs, tip included. */
  readonly gasPrice: bigint;
  /** What the form of its type adds: fee caps, access list. */
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
