import { toQuantity } from "../../../shared/rpc/hex.ts";

const gwei = 10n ** 9n;
const priority = gwei;
const base = gwei;

/** Constant fees in wei. */
export const fees = {
  base,
  priority,
  gasPrice: base + priority,
  blob: 1n,
  /** Fee members of a dynamic-fee transaction. */
  caps: {
    maxFeePerGas: toQuantity(2n * base + priority),
    maxPriorityFeePerGas: toQuantity(priority),
    accessList: [],
  },
} as const;

export const blockGasLimit = 30_000_000n;

/** Gas of a transaction: 21,000 plus 16 per byte of data. */
export function plainGas(input: string): bigint {
  return 21_000n + 16n * BigInt((input.length - 2) / 2);
}
