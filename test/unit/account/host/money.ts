// Amounts for tests of money.

import type { BilledRecord, SpendTotals } from "../../../../src/session/spend/spendBook.ts";
import { type Amounts, amountIn } from "../../../../src/shared/money/amounts.ts";
import { toExact } from "../../../../src/shared/money/exact.ts";

export const usd = (amount: number | string): Amounts => amountIn("USD", toExact(amount));

export const usdOf = (amounts: Amounts) => amounts.get("USD") ?? 0n;

export const noTotals: SpendTotals = {
  today: new Map(),
  month: new Map(),
  unbilled: new Map(),
  unpriced: 0,
  isTodayBilled: false,
  isMonthBilled: false,
};

/** A record of the bill that was paid in dollars. */
export function recordIn(
  members: Pick<BilledRecord, "atMs" | "requestId">,
  amount: number | bigint,
): BilledRecord {
  const worthUsd = typeof amount === "bigint" ? amount : toExact(amount);
  return { ...members, worthUsd, paid: () => amountIn("USD", worthUsd) };
}
