import type { BillCurrency, LedgerEntry } from "./entry.ts";

/** Entries, oldest first. They need not be in memory. */
export interface Rows {
  readonly size: number;
  at(index: number): LedgerEntry;
  /** `at(index).atMs` and `.currency` without the rest, because they are read more often. */
  timeAt(index: number): number;
  currencyAt(index: number): BillCurrency;
}

/** Entries that a ledger starts with. */
export interface PastRows extends Rows {
  /** The description of a key that the account does not list. */
  describe(keyId: string): string | undefined;
}

interface EntryFilter {
  readonly currency?: BillCurrency | undefined;
  /** Unix time in milliseconds, inclusive. */
  readonly fromMs?: number | undefined;
  /** Unix time in milliseconds, exclusive. */
  readonly toMs?: number | undefined;
}

/** The entries that match a filter, oldest first. */
export interface Selection extends Iterable<LedgerEntry> {
  readonly size: number;
  at(index: number): LedgerEntry;
}

/** All charges, oldest first. Append-only. */
export interface Ledger {
  /** Adds the entries of one request. An entry older than the last one gets the last one's time. */
  append(entries: readonly LedgerEntry[]): void;
  select(filter: EntryFilter): Selection;
}

export const noRows: Rows = {
  size: 0,
  at: missing,
  timeAt: missing,
  currencyAt: missing,
};

/** A ledger that starts with the entries of `history`. */
export function createLedger(history: Rows): Ledger {
  const added: LedgerEntry[] = [];
  const addedAt = (index: number) => added[index - history.size] ?? missing(index);
  const rows: Rows = {
    get size() {
      return history.size + added.length;
    },
    at: (index) => (index < history.size ? history.at(index) : addedAt(index)),
    timeAt: (index) => (index < history.size ? history.timeAt(index) : addedAt(index).atMs),
    currencyAt: (index) => (index < history.size ? history.currencyAt(index) : addedAt(index).currency),
  };
  const byCurrency = createCurrencyIndex(rows);
  return {
    append(entries) {
      const last = rows.size === 0 ? Number.NEGATIVE_INFINITY : rows.timeAt(rows.size - 1);
      for (const entry of entries) added.push(entry.atMs < last ? { ...entry, atMs: last } : entry);
    },
    select({ currency, fromMs, toMs }) {
      const places = currency === undefined ? all(rows) : byCurrency(currency);
      const timeAt = (place: number) => rows.timeAt(places.at(place));
      const start = fromMs === undefined ? 0 : firstNotBefore(fromMs, places.size, timeAt);
      const end = toMs === undefined ? places.size : firstNotBefore(toMs, places.size, timeAt);
      return selection(Math.max(0, end - start), (index) => rows.at(places.at(start + index)));
    },
  };
}

/** Positions of rows. */
interface Places {
  readonly size: number;
  at(place: number): number;
}

function all(rows: Rows): Places {
  return { size: rows.size, at: (place) => place };
}

/** An index of rows by currency, so that a filtered page does not read all rows. */
function createCurrencyIndex(rows: Rows): (currency: BillCurrency) => Places {
  const found = new Map<BillCurrency, number[]>();
  let read = 0;
  return (currency) => {
    for (; read < rows.size; read++) {
      const of = rows.currencyAt(read);
      const list = found.get(of);
      if (list) list.push(read);
      else found.set(of, [read]);
    }
    const list = found.get(currency) ?? [];
    return { size: list.length, at: (place) => list[place] ?? missing(place) };
  };
}

function selection(size: number, at: (index: number) => LedgerEntry): Selection {
  return {
    size,
    at,
    *[Symbol.iterator]() {
      for (let index = 0; index < size; index++) yield at(index);
    },
  };
}

/** Binary search: the first of `size` rising times that is not before `ms`. */
function firstNotBefore(ms: number, size: number, timeAt: (place: number) => number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (timeAt(middle) < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

function missing(index: number): never {
  throw new RangeError(`There is no entry ${index}`);
}
