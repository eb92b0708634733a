import { type Exact, exactText, toExact } from "./exact.ts";

/**
 * Money by the service's name of the currency, without zeros. Two currencies are never added to each other: there is no
 * exchange rate. What a budget counts is in `budgetRule.ts`.
 */
export type Amounts = ReadonlyMap<string, Exact>;

export const nothing: Amounts = new Map();

export function amountIn(currency: string, amount: Exact): Amounts {
  return amount === 0n ? nothing : new Map([[currency, amount]]);
}

export function addAmounts(...all: readonly Amounts[]): Amounts {
  return sumAmounts(all);
}

export function sumAmounts(all: Iterable<Amounts>): Amounts {
  const sums = new Map<string, Exact>();
  for (const amounts of all) addInto(sums, amounts);
  return withoutZeros(sums);
}

/** What `whole` has more than `part` in each currency; a currency in which it has less is left out. */
export function excessOf(whole: Amounts, part: Amounts): Amounts {
  const rest = [...whole].map(
    ([currency, amount]) => [currency, amount - (part.get(currency) ?? 0n)] as const,
  );
  return new Map(rest.filter(([, amount]) => amount > 0n));
}

export function negative(amounts: Amounts): Amounts {
  return new Map([...amounts].map(([currency, amount]) => [currency, -amount]));
}

/** Only these currencies. */
export function onlyIn(amounts: Amounts, currencies: readonly string[]): Amounts {
  return new Map([...amounts].filter(([currency]) => currencies.includes(currency)));
}

/** Decimal texts by currency. */
export type AmountTexts = Readonly<Record<string, string>>;

export function toAmountTexts(amounts: Amounts): AmountTexts {
  return Object.fromEntries([...amounts].map(([currency, amount]) => [currency, exactText(amount)]));
}

const decimal = /^-?\d+(\.\d+)?$/;

/** Undefined if it is not what `toAmountTexts` returns. */
export function fromAmountTexts(texts: unknown): Amounts | undefined {
  if (typeof texts !== "object" || texts === null || Array.isArray(texts)) return undefined;
  const entries = Object.entries(texts);
  if (!entries.every(([, text]) => typeof text === "string" && decimal.test(text))) return undefined;
  return withoutZeros(new Map(entries.map(([currency, text]) => [currency, toExact(String(text))])));
}

function addInto(sums: Map<string, Exact>, amounts: Amounts): void {
  for (const [currency, amount] of amounts) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
}

/** Without the entries that are zero. */
export function withoutZeros(sums: ReadonlyMap<string, Exact>): Amounts {
  return new Map([...sums].filter(([, amount]) => amount !== 0n));
}
