import { splitModelId } from "../api/modelId.ts";
import { dayOf, daysBetween, monthOf } from "../shared/days.ts";
import { type Exact, exactText, toExact } from "../shared/money/exact.ts";
import { type Hold, type Line, parseLine, type SpentEntry, toEntry } from "./spendLines.ts";

/** The members of a billing record that are compared with recorded calls. */
export interface BilledRecord {
  readonly atMs: number;
  readonly requestId: string | undefined;
  readonly usd: Exact;
}

/** Sums of the service's records: USD by UTC day, as of a time. */
export interface Bill {
  /** Time of the request in Unix milliseconds. */
  readonly asOfMs: number;
  readonly days: ReadonlyMap<number, Exact>;
  readonly records: Iterable<BilledRecord>;
}

export interface SpendTotals {
  /** Of the current UTC day and calendar month, in USD. */
  readonly todayUsd: Exact;
  readonly monthUsd: Exact;
  /** The part of the month that was recorded here and is not on the bill yet. */
  readonly unbilledUsd: Exact;
  /** Calls of the month with unknown price. */
  readonly unpriced: number;
  /** True if the bill of each day of the month to date has been read. If not, the account may have spent more. */
  readonly isMonthBilled: boolean;
}

/** Amounts that may be added to the totals: calls in progress, and calls that ended without a price. */
export interface SpendClaims {
  readonly todayUsd: Exact;
  readonly monthUsd: Exact;
}

/** The cost of a task, and the upper bound of its calls that are in progress or ended without a price. */
export interface TaskSpend {
  readonly spentUsd: Exact;
  readonly claimedUsd: Exact;
}

/** The spend of one connection in one month, from recorded calls and from the bill. */
export interface SpendBook {
  /** Applies a journal line of any window. Unknown lines are ignored. */
  take(line: string): void;
  readonly entries: readonly SpentEntry[];
  isBilled(id: string): boolean;
  /** True if a call of this model cost money, under whichever switches in its name. */
  readonly hasCharged: (model: string | undefined) => boolean;
  totals(nowMs: number): SpendTotals;
  /** Of all holds, or of those that were entered before this one. */
  claims(nowMs: number, beforeHold?: string): SpendClaims;
  /**
   * Of one task. Holds count forever, those of closed windows, too: such a call may have been billed. With `beforeHold`,
   * holds that were entered later do not count.
   */
  task(id: string, beforeHold?: string): TaskSpend;
  /** The amount reserved by this hold, until it is settled or released. */
  held(hold: string): Exact | undefined;
  /** The lines that record a bill: its days, and the entries that are on it. */
  linesOfBill(bill: Bill): readonly string[];
}

/** Maximum time between a call and its record if no request id links them. */
const nearMs = 5 * 60_000;
/** After this time an entry that is missing on the bill was not charged. */
const overdueMs = 10 * 60_000;
/**
 * A window with calls in progress sends a heartbeat more often than this. Without one for so long it counts as closed.
 */
export const silentMs = 10 * 60_000;
/** Maximum duration of a call. */
const longestCallMs = 24 * 60 * 60_000;

export function createSpendBook(): SpendBook {
  const entries = new Map<string, SpentEntry>();
  const billed = new Set<string>();
  const days = new Map<number, { readonly asOfMs: number; readonly usd: Exact }>();
  const holds = createHolds();
  const sums = createDaySums();
  const charged = new Set<string>();

  const enter = (entry: SpentEntry) => {
    const before = entries.get(entry.id);
    if (before) sums.remove(before, billed.has(entry.id));
    entries.set(entry.id, entry);
    sums.add(entry, billed.has(entry.id));
    if (entry.model !== undefined && (entry.usd ?? 0n) > 0n) charged.add(splitModelId(entry.model).id);
    holds.close([entry.id]);
  };
  const settle = (id: string) => {
    const entry = entries.get(id);
    if (entry && !billed.has(id)) sums.settle(entry);
    billed.add(id);
  };
  const takeParsed = (line: Line) => {
    switch (line.t) {
      case "spent":
        return enter(toEntry(line));
      case "billed":
        return line.ids.forEach(settle);
      case "held":
        return holds.open({ ...line, usd: toExact(line.usd) });
      case "alive":
        return holds.heartbeat(line.window, line.atMs);
      case "released":
        return holds.close(line.ids);
      case "bill":
        for (const [day, usd] of line.days) {
          if ((days.get(day)?.asOfMs ?? 0) <= line.asOfMs)
            days.set(day, { asOfMs: line.asOfMs, usd: toExact(usd) });
        }
    }
  };
  return {
    take(text) {
      const line = parseLine(text);
      if (line) takeParsed(line);
    },
    get entries() {
      return [...entries.values()];
    },
    isBilled: (id) => billed.has(id),
    hasCharged: (model) => model !== undefined && charged.has(splitModelId(model).id),
    held: holds.usdOf,
    task: (id, beforeHold) => spentOn(id, entries.values(), holds.ofTask(id, beforeHold)),
    claims(nowMs, beforeHold) {
      const held = holds.sum(nowMs, beforeHold);
      const [today, month] = sums.of(nowMs);
      return { todayUsd: held + today.mostUsd, monthUsd: held + month.mostUsd };
    },
    totals(nowMs) {
      const today = dayOf(nowMs);
      const bill = [...days].filter(([day]) => isInMonth(day, nowMs));
      const onBill = bill.reduce((sum, [, { usd }]) => sum + usd, 0n);
      const [mine, month] = sums.of(nowMs);
      return {
        todayUsd: (days.get(today)?.usd ?? 0n) + mine.openUsd,
        monthUsd: onBill + month.openUsd,
        unbilledUsd: month.openUsd,
        unpriced: month.unpriced,
        isMonthBilled: daysBetween(monthOf(nowMs).from, today).every((day) => days.has(day)),
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

function spentOn(task: string, entries: Iterable<SpentEntry>, heldUsd: Exact): TaskSpend {
  let [spentUsd, claimedUsd] = [0n, heldUsd];
  for (const { source, usd, mostUsd = 0n } of entries) {
    if (source?.task !== task) continue;
    if (usd === undefined) claimedUsd += mostUsd;
    else spentUsd += usd;
  }
  return { spentUsd, claimedUsd };
}

/** Money reserved for calls in progress, in the order of reservation. */
function createHolds() {
  const holds = new Map<string, Hold>();
  /** Last heartbeat of each window. */
  const heartbeats = new Map<string, number>();
  const heartbeat = (window: string, atMs: number) =>
    void heartbeats.set(window, Math.max(atMs, heartbeats.get(window) ?? 0));
  const isOpen = ({ window, atMs }: Hold, nowMs: number) =>
    Math.abs(nowMs - (heartbeats.get(window) ?? 0)) < silentMs && nowMs - atMs < longestCallMs;
  const entered = (before: string | undefined): readonly Hold[] => {
    const all = [...holds.values()];
    const end = before === undefined ? -1 : all.findIndex(({ id }) => id === before);
    return end < 0 ? all : all.slice(0, end);
  };
  return {
    open(hold: Hold) {
      heartbeat(hold.window, hold.atMs);
      holds.set(hold.id, hold);
    },
    heartbeat,
    close(ids: readonly string[]) {
      for (const id of ids) holds.delete(id);
    },
    usdOf: (id: string) => holds.get(id)?.usd,
    ofTask: (task: string, before: string | undefined): Exact =>
      sumOfHolds(entered(before).filter((hold) => hold.task === task)),
    /** Of all holds, or of those before this one. */
    sum: (nowMs: number, before: string | undefined): Exact =>
      sumOfHolds(entered(before).filter((hold) => isOpen(hold, nowMs))),
  };
}

function sumOfHolds(holds: readonly Hold[]): Exact {
  return holds.reduce((sum, { usd }) => sum + usd, 0n);
}

/** Recorded calls of a day or a month. */
interface SeenSum {
  /** Entries that are not on the bill yet. */
  openUsd: Exact;
  /** Upper bound of the entries with unknown price that are not on the bill. */
  mostUsd: Exact;
  /** Calls with unknown price. */
  unpriced: number;
}

/** Sums by day, so that the cost of a total does not grow with the number of entries. */
function createDaySums() {
  const days = new Map<number, SeenSum>();
  const dayAt = (atMs: number): SeenSum => {
    const day = dayOf(atMs);
    const sum = days.get(day) ?? { openUsd: 0n, mostUsd: 0n, unpriced: 0 };
    days.set(day, sum);
    return sum;
  };
  const addOpen = ({ atMs, usd, mostUsd }: SpentEntry, sign: 1n | -1n) => {
    const sum = dayAt(atMs);
    sum.openUsd += sign * (usd ?? 0n);
    if (usd === undefined) sum.mostUsd += sign * (mostUsd ?? 0n);
  };
  const count = ({ atMs, usd }: SpentEntry, change: 1 | -1) => {
    if (usd === undefined) dayAt(atMs).unpriced += change;
  };
  return {
    add(entry: SpentEntry, isBilled: boolean) {
      count(entry, 1);
      if (!isBilled) addOpen(entry, 1n);
    },
    remove(entry: SpentEntry, isBilled: boolean) {
      count(entry, -1);
      if (!isBilled) addOpen(entry, -1n);
    },
    /** The entry is on the bill from now on. */
    settle: (entry: SpentEntry) => addOpen(entry, -1n),
    of(nowMs: number): readonly [today: SeenSum, month: SeenSum] {
      const none: SeenSum = { openUsd: 0n, mostUsd: 0n, unpriced: 0 };
      const month = [...days]
        .filter(([day]) => isInMonth(day, nowMs))
        .reduce(
          (sum, [, one]) => ({
            openUsd: sum.openUsd + one.openUsd,
            mostUsd: sum.mostUsd + one.mostUsd,
            unpriced: sum.unpriced + one.unpriced,
          }),
          none,
        );
      return [days.get(dayOf(nowMs)) ?? none, month];
    },
  };
}

function isInMonth(day: number, nowMs: number): boolean {
  const { from, to } = monthOf(nowMs);
  return day >= from && day < to;
}

/** Ids of the entries that are on the bill, so that nothing is counted twice. */
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
  // Records without a request id are matched by amount and time, each to one entry.
  const takes = ({ atMs, usd }: SpentEntry) => {
    const index = nameless.findIndex(
      (record) => record.usd === usd && Math.abs(record.atMs - atMs) <= nearMs,
    );
    if (index >= 0) nameless.splice(index, 1);
    return index >= 0;
  };
  const isNamed = ({ requestId }: SpentEntry) => requestId !== undefined && requestIds.has(requestId);
  // An entry that an earlier bill settled keeps its record.
  for (const entry of before) if (!isNamed(entry)) takes(entry);
  return open
    .filter((entry) => isNamed(entry) || takes(entry) || entry.atMs < asOfMs - overdueMs)
    .map(({ id }) => id);
}
