import { quantity } from "./quantity.ts";

const gwei = 10n ** 9n;
const priority = gwei;
const base = gwei;

/** Fees that never change, in wei. */
export const fees = {
  base,
  priority,
  gasPrice: base + priority,
  blob: 1n,
  /** Of a dynamic-fee transaction, as its form shows them. */
  caps: {
    maxFeePerGas: quantity(2n * base + priority),
    maxPriorityFeePerGas: quantity(priority),
    accessList: [],
  },
} as const;

export const blockGasLimit = 30_000_000n;

/** What a plain transaction takes: 21,000, and 16 per byte of its data. */
export function plainGas(input: string): bigint {
  return 21_000n + 16n * BigInt((input.length - 2) / 2);
}
