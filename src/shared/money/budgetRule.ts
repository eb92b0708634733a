import type { Amounts } from "./amounts.ts";
import { type Exact, toExact } from "./exact.ts";
import { type Diem, Money, type MoneyIn, type Named, Sum, type Usd } from "./money.ts";

/**
 * The rule of limits: which amounts use them up. The service prices a DIEM as a dollar, so that a call in either currency
 * can't pass a limit. No dollar paid for VCU, bundled credits or an unknown currency.
 */
const countedCurrencies = ["USD", "DIEM"] as const;

/** A currency that uses up a limit. */
export type CountedCurrency = (typeof countedCurrencies)[number];

/** As the setting of a budget, its refusals and the guide say it. */
export const budgetRule = "Budgets count USD, and DIEM 1:1. VCU and bundled credits do not count.";

/**
 * What uses up a limit: dollars and DIEM, one to one. It is the only sum of two currencies, and no money: it can't be
 * shown before `in` says in which currency. It is made by the functions of this file alone.
 */
export class Counted extends Sum<"counted"> {
  static readonly zero = new Counted(0n);

  private constructor(amount: Exact) {
    super(amount);
  }

  /** What these amounts use up. */
  static of(amounts: Amounts): Counted {
    return new Counted(Sum.exactOf(amounts.in("USD")) + Sum.exactOf(amounts.in("DIEM")));
  }

  /** A price of the list, which either balance pays. */
  static price(usd: Usd): Counted {
    return new Counted(Sum.exactOf(usd));
  }

  /** A limit from the settings, or a text that `digits` wrote. */
  static parse(value: number | string): Counted {
    return new Counted(toExact(value));
  }

  protected override with(amount: Exact): this {
    return new Counted(amount) as this;
  }

  /** As money, for an account that pays in this currency alone: see `unitOf`. */
  in<Currency extends CountedCurrency>(currency: Named<Currency>): MoneyIn<Currency> {
    return new Money(currency as string, this.amount) as unknown as MoneyIn<Currency>;
  }

  /** A limit or a price in this unit. In several currencies it is in USD, as the setting and the list of prices are. */
  shownIn(unit: CountedCurrency | undefined): Usd | Diem {
    return unit === "DIEM" ? this.in("DIEM") : this.in("USD");
  }
}

/** The amounts that a limit counts. */
export function countedPart(amounts: Amounts): Amounts {
  return amounts.where((currency) => countedCurrencies.some((one) => one === currency));
}

/**
 * The currency in which limits and what is left of them are said: that of the spend, and of an account that has spent
 * nothing, the one in which its calls are paid. Undefined if both are spent: then what is left is no amount of either.
 */
export function unitOf(spent: Amounts, paidIn?: CountedCurrency): CountedCurrency | undefined {
  const [only, ...others] = countedCurrencies.filter((currency) => spent.in(currency).sign !== 0);
  return others.length > 0 ? undefined : (only ?? paidIn ?? "USD");
}

/** The currency by the service's name of it; undefined if it uses up no limit. */
export function toCountedCurrency(name: unknown): CountedCurrency | undefined {
  return countedCurrencies.find((currency) => currency === name);
}

/** True if the sum is one of dollars alone, or nothing. */
export function isDollars(amounts: Amounts): boolean {
  return amounts.currencies.every((currency) => currency === "USD");
}
