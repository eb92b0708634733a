import type { UsageRecord } from "../../../api/endpoints/account/billing.ts";
import { nearMs, overdueMs } from "../../../session/spend/spendBook.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { product } from "../../../shared/money/exact.ts";
import { Money, usd } from "../../../shared/money/money.ts";
import type { DayColumns, StringTables } from "./days/dayColumns.ts";
import { productOf } from "./skuProduct.ts";

/** A call of the spend ledger that a record of the bill is of. */
export interface JoinedCall {
  readonly entry: SpentEntry;
  /** A record with a request id names its call. Of another, the time and the sum tell it. */
  readonly by: "requestId" | "timeAndSum";
}

/** The members of a record that tell its call. */
export interface RecordSigns {
  readonly atMs: number;
  readonly requestId: string | undefined;
  readonly sku: string;
  /** Its units at their listed price, whichever balance paid. */
  worth(): Counted;
}

/** The records that are read. Calls near its ends may have records beyond them. */
export interface RecordSpan {
  /** Undefined if it begins with the first record that is put in. */
  readonly fromMs: number | undefined;
  /** The end of the range, or the time of the request if that is earlier. */
  readonly toMs: number;
  /** Time of the request in Unix milliseconds. */
  readonly asOfMs: number;
}

/** A record waits so long for the records after it, in the time of the bill, because they may fit the same call. */
export const joinWaitMs = 2 * nearMs;
/** More records than this are not held back: then none of them is joined by its sum. */
const mostHeld = 20_000;
/**
 * A record that fits more calls than this is of none that can be told. Notebooks make thousands of calls of one sum within
 * minutes, and to hold each with all the others would be gigabytes.
 */
const mostFits = 32;

interface OpenCall {
  readonly entry: SpentEntry;
  readonly worth: Counted;
  /** Records of this sum around its time, without those that name a call. */
  fitting: number;
  /** True if a record names it, so that no other one is its. */
  isNamed: boolean;
  /** True if more records may fit it than are seen. */
  isUnsure: boolean;
}

/** The open calls of one sum, in the order of time. */
class SameSum {
  readonly #calls: readonly OpenCall[];
  /** Those that many records fit, as far as they are marked: each is marked once. */
  #unsure = { from: 0, to: 0 };

  constructor(calls: readonly OpenCall[]) {
    this.#calls = calls;
  }

  /** Those around a time; none if they are too many, which are unsure then. */
  near(atMs: number): readonly OpenCall[] {
    const from = firstFrom(this.#calls, atMs - nearMs);
    const to = firstFrom(this.#calls, atMs + nearMs + 1);
    if (to - from <= mostFits) return this.#calls.slice(from, to);
    const { from: first, to: last } = this.#unsure;
    const isBeside = from <= last && to >= first;
    for (const call of this.#calls.slice(from, isBeside ? Math.max(from, first) : to)) call.isUnsure = true;
    if (isBeside) for (const call of this.#calls.slice(Math.max(from, last), to)) call.isUnsure = true;
    this.#unsure = isBeside ? { from: Math.min(from, first), to: Math.max(to, last) } : { from, to };
    return [];
  }
}

/** The index of the first call from a time on. */
function firstFrom(calls: readonly OpenCall[], atMs: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((calls[middle]?.entry.atMs ?? 0) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

const none: readonly OpenCall[] = [];

interface Held<Item> {
  readonly item: Item;
  readonly atMs: number;
  readonly named: JoinedCall | undefined;
  /** The calls that a record without a request id may be of. */
  readonly fits: readonly OpenCall[];
  readonly sku: string;
}

/**
 * Joins the records of a bill, oldest first, with the calls of this computer's ledger. Records of searches, pages,
 * documents and chain calls have no request id. Such a record is joined only if it is the only one that fits a call by
 * time and sum, and that call the only one that fits it: records of other programs may have the same sum. Items come
 * out in the order in which they were put in, some later: `Item` is a record, or a mark between records.
 */
export class RecordCalls<Item> {
  readonly #byId: ReadonlyMap<string, SpentEntry>;
  readonly #openOf: ReadonlyMap<SpentEntry, OpenCall>;
  /** In the order of time. */
  readonly #open: readonly OpenCall[];
  readonly #bySum: ReadonlyMap<string, SameSum>;
  /** True if no call is joined by its sum any more. */
  #isGivenUp = false;
  readonly #span: RecordSpan;
  readonly #held: Held<Item>[] = [];
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(entries: readonly SpentEntry[], span: RecordSpan) {
    this.#span = span;
    const open = entries.flatMap((entry): OpenCall[] => {
      const worth = entry.cost === undefined ? Counted.zero : Counted.of(entry.cost);
      if (worth.sign <= 0) return [];
      return [{ entry, worth, fitting: 0, isNamed: false, isUnsure: !this.#isSeenAround(entry) }];
    });
    this.#byId = new Map(
      entries.flatMap((entry) => (entry.requestId ? [[entry.requestId, entry] as const] : [])),
    );
    this.#openOf = new Map(open.map((call) => [call.entry, call]));
    this.#open = open.toSorted((a, b) => a.entry.atMs - b.entry.atMs);
    const bySum = Map.groupBy(this.#open, ({ worth }) => worth.digits());
    this.#bySum = new Map([...bySum].map(([sum, calls]) => [sum, new SameSum(calls)]));
  }

  put(item: Item, signs: RecordSigns): void {
    this.#hold(this.#read(item, signs));
  }

  /**
   * As `put`, but an item that is decided, and that no earlier one waits before, is not held: its call is returned. Items
   * that are held live long enough to fill the memory of many records.
   */
  pass(item: Item, signs: RecordSigns): JoinedCall | "none" | "held" {
    const read = this.#read(item, signs);
    if (this.#held.length === 0 && read.fits.length === 0) return read.named ?? "none";
    this.#hold(read);
    return "held";
  }

  #hold(held: Held<Item>): void {
    this.#held.push(held);
    if (this.#held.length > mostHeld) this.#giveUp();
  }

  #read(item: Item, signs: RecordSigns): Held<Item> {
    const { atMs, requestId, sku } = signs;
    if (this.#span.fromMs === undefined && !Number.isFinite(this.#lastMs)) this.#giveUpBefore(atMs);
    // Out of order: what was decided before may have had another record that fits.
    if (atMs < this.#lastMs - joinWaitMs) this.#giveUp();
    this.#lastMs = Math.max(this.#lastMs, atMs);
    const entry = requestId ? this.#byId.get(requestId) : undefined;
    if (!entry) {
      const fits = this.#near(atMs, signs);
      for (const one of fits) one.fitting += 1;
      return { item, atMs, named: undefined, fits: requestId ? none : fits, sku };
    }
    const call = this.#openOf.get(entry);
    if (call) call.isNamed = true;
    // The clocks differ by more than calls and records may.
    if (Math.abs(entry.atMs - atMs) > nearMs) this.#giveUp();
    return { item, atMs, named: { entry, by: "requestId" }, fits: none, sku };
  }

  /** An item that is no record, and stays between the records around it. */
  mark(item: Item): void {
    const atMs = Number.isFinite(this.#lastMs) ? this.#lastMs : Number.NEGATIVE_INFINITY;
    this.#held.push({ item, atMs, named: undefined, fits: [], sku: "" });
  }

  /** The items that are decided; all of them after the last record. */
  *take(isEnd = false): Generator<readonly [item: Item, call: JoinedCall | undefined]> {
    let count = 0;
    try {
      for (const held of this.#held) {
        const isDecided = isEnd || held.fits.length === 0 || held.atMs + joinWaitMs < this.#lastMs;
        if (!isDecided) return;
        count += 1;
        yield [held.item, held.named ?? callOf(held)];
      }
    } finally {
      this.#held.splice(0, count);
    }
  }

  /** The open calls of the record's sum around its time. */
  #near(atMs: number, signs: RecordSigns): readonly OpenCall[] {
    if (this.#isGivenUp) return none;
    const first = this.#open[firstFrom(this.#open, atMs - nearMs)];
    // A sum is worked out only where there is a call to compare it with.
    if (first === undefined || first.entry.atMs > atMs + nearMs) return none;
    return this.#bySum.get(signs.worth().digits())?.near(atMs) ?? none;
  }

  /** True if all records around the time of the call are read, and had the time to arrive. */
  #isSeenAround({ atMs }: SpentEntry): boolean {
    const { fromMs, toMs, asOfMs } = this.#span;
    return (
      (fromMs === undefined || atMs - nearMs >= fromMs) && atMs + nearMs <= Math.min(toMs, asOfMs - overdueMs)
    );
  }

  #giveUp(): void {
    if (this.#isGivenUp) return;
    this.#isGivenUp = true;
    for (const call of this.#open) call.isUnsure = true;
  }

  /** The records before this time are not seen. */
  #giveUpBefore(fromMs: number): void {
    for (const call of this.#open) if (call.entry.atMs - nearMs < fromMs) call.isUnsure = true;
  }
}

function callOf({
  fits,
  sku,
}: {
  readonly fits: readonly OpenCall[];
  readonly sku: string;
}): JoinedCall | undefined {
  const [call, ...others] = fits.filter(({ isNamed }) => !isNamed);
  const isOnly = call !== undefined && others.length === 0 && call.fitting === 1 && !call.isUnsure;
  return isOnly && mayBeOf(sku, call.entry) ? { entry: call.entry, by: "timeAndSum" } : undefined;
}

/** What the name of a product says against a call. Nothing is joined because of a name. */
function mayBeOf(sku: string, { endpoint }: SpentEntry): boolean {
  const { model, part } = productOf(sku);
  if (model.startsWith("augment-")) return endpoint.startsWith("augment.");
  if (model.startsWith("crypto-rpc-")) return endpoint.startsWith("rpc.");
  return part === undefined || endpoint.startsWith("chat.");
}

/** A record as the service returns it. */
export function signsOf(record: UsageRecord): RecordSigns {
  return {
    atMs: Date.parse(record.timestamp),
    requestId: record.inferenceDetails?.requestId || undefined,
    sku: record.sku,
    worth: () => worthOf(record.amount, record.currency, record.pricePerUnitUsd, record.units),
  };
}

/** A record of a loaded day. */
export function signsAt(columns: DayColumns, row: number, words: StringTables): RecordSigns {
  const currency = words.currencies.list[columns.currency[row] ?? -1] ?? "";
  return {
    atMs: columns.atMs[row] ?? 0,
    requestId: columns.requestIds[columns.request[row] ?? 0] || undefined,
    sku: words.skus.list[columns.sku[row] ?? -1] ?? "",
    worth: () =>
      worthOf(columns.amount[row] ?? 0, currency, columns.priceUsd[row] ?? 0, columns.units[row] ?? 0),
  };
}

function worthOf(amount: number, currency: string, priceUsd: number, units: number): Counted {
  if (currency === "USD") return Counted.price(usd(-amount));
  const isKnown = Number.isFinite(priceUsd) && Number.isFinite(units);
  return isKnown ? Counted.price(new Money("USD", product(priceUsd, units))) : Counted.zero;
}
