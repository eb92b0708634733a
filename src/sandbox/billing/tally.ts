import { type Nano, plus } from "./decimal.ts";
import type { Entry, Part, Product } from "./entry.ts";

/** What was spent, as a positive amount. Legacy and bundled currencies count as units only: analytics name none of them. */
export interface Spend {
  readonly usd: Nano;
  readonly diem: Nano;
  readonly units: number;
}

export const noSpend: Spend = { usd: 0, diem: 0, units: 0 };

export function spendOf({ currency, amount, units }: Entry): Spend {
  return {
    usd: currency === "USD" ? 0 - amount : 0,
    diem: currency === "DIEM" ? 0 - amount : 0,
    units,
  };
}

export function sumOf(a: Spend, b: Spend): Spend {
  return { usd: plus(a.usd, b.usd), diem: plus(a.diem, b.diem), units: a.units + b.units };
}

/** Both currencies at par, which is how the service prices them. */
export function totalOf({ usd, diem }: Spend): Nano {
  return plus(usd, diem);
}

/** Sums by some name. */
export type Tally<Name> = Map<Name, Spend>;

export function count<Name>(tally: Tally<Name>, name: Name, spend: Spend): void {
  tally.set(name, sumOf(tally.get(name) ?? noSpend, spend));
}

/** All that one model or one key came to. */
export interface Account<Name> {
  readonly name: Name;
  total: Spend;
  readonly byDay: Tally<number>;
}

export interface ModelAccount extends Account<string> {
  readonly product: Product;
  readonly byPart: Tally<Part>;
}

export interface Tallies {
  /** UTC day → sums. */
  readonly days: Tally<number>;
  readonly models: readonly ModelAccount[];
  readonly keys: readonly Account<string | null>[];
}

/** Reads entries once and sums them by day, model and key; models and keys by total spend, highest first. */
export function tallyOf(entries: Iterable<Entry>, dayOfEntry: (entry: Entry) => number): Tallies {
  const days: Tally<number> = new Map();
  const models = new Map<string, ModelAccount>();
  const keys = new Map<string | null, Account<string | null>>();
  for (const entry of entries) {
    const { product, part, keyId } = entry;
    const spend = spendOf(entry);
    const day = dayOfEntry(entry);
    count(days, day, spend);
    const model = lookUp(models, product.model, (name) => ({ ...opened(name), product, byPart: new Map() }));
    enter(model, day, spend);
    if (part) count(model.byPart, part, spend);
    enter(lookUp(keys, keyId, opened), day, spend);
  }
  return { days, models: ranked(models), keys: ranked(keys) };
}

function opened<Name>(name: Name): Account<Name> {
  return { name, total: noSpend, byDay: new Map() };
}

function enter<Name>(account: Account<Name>, day: number, spend: Spend): void {
  account.total = sumOf(account.total, spend);
  count(account.byDay, day, spend);
}

function lookUp<Name, Value>(values: Map<Name, Value>, name: Name, make: (name: Name) => Value): Value {
  const known = values.get(name);
  if (known) return known;
  const made = make(name);
  values.set(name, made);
  return made;
}

function ranked<Item extends Account<unknown>>(accounts: Map<unknown, Item>): Item[] {
  return [...accounts.values()].sort(
    (a, b) => totalOf(b.total) - totalOf(a.total) || (String(a.name) < String(b.name) ? -1 : 1),
  );
}
