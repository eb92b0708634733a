import { addNano, type Nano } from "../ledger/decimal.ts";
import type { LedgerEntry, Product, UsagePart } from "../ledger/entry.ts";

/** Spent amounts, positive. Legacy and bundled currencies only count as units, because analytics do not list them. */
export interface TalliedSpend {
  readonly usd: Nano;
  readonly diem: Nano;
  readonly units: number;
}

export const noSpend: TalliedSpend = { usd: 0, diem: 0, units: 0 };

function spendOf({ currency, amount, units }: LedgerEntry): TalliedSpend {
  return {
    usd: currency === "USD" ? 0 - amount : 0,
    diem: currency === "DIEM" ? 0 - amount : 0,
    units,
  };
}

export function addSpend(a: TalliedSpend, b: TalliedSpend): TalliedSpend {
  return { usd: addNano(a.usd, b.usd), diem: addNano(a.diem, b.diem), units: a.units + b.units };
}

/** Sum of both currencies. The service prices them at par. */
function totalOf({ usd, diem }: TalliedSpend): Nano {
  return addNano(usd, diem);
}

/** Sums by name. */
export type Tally<Name> = Map<Name, TalliedSpend>;

function count<Name>(tally: Tally<Name>, name: Name, spend: TalliedSpend): void {
  tally.set(name, addSpend(tally.get(name) ?? noSpend, spend));
}

/** The usage of one model or one key. */
export interface NamedTotal<Name> {
  readonly name: Name;
  total: TalliedSpend;
  readonly byDay: Tally<number>;
}

export interface ModelAccount extends NamedTotal<string> {
  readonly product: Product;
  readonly byPart: Tally<UsagePart>;
}

export interface Tallies {
  /** UTC day → sums. */
  readonly days: Tally<number>;
  readonly models: readonly ModelAccount[];
  readonly keys: readonly NamedTotal<string | null>[];
}

/** Sums entries by day, model and key in one pass. Models and keys are sorted by spending, highest first. */
export function tallyOf(entries: Iterable<LedgerEntry>, dayOfEntry: (entry: LedgerEntry) => number): Tallies {
  const days: Tally<number> = new Map();
  const models = new Map<string, ModelAccount>();
  const keys = new Map<string | null, NamedTotal<string | null>>();
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

function opened<Name>(name: Name): NamedTotal<Name> {
  return { name, total: noSpend, byDay: new Map() };
}

function enter<Name>(account: NamedTotal<Name>, day: number, spend: TalliedSpend): void {
  account.total = addSpend(account.total, spend);
  count(account.byDay, day, spend);
}

function lookUp<Name, Value>(values: Map<Name, Value>, name: Name, make: (name: Name) => Value): Value {
  const known = values.get(name);
  if (known) return known;
  const made = make(name);
  values.set(name, made);
  return made;
}

function ranked<Item extends NamedTotal<unknown>>(accounts: Map<unknown, Item>): Item[] {
  return [...accounts.values()].sort(
    (a, b) => totalOf(b.total) - totalOf(a.total) || (String(a.name) < String(b.name) ? -1 : 1),
  );
}
