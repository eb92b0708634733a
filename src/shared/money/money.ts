import { type Exact, exactText, fixedText, toExact, toNumber } from "./exact.ts";

/**
 * An amount of one unit. Two sums of one class and unit can be added and compared, any others don't compile. It has no
 * value that an operator could use: `a + b` doesn't compile, `a < b` throws.
 */
export abstract class Sum<in out Unit extends string> {
  /** Makes sums of two units two types. It does not exist. */
  declare protected readonly unit: Unit;
  /** Not `#private`, so that a test's `deepEqual` compares it. */
  protected readonly amount: Exact;

  constructor(amount: Exact) {
    this.amount = amount;
  }

  /** The bare number, for the arithmetic of this folder alone: two of them can be added, whatever their units are. */
  static exactOf<Unit extends string>(sum: Sum<Unit>): Exact {
    return sum.amount;
  }

  protected abstract with(amount: Exact): this;

  plus(other: this): this {
    return this.with(this.amount + other.amount);
  }

  plusAll(others: Iterable<this>): this {
    let sum = this.amount;
    for (const { amount } of others) sum += amount;
    return this.with(sum);
  }

  minus(other: this): this {
    return this.with(this.amount - other.amount);
  }

  negated(): this {
    return this.with(-this.amount);
  }

  /** Times a fraction of integers, rounded towards zero. */
  scaled(times: number | bigint, dividedBy: number | bigint = 1n): this {
    return this.with((this.amount * BigInt(times)) / BigInt(dividedBy));
  }

  get sign(): -1 | 0 | 1 {
    return signOf(this.amount);
  }

  /** For `sort`: negative if it is the smaller one. */
  compare(other: this): -1 | 0 | 1 {
    return signOf(this.amount - other.amount);
  }

  exceeds(other: this): boolean {
    return this.amount > other.amount;
  }

  /** The part of a whole as a number from 0; 0 if the whole is not positive. For bars. */
  shareOf(whole: this): number {
    return whole.amount > 0n ? toNumber((this.amount * 10n ** 18n) / whole.amount) : 0;
  }

  /** Whole percents of a positive sum, rounded down. */
  percentOf(whole: this): bigint {
    return (this.amount * 100n) / whole.amount;
  }

  /** All significant digits, as files and pages get them: `-0.0000125`. */
  digits(): string {
    return exactText(this.amount);
  }

  /** A fixed number of decimal places, rounded half away from zero. */
  fixed(places: number): string {
    return fixedText(this.amount, places);
  }

  /** The nearest float, for bars and axes. Never sum these. */
  toNumber(): number {
    return toNumber(this.amount);
  }

  [Symbol.toPrimitive](): never {
    throw new TypeError("An amount has no value of its own. Use its methods.");
  }
}

/** What can be shown of money in whichever currency. It can't be added to anything. */
export interface AnyMoney {
  readonly currency: string;
  readonly sign: -1 | 0 | 1;
  digits(): string;
  fixed(places: number): string;
}

/** Money in one currency, by the service's name of it. */
export class Money<in out Currency extends string> extends Sum<Currency> implements AnyMoney {
  readonly currency: Currency;

  /** For a tally. Prefer `moneyIn`. */
  constructor(currency: Currency, amount: Exact) {
    super(amount);
    this.currency = currency;
  }

  protected override with(amount: Exact): this {
    return new Money(this.currency, amount) as this;
  }

  /** Itself, if it is in this currency: for money whose currency is only known when it runs. */
  as<Wanted extends string>(currency: Named<Wanted>): Money<Wanted> | undefined {
    return (this.currency as string) === currency ? (this as unknown as Money<Wanted>) : undefined;
  }
}

export type Usd = Money<"USD">;
export type Diem = Money<"DIEM">;

/**
 * A currency that is known when it compiles, or that has a type of its own. Sums of any text would be of one type, and so
 * could be added to each other.
 */
export type Named<Currency extends string> = string extends Currency ? never : Currency;

/** A currency that is chosen when it runs, once for all sums that are added or compared. */
export type RuntimeCurrency = string & { readonly isChosen: unique symbol };

export function toRuntimeCurrency(currency: string): RuntimeCurrency {
  return currency as RuntimeCurrency;
}

/** Of `"USD" | "DIEM"` it is money in either, not in a currency of both. */
export type MoneyIn<Currency extends string> = Currency extends string ? Money<Currency> : never;

/** Parses a decimal text or a JavaScript number. */
export function moneyIn<Currency extends string>(
  currency: Named<Currency>,
  value: number | string,
): MoneyIn<Currency> {
  return new Money(currency as string, toExact(value)) as unknown as MoneyIn<Currency>;
}

/** An amount that was computed with floats, whose products and sums have errors after the twelfth digit. */
export function computedIn<Currency extends string>(
  currency: Named<Currency>,
  value: number,
): MoneyIn<Currency> {
  return moneyIn(currency, Number(value.toPrecision(12)));
}

export const usd = (value: number | string): Usd => moneyIn("USD", value);
export const diem = (value: number | string): Diem => moneyIn("DIEM", value);

function signOf(amount: Exact): -1 | 0 | 1 {
  if (amount === 0n) return 0;
  return amount > 0n ? 1 : -1;
}
