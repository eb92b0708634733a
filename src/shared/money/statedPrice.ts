import type { Amounts } from "./amounts.ts";
import { unitOf } from "./budgetRule.ts";
import { formatUsd } from "./formatUsd.ts";
import { computedIn } from "./money.ts";
import { moneyText } from "./moneyText.ts";

/** An amount as the service states it, in one currency. */
export interface StatedPrice {
  readonly currency: "USD" | "DIEM";
  readonly amount: number;
}

/**
 * The price that a pair states. Both members state the same price, so they are never added. 0 USD beside an amount of DIEM
 * is a price in DIEM. Undefined if neither is stated.
 */
export function statedPrice(
  usd: number | null | undefined,
  diem: number | null | undefined,
): StatedPrice | undefined {
  if (usd) return { currency: "USD", amount: usd };
  if (diem) return { currency: "DIEM", amount: diem };
  return usd === 0 || diem === 0 ? { currency: "USD", amount: 0 } : undefined;
}

/**
 * What a service says that a call has cost. Two amounts that are the same are one price, said twice. Two others were paid
 * beside each other, and neither may be left out.
 */
export function statedCosts(
  usd: number | null | undefined,
  diem: number | null | undefined,
): readonly StatedPrice[] {
  if (usd && diem && usd !== diem)
    return [
      { currency: "USD", amount: usd },
      { currency: "DIEM", amount: diem },
    ];
  const price = statedPrice(usd, diem);
  return price ? [price] : [];
}

/** A limit beside what uses it up: `$5.00`, `5.00 DIEM` if only DIEM are paid. */
export function limitText(limit: number, spent: Amounts, isPlayMoney = false): string {
  return priceText({ currency: unitOf(spent) ?? "USD", amount: limit }, isPlayMoney);
}

/** `$0.0012`, `0.0012 DIEM`, `0.0012 DIEM play money`. */
export function priceText({ currency, amount }: StatedPrice, isPlayMoney = false): string {
  if (currency === "USD") return formatUsd(amount, isPlayMoney);
  // Floats that were added have errors after the twelfth digit.
  const text = moneyText(computedIn(currency, amount));
  return isPlayMoney ? `${text} play money` : text;
}
