import { type Amounts, onlyIn } from "./amounts.ts";
import type { Exact } from "./exact.ts";

/**
 * The rule of budgets in USD: which amounts use them up. The service prices a DIEM as a dollar, so that a call in either
 * currency can't pass a limit. No dollar paid for VCU, bundled credits or an unknown currency.
 */
const countedCurrencies = ["USD", "DIEM"];

/** As the setting of a budget, its refusals and the guide say it. */
export const budgetRule = "Budgets count USD, and DIEM 1:1. VCU and bundled credits do not count.";

/** What these amounts use up of a limit in USD. Show `countedPart` instead: this may have more than one currency in it. */
export function countedUsd(amounts: Amounts): Exact {
  return countedCurrencies.reduce((sum, currency) => sum + (amounts.get(currency) ?? 0n), 0n);
}

/** The amounts that a budget counts. */
export function countedPart(amounts: Amounts): Amounts {
  return onlyIn(amounts, countedCurrencies);
}

/** True if the sum is one of dollars alone, or nothing. */
export function isDollars(amounts: Amounts): boolean {
  return [...amounts.keys()].every((currency) => currency === "USD");
}
