// Amounts for tests of money.

import type { BilledRecord, SpendTotals } from "../../../../src/session/spend/spendBook.ts";
import { type Amounts, amountIn, amountsOf, nothing } from "../../../../src/shared/money/amounts.ts";
import { Counted } from "../../../../src/shared/money/budgetRule.ts";
import { type Exact, toExact } from "../../../../src/shared/money/exact.ts";
import { Money } from "../../../../src/shared/money/money.ts";

export const usd = (amount: number | string): Amounts => amountIn("USD", amount);

/** As a bare number, for a test of one currency. */
export const usdOf = (amounts: Amounts): Exact => toExact(amounts.in("USD").digits());

export const noTotals: SpendTotals = {
  today: nothing,
  month: nothing,
  unbilled: nothing,
  unpriced: 0,
  isTodayBilled: false,
  isMonthBilled: false,
};

/** A record of the bill that was paid in dollars. */
export function recordIn(
  members: Pick<BilledRecord, "atMs" | "requestId">,
  amount: number | bigint,
): BilledRecord {
  const paid = new Money("USD", typeof amount === "bigint" ? amount : toExact(amount));
  return { ...members, worth: Counted.price(paid), paid: () => amountsOf(paid) };
}
