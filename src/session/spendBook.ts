import { dayOf, monthOf } from "../shared/days.ts";
import { type Exact, exactText, toExact } from "../shared/money/exact.ts";

/** A billable call of this extension, as it was seen to be charged. */
export interface SpentEntry {
  readonly id: string;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** `resource.call`. */
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  /** What it is worth in USD, whichever purse pays; undefined where no price is known. */
  readonly usd: Exact | undefined;
}

/** A record of the bill, as far as it is compared with what was seen. */
export interface BilledRecord {
  readonly atMs: number;
  readonly requestId: string | undefined;
  readonly usd: Exact;
}

/** What the service's records say: the worth in USD of whole UTC days, as of a time. */
export interface Bill {
  /** When it was asked for: Unix milliseconds. */
  readonly asOfMs: number;
  readonly days: ReadonlyMap<number, Exact>;
  readonly records: Iterable<BilledRecord>;
}

export interface SpendTotals {
  /** Of the UTC day and of the calendar month of now; in USD worth. */
  readonly todayUsd: Exact;
  readonly monthUsd: Exact;
  /** The part of the month that was seen here and is not on a bill yet. */
  readonly unbilledUsd: Exact;
  /** Calls of the month whose price is not known. */
  readonly unpriced: number;
  /** When the bill was last read; undefined where it never was, and this extension's own calls are all that is known. */
  readonly billedAsOfMs: number | undefined;
}

/** Everything known of one connection's spending in one month: what was seen here, and what the bill says. */
export interface SpendBook {
  /** Takes a line that this or another window wrote; one that is not understood changes nothing. */
  take(line: string): void;
  readonly entries: readonly SpentEntry[];
  isBilled(id: string): boolean;
  totals(nowMs: number): SpendTotals;
  /** The lines that enter a bill: its days, and which of the entries are on it. */
  linesOfBill(bill: Bill): readonly string[];
}

/** How far the times of a call and of its record may lie apart where no request id joins them. */
const nearMs = 5 * 60_000;
/** After so long what is not on the bill will not come: the service did not charge it. */
const overdueMs = 10 * 60_000;

export function createSpendBook(): SpendBook {
  const entries = new Map<string, SpentEntry>();
  const billed = new Set<string>();
  const days = new Map<number, { readonly asOfMs: number; readonly usd: Exact }>();

  const takeParsed = (line: Line) => {
    if (line.t === "spent") entries.set(line.id, toEntry(line));
    if (line.t === "billed") for (const id of line.ids) billed.add(id);
    if (line.t !== "bill") return;
    for (const [day, usd] of line.days) {
      if ((days.get(day)?.asOfMs ?? 0) <= line.asOfMs)
        days.set(day, { asOfMs: line.asOfMs, usd: toExact(usd) });
    }
  };
  return {
    take(text) {
      const line = parsed(text);
      if (line) takeParsed(line);
    },
    get entries() {
      return [...entries.values()];
    },
    isBilled: (id) => billed.has(id),
    totals(nowMs) {
      const today = dayOf(nowMs);
      const month = monthOf(nowMs);
      const inMonth = (day: number) => day >= month.from && day < month.to;
      const mine = [...entries.values()].filter(({ atMs }) => inMonth(dayOf(atMs)));
      const open = mine.filter(({ id }) => !billed.has(id));
      const worth = (list: readonly SpentEntry[]) => list.reduce((sum, { usd }) => sum + (usd ?? 0n), 0n);
      const bill = [...days].filter(([day]) => inMonth(day));
      const onBill = bill.reduce((sum, [, { usd }]) => sum + usd, 0n);
      const unbilledUsd = worth(open);
      return {
        todayUsd: (days.get(today)?.usd ?? 0n) + worth(open.filter(({ atMs }) => dayOf(atMs) === today)),
        monthUsd: onBill + unbilledUsd,
        unbilledUsd,
        unpriced: mine.filter(({ usd }) => usd === undefined).length,
        billedAsOfMs: bill.length === 0 ? undefined : Math.max(...bill.map(([, { asOfMs }]) => asOfMs)),
      };
    },
    linesOfBill({ asOfMs, days: billDays, records }) {
      const covers = ({ atMs }: SpentEntry) => billDays.has(dayOf(atMs));
      const covered = [...entries.values()].filter(covers);
      const [before, open] = [true, false].map((is) => covered.filter(({ id }) => billed.has(id) === is));
      const ids = matched({ before: before ?? [], open: open ?? [] }, records, asOfMs);
      const all: Line[] = [
        ...(ids.length > 0 ? [{ t: "billed" as const, ids }] : []),
        { t: "bill", asOfMs, days: [...billDays].map(([day, usd]) => [day, exactText(usd)]) },
      ];
      return all.map((line) => JSON.stringify(line));
    },
  };
}

/** Ids of the entries that a bill already holds, so that nothing is counted twice. */
function matched(
  { before, open }: { readonly before: readonly SpentEntry[]; readonly open: readonly SpentEntry[] },
  records: Iterable<BilledRecord>,
  asOfMs: number,
): string[] {
  const requestIds = new Set<string>();
  const nameless: BilledRecord[] = [];
  for (const record of records) {
    if (record.requestId) requestIds.add(record.requestId);
    else nameless.push(record);
  }
  // Records that name no request are taken by amount and time, each by one entry.
  const takes = ({ atMs, usd }: SpentEntry) => {
    const index = nameless.findIndex(
      (record) => record.usd === usd && Math.abs(record.atMs - atMs) <= nearMs,
    );
    if (index >= 0) nameless.splice(index, 1);
    return index >= 0;
  };
  const isNamed = ({ requestId }: SpentEntry) => requestId !== undefined && requestIds.has(requestId);
  // What an earlier bill settled keeps its record.
  for (const entry of before) if (!isNamed(entry)) takes(entry);
  return open
    .filter((entry) => isNamed(entry) || takes(entry) || entry.atMs < asOfMs - overdueMs)
    .map(({ id }) => id);
}

interface SpentLine {
  readonly t: "spent";
  readonly id: string;
  readonly atMs: number;
  readonly endpoint: string;
  readonly model?: string;
  readonly requestId?: string;
  readonly usd?: string;
}
type Line =
  | SpentLine
  | { readonly t: "billed"; readonly ids: readonly string[] }
  | { readonly t: "bill"; readonly asOfMs: number; readonly days: readonly (readonly [number, string])[] };

export function lineOfEntry({ usd, ...entry }: SpentEntry): string {
  const line: SpentLine = { t: "spent", ...entry, ...(usd === undefined ? {} : { usd: exactText(usd) }) };
  return JSON.stringify(line);
}

function toEntry({ t: _, usd, ...entry }: SpentLine): SpentEntry {
  return { ...entry, usd: usd === undefined ? undefined : toExact(usd) };
}

const decimal = /^-?\d+(\.\d+)?$/;

function parsed(text: string): Line | undefined {
  try {
    const line = JSON.parse(text) as Line;
    return isLine(line) ? line : undefined;
  } catch {
    // Another version's line, or one that a crash cut short.
    return undefined;
  }
}

function isLine(line: Line): boolean {
  switch (line?.t) {
    case "spent": {
      const { id, atMs, endpoint, usd } = line;
      const isPriced = usd === undefined || decimal.test(usd);
      return typeof id === "string" && typeof atMs === "number" && typeof endpoint === "string" && isPriced;
    }
    case "billed":
      return Array.isArray(line.ids);
    case "bill":
      return typeof line.asOfMs === "number" && Array.isArray(line.days) && line.days.every(isDay);
    default:
      return false;
  }
}

function isDay(value: unknown): boolean {
  return Array.isArray(value) && typeof value[0] === "number" && decimal.test(String(value[1]));
}
