import { isList, isObject } from "../../output/json.ts";
import type { Json } from "../../output/rpcOutput.ts";
import { toWhole } from "./fields/numbers.ts";

/** One block of a fee history, in wei. */
export interface FeeRow {
  readonly block: bigint;
  readonly baseFee: bigint | undefined;
  /** From 0 to 1; undefined for the next block. */
  readonly used: number | undefined;
  /** Tips, one for each requested percentile. */
  readonly tips: readonly (bigint | undefined)[];
}

/** The blocks of an eth_feeHistory result, the next block last; undefined for other values. */
export function toFeeRows(value: Json): readonly FeeRow[] | undefined {
  if (!isObject(value) || !isList(value.baseFeePerGas)) return undefined;
  const oldest = toWhole(value.oldestBlock);
  if (oldest === undefined) return undefined;
  const used = isList(value.gasUsedRatio) ? value.gasUsedRatio : [];
  const reward = isList(value.reward) ? value.reward : [];
  return value.baseFeePerGas.map((fee, at) => {
    const [ratio, tips] = [used[at], reward[at]];
    return {
      block: oldest + BigInt(at),
      baseFee: toWhole(fee),
      used: typeof ratio === "number" ? ratio : undefined,
      tips: isList(tips) ? tips.map(toWhole) : [],
    };
  });
}
