import type { Connection } from "../../session/connection/connection.ts";
import type { SpentEntry } from "../../session/spend/spendLines.ts";
import { Amounts, amountsOf, nothing } from "../../shared/money/amounts.ts";
import { spendText } from "../../shared/money/moneyText.ts";

/** Cost of calls by currency. */
export interface CompletionSum {
  readonly amounts: Amounts;
  /** True if calls of unknown cost are in it with their upper bounds in USD. */
  readonly isBound: boolean;
}

/** `costOf` is undefined for a call of unknown cost. */
export function completionSum(
  calls: readonly SpentEntry[],
  costOf: (call: SpentEntry) => Amounts | undefined,
): CompletionSum {
  const boundOf = ({ most }: SpentEntry) => (most ? amountsOf(most.in("USD")) : nothing);
  return {
    amounts: Amounts.sum(calls.map((call) => costOf(call) ?? boundOf(call))),
    isBound: calls.some((call) => costOf(call) === undefined),
  };
}

/** `≤ $0.0012 · 0.0042 DIEM play money`; undefined if the sum is. */
export function completionSumText(
  sum: CompletionSum | undefined,
  kind: Connection["kind"],
): string | undefined {
  if (!sum) return undefined;
  return `${sum.isBound ? "≤ " : ""}${spendText(sum.amounts)}${kind === "sandbox" ? " play money" : ""}`;
}
