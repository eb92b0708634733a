import { type Exact, exactText, toExact, withoutZeros } from "./exact.ts";
import { type AnyMoney, Money, type MoneyIn, type Named, Sum } from "./money.ts";

/**
 * Money by the service's name of the currency, without zeros. Two currencies are never added to each other: there is no
 * exchange rate. What a budget counts is in `budgetRule.ts`.
 */
export class Amounts implements Iterable<AnyMoney> {
  /** Not `#private`, so that a test's `deepEqual` compares it. */
  private readonly sums: ReadonlyMap<string, Exact>;

  private constructor(sums: ReadonlyMap<string, Exact>) {
    this.sums = sums;
  }

  static readonly nothing = new Amounts(new Map());

  /** From a tally by currency. */
  static of(sums: ReadonlyMap<string, Exact>): Amounts {
    for (const amount of sums.values()) if (amount === 0n) return new Amounts(withoutZeros(sums));
    return sums.size === 0 ? Amounts.nothing : new Amounts(sums);
  }

  static sum(all: Iterable<Amounts>): Amounts {
    const sums = new Map<string, Exact>();
    for (const amounts of all) addInto(sums, amounts.sums);
    return Amounts.of(sums);
  }

  /** The number of currencies. */
  get size(): number {
    return this.sums.size;
  }

  get currencies(): readonly string[] {
    return [...this.sums.keys()];
  }

  *[Symbol.iterator](): Iterator<AnyMoney> {
    for (const [currency, amount] of this.sums) yield new Money(currency, amount);
  }

  /** The amount in one currency, which may be zero. */
  in<Currency extends string>(currency: Named<Currency>): MoneyIn<Currency> {
    return new Money(currency as string, this.sums.get(currency) ?? 0n) as unknown as MoneyIn<Currency>;
  }

  plus(other: Amounts): Amounts {
    return Amounts.sum([this, other]);
  }

  negated(): Amounts {
    return this.#mapped((amount) => -amount);
  }

  /** Each amount times a fraction of integers, rounded towards zero. */
  scaled(times: number | bigint, dividedBy: number | bigint): Amounts {
    return this.#mapped((amount) => (amount * BigInt(times)) / BigInt(dividedBy));
  }

  /** Only the currencies that are wanted. */
  where(isWanted: (currency: string) => boolean): Amounts {
    return new Amounts(new Map([...this.sums].filter(([currency]) => isWanted(currency))));
  }

  /** What it has more than `part` in each currency; a currency in which it has less is left out. */
  excessOver(part: Amounts): Amounts {
    const rest = [...this.sums].map(
      ([currency, amount]) => [currency, amount - (part.sums.get(currency) ?? 0n)] as const,
    );
    return new Amounts(new Map(rest.filter(([, amount]) => amount > 0n)));
  }

  equals(other: Amounts): boolean {
    if (this.size !== other.size) return false;
    return [...this.sums].every(([currency, amount]) => other.sums.get(currency) === amount);
  }

  toTexts(): AmountTexts {
    return Object.fromEntries([...this.sums].map(([currency, amount]) => [currency, exactText(amount)]));
  }

  #mapped(change: (amount: Exact) => Exact): Amounts {
    return Amounts.of(new Map([...this.sums].map(([currency, amount]) => [currency, change(amount)])));
  }
}

export const { nothing } = Amounts;

export function amountsOf<Currency extends string>(money: Money<Currency>): Amounts {
  return Amounts.of(new Map([[money.currency, Sum.exactOf(money)]]));
}

/** An amount in a currency that is only known when it runs: decimal text or number. */
export function amountIn(currency: string, value: number | string): Amounts {
  return Amounts.of(new Map([[currency, toExact(value)]]));
}

/** Decimal texts by currency. */
export type AmountTexts = Readonly<Record<string, string>>;

const decimal = /^-?\d+(\.\d+)?$/;

/** Undefined if it is not what `toTexts` returns. */
export function fromAmountTexts(texts: unknown): Amounts | undefined {
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return undefined;
  const entries = Object.entries(texts);
  if (!entries.every(([, text]) => typeof text === "string" && decimal.test(text))) return undefined;
  return Amounts.of(new Map(entries.map(([currency, text]) => [currency, toExact(String(text))])));
}

function addInto(sums: Map<string, Exact>, amounts: ReadonlyMap<string, Exact>): void {
  for (const [currency, amount] of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
}
