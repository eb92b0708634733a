import { splitModelId } from "../../shared/chat/modelId.ts";
import { optionalMember } from "../../shared/members.ts";
import {
  Amounts,
  type AmountTexts,
  amountsOf,
  fromAmountTexts,
  nothing,
} from "../../shared/money/amounts.ts";
import { Counted, type CountedCurrency, toCountedCurrency } from "../../shared/money/budgetRule.ts";
import type { BudgetScope } from "../../shared/money/scopedBudget.ts";
import { dayOf, daysBetween, monthOf } from "../../shared/time/days.ts";
import { type ScopeSum, ScopeSums } from "./scopes/scopeSums.ts";
import { isInScope } from "./scopes/spendTags.ts";
import { type Hold, type Line, parseLine, type SpentEntry, toEntry, toHold } from "./spendLines.ts";

/** The members of a billing record that are compared with recorded calls. */
export interface BilledRecord {
  readonly atMs: number;
  readonly requestId: string | undefined;
  /** Its units at their listed price, whichever balance paid. Read only of a record without a request id. */
  readonly worth: Counted;
  /** What was paid, positive. Read only of records of recorded calls. */
  paid(): Amounts;
}

/** Sums of the service's records by UTC day, as of a time. */
export interface Bill {
  /** Time of the request in Unix milliseconds. */
  readonly asOfMs: number;
  readonly days: ReadonlyMap<number, Amounts>;
  readonly records: Iterable<BilledRecord>;
}

export interface SpendTotals {
  /** Of the current UTC day and calendar month: the last bill, and what was recorded here and is not on it yet. */
  readonly today: Amounts;
  readonly month: Amounts;
  /** The part of the month that was recorded here and is not on the bill yet. */
  readonly unbilled: Amounts;
  /** Calls of the month with unknown price. */
  readonly unpriced: number;
  /** The currency in which calls are paid now; absent if the service does not say, or it uses up no limit. */
  readonly paidIn?: CountedCurrency;
  /** True if today's bill has been read. If not, the account may have spent more. */
  readonly isTodayBilled: boolean;
  /** True if the bill of each day of the month to date has been read. */
  readonly isMonthBilled: boolean;
}

/** Amounts that may be added to the totals: calls in progress, and calls that ended without a price. */
export interface SpendClaims {
  readonly today: Counted;
  readonly month: Counted;
}

/** The recorded calls of a scope, and what may be added to them. */
export interface ScopeSpend {
  readonly today: ScopeSum;
  readonly month: ScopeSum;
  readonly claims: SpendClaims;
}

/** The cost of a task, and the upper bound of its calls that are in progress or ended without a price. */
export interface TaskSpend {
  /** At the price when each call ended. The bill changes nothing, so that a cap holds whichever balance pays. */
  readonly spent: Amounts;
  readonly claimed: Counted;
  /** The part of the subagent that makes the call. */
  readonly ofSubagent?: Pick<TaskSpend, "spent" | "claimed">;
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
   * Of the calls of a scope; `beforeHold` as in `claims`. After the first time for a scope, the time does not grow with the
   * number of entries.
   */
  scope(per: BudgetScope, nowMs: number, beforeHold?: string): ScopeSpend;
  /** What was spent on a UTC day: in all as `totals` counts it, or by the calls of a scope. */
  spentOn(day: number, per: BudgetScope | undefined): Amounts;
  /**
   * Of one task, or of one subagent by its id. Holds count forever, those of closed windows, too: such a call may have been
   * billed. With `beforeHold`, holds that were entered later do not count.
   */
  task(id: string, beforeHold?: string): TaskSpend;
  /** The hold with this id, until it is settled or released. */
  held(hold: string): Hold | undefined;
  /** The lines that record a bill: its days, and the entries that are on it. */
  linesOfBill(bill: Bill): readonly string[];
}

/** Maximum time between a call and its record if no request id links them. */
export const nearMs = 5 * 60_000;
/** After this time an entry that is missing on the bill was not charged. */
export const overdueMs = 10 * 60_000;
/**
 * A window with calls in progress sends a heartbeat more often than this. Without one for so long it counts as closed.
 */
export const silentMs = 10 * 60_000;
/** Maximum duration of a call. */
const longestCallMs = 24 * 60 * 60_000;

export function createSpendBook(): SpendBook {
  const { entries, billed, charged, sums, scopes, tasks, enter, settle, takePaidIn } = createCalls();
  const days = createBillDays();
  const holds = createHolds();
  let paidIn: CountedCurrency | undefined;
  const takeParsed = (line: Line) => {
    switch (line.t) {
      case "spent":
        enter(toEntry(line));
        return holds.close([line.id]);
      case "onBill":
        for (const [id, paid] of line.entries) settle(id, fromAmountTexts(paid));
        return;
      case "held":
        return holds.open(toHold(line));
      case "alive":
        return holds.heartbeat(line.window, line.atMs);
      case "released":
        return holds.close(line.ids);
      case "paidIn":
        paidIn = toCountedCurrency(line.currency);
        return takePaidIn(paidIn);
      case "billDays":
        return days.take(line);
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
    held: holds.get,
    task(id, beforeHold) {
      const { spent, claimed } = tasks.get(id) ?? nothingSpent;
      return { spent, claimed: claimed.plus(holds.ofTask(id, beforeHold)) };
    },
    scope(per, nowMs, beforeHold) {
      const held = holds.sum(nowMs, beforeHold, per);
      const { today, month } = scopes.of(per, nowMs);
      const claims = { today: held.plus(today.most), month: held.plus(month.most) };
      return { today, month, claims };
    },
    spentOn: (day, per) =>
      per ? (scopes.days(per).get(day)?.spent ?? nothing) : days.of(day).plus(sums.openOn(day)),
    claims(nowMs, beforeHold) {
      const held = holds.sum(nowMs, beforeHold);
      const [today, month] = sums.of(nowMs);
      return { today: held.plus(today.most), month: held.plus(month.most) };
    },
    totals(nowMs) {
      const today = dayOf(nowMs);
      const [mine, month] = sums.of(nowMs);
      return {
        today: days.of(today).plus(mine.open),
        month: days.ofMonth(nowMs).plus(month.open),
        unbilled: month.open,
        unpriced: month.unpriced,
        ...optionalMember("paidIn", paidIn),
        isTodayBilled: days.has(today),
        isMonthBilled: daysBetween(monthOf(nowMs).from, today).every((day) => days.has(day)),
      };
    },
    linesOfBill: (bill) => linesOfBill(bill, [...entries.values()], (id) => billed.has(id)),
  };
}

function linesOfBill(
  { asOfMs, days, records }: Bill,
  entries: readonly SpentEntry[],
  isBilled: (id: string) => boolean,
): readonly string[] {
  const covered = entries.filter(({ atMs }) => days.has(dayOf(atMs)));
  const before = covered.filter(({ id }) => isBilled(id));
  const found = matched({ before, open: covered.filter(({ id }) => !isBilled(id)) }, records, asOfMs);
  const all: Line[] = [
    ...(found.length > 0 ? [{ t: "onBill" as const, entries: found.map(toOnBill) }] : []),
    { t: "billDays", asOfMs, days: [...days].map(([day, paid]) => [day, paid.toTexts()]) },
  ];
  return all.map((line) => JSON.stringify(line));
}

/** What the newest bill of each day says. */
function createBillDays() {
  const days = new Map<number, { readonly asOfMs: number; readonly paid: Amounts }>();
  return {
    take({ asOfMs, days: told }: Extract<Line, { readonly t: "billDays" }>) {
      for (const [day, texts] of told) {
        const paid = fromAmountTexts(texts);
        if (paid && (days.get(day)?.asOfMs ?? 0) <= asOfMs) days.set(day, { asOfMs, paid });
      }
    },
    has: (day: number) => days.has(day),
    of: (day: number): Amounts => days.get(day)?.paid ?? nothing,
    ofMonth: (nowMs: number): Amounts =>
      Amounts.sum([...days].filter(([day]) => isInMonth(day, nowMs)).map(([, { paid }]) => paid)),
  };
}

/** The recorded calls, and their sums. */
function createCalls() {
  const entries = new Map<string, SpentEntry>();
  const billed = new Set<string>();
  /** The models of which a call cost money. */
  const charged = new Set<string>();
  const tasks = new Map<string, TaskSpend>();
  const sums = createDaySums();
  const scopes = new ScopeSums(
    () => entries.values(),
    (id) => billed.has(id),
  );
  const remove = (entry: SpentEntry) => {
    sums.remove(entry, billed.has(entry.id));
    scopes.remove(entry);
  };
  const add = (entry: SpentEntry) => {
    entries.set(entry.id, entry);
    sums.add(entry, billed.has(entry.id));
    scopes.add(entry);
  };
  const replace = (before: SpentEntry | undefined, entry: SpentEntry) => {
    if (before) {
      remove(before);
      addToTask(tasks, before, -1);
    }
    add(entry);
    addToTask(tasks, entry, 1);
  };
  let unit: CountedCurrency | undefined;
  return {
    ...{ entries, billed, charged, sums, scopes, tasks },
    enter(entered: SpentEntry) {
      const before = entries.get(entered.id);
      const entry = inUnit(before?.paid ? { ...entered, paid: before.paid } : entered, unit);
      replace(before, entry);
      if (entry.model !== undefined && entry.cost && Counted.of(entry.cost).sign > 0)
        charged.add(splitModelId(entry.model).id);
    },
    settle(id: string, paid: Amounts | undefined) {
      const entry = entries.get(id);
      if (entry) remove(entry);
      billed.add(id);
      if (entry) add(paid ? { ...entry, paid } : entry);
    },
    /** The service says in which currency calls are paid now. */
    takePaidIn(paidIn: CountedCurrency | undefined) {
      if (unit === paidIn) return;
      unit = paidIn;
      for (const entry of [...entries.values()]) if (entry.isUnitOpen) replace(entry, inUnit(entry, unit));
    },
  };
}

/** An entry that was recorded before the service said in which currency calls are paid, in that currency. */
function inUnit(entry: SpentEntry, unit: CountedCurrency | undefined): SpentEntry {
  if (!entry.isUnitOpen || !entry.cost) return entry;
  const counted = Counted.of(entry.cost);
  const cost = unit === "DIEM" ? amountsOf(counted.in("DIEM")) : amountsOf(counted.in("USD"));
  return { ...entry, cost };
}

const nothingSpent: TaskSpend = { spent: nothing, claimed: Counted.zero };

/** At the price when each call ended. Subagents have sums of their own. */
function addToTask(
  tasks: Map<string, TaskSpend>,
  { source, cost, most = Counted.zero }: SpentEntry,
  sign: 1 | -1,
): void {
  const [priced, open] = cost === undefined ? [nothing, most] : [cost, Counted.zero];
  const isAdded = sign > 0;
  for (const id of new Set([source?.task, source?.subagent])) {
    if (id === undefined) continue;
    const { spent, claimed } = tasks.get(id) ?? nothingSpent;
    tasks.set(id, {
      spent: isAdded ? spent.plus(priced) : spent.plus(priced.negated()),
      claimed: isAdded ? claimed.plus(open) : claimed.minus(open),
    });
  }
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
    get: (id: string) => holds.get(id),
    ofTask: (id: string, before: string | undefined): Counted =>
      sumOfHolds(entered(before).filter((hold) => hold.task === id || hold.subagent === id)),
    /** Of all holds or those before this one, and of all calls or those of a scope. */
    sum: (nowMs: number, before: string | undefined, per: BudgetScope = {}): Counted =>
      sumOfHolds(
        entered(before).filter((hold) => isOpen(hold, nowMs) && (!hold.tags || isInScope(per, hold.tags))),
      ),
  };
}

function sumOfHolds(holds: readonly Hold[]): Counted {
  return Counted.zero.plusAll(holds.map(({ most }) => most));
}

/** Recorded calls of a day or a month. */
interface SeenSum {
  /** Entries that are not on the bill yet. */
  open: Amounts;
  /** Upper bound of the entries with unknown price that are not on the bill. */
  most: Counted;
  /** Calls with unknown price, which the bill has not told either. */
  unpriced: number;
}

const noCalls: SeenSum = { open: nothing, most: Counted.zero, unpriced: 0 };

/** Sums by day, so that the cost of a total does not grow with the number of entries. */
function createDaySums() {
  const days = new Map<number, SeenSum>();
  const dayAt = (atMs: number): SeenSum => {
    const day = dayOf(atMs);
    const sum = days.get(day) ?? { ...noCalls };
    days.set(day, sum);
    return sum;
  };
  const addOpen = ({ atMs, cost, most = Counted.zero }: SpentEntry, sign: 1 | -1) => {
    const sum = dayAt(atMs);
    if (cost === undefined) sum.most = sum.most.plus(sign > 0 ? most : most.negated());
    else sum.open = sum.open.plus(sign > 0 ? cost : cost.negated());
  };
  const count = ({ atMs, cost, paid }: SpentEntry, change: 1 | -1) => {
    if (cost === undefined && paid === undefined) dayAt(atMs).unpriced += change;
  };
  return {
    add(entry: SpentEntry, isBilled: boolean) {
      count(entry, 1);
      if (!isBilled) addOpen(entry, 1);
    },
    remove(entry: SpentEntry, isBilled: boolean) {
      count(entry, -1);
      if (!isBilled) addOpen(entry, -1);
    },
    openOn: (day: number): Amounts => days.get(day)?.open ?? nothing,
    of(nowMs: number): readonly [today: SeenSum, month: SeenSum] {
      const month = [...days]
        .filter(([day]) => isInMonth(day, nowMs))
        .reduce(
          (sum, [, one]) => ({
            open: sum.open.plus(one.open),
            most: sum.most.plus(one.most),
            unpriced: sum.unpriced + one.unpriced,
          }),
          noCalls,
        );
      return [days.get(dayOf(nowMs)) ?? noCalls, month];
    },
  };
}

function isInMonth(day: number, nowMs: number): boolean {
  const { from, to } = monthOf(nowMs);
  return day >= from && day < to;
}

/** An entry that is on the bill, and what was paid for it; undefined if the bill has no record of it. */
type OnBill = readonly [id: string, paid: Amounts | undefined];

function toOnBill([id, paid]: OnBill): readonly [string, AmountTexts | null] {
  return [id, paid ? paid.toTexts() : null];
}

/**
 * The entries that are on the bill, so that nothing is counted twice. Those that an earlier bill settled are among them
 * if more was paid since: a request can have several records.
 */
function matched(
  { before, open }: { readonly before: readonly SpentEntry[]; readonly open: readonly SpentEntry[] },
  records: Iterable<BilledRecord>,
  asOfMs: number,
): OnBill[] {
  const wanted = new Set([...before, ...open].flatMap(({ requestId }) => requestId ?? []));
  const named = new Map<string, Amounts>();
  const nameless: BilledRecord[] = [];
  for (const record of records) {
    const { requestId } = record;
    if (!requestId) nameless.push(record);
    else if (wanted.has(requestId))
      named.set(requestId, (named.get(requestId) ?? nothing).plus(record.paid()));
  }
  // Records without a request id are matched by amount and time, each to one entry.
  const take = ({ atMs, cost }: SpentEntry): Amounts | undefined => {
    const worth = cost && Counted.of(cost);
    const index = nameless.findIndex(
      (record) => worth && record.worth.compare(worth) === 0 && Math.abs(record.atMs - atMs) <= nearMs,
    );
    const [record] = index < 0 ? [] : nameless.splice(index, 1);
    return record?.paid();
  };
  // A repeated request has the id of the first, which paid.
  const taken = new Set<string>();
  const paidFor = (entry: SpentEntry): Amounts | undefined => {
    const { requestId } = entry;
    const paid = requestId === undefined ? undefined : named.get(requestId);
    if (requestId === undefined || paid === undefined) return take(entry);
    if (taken.has(requestId)) return entry.cost ?? nothing;
    taken.add(requestId);
    return paid;
  };
  const isNews = ({ paid: known }: SpentEntry, paid: Amounts | undefined) =>
    paid !== undefined && !known?.equals(paid);
  // An entry that an earlier bill settled keeps its record.
  const again = before.map((entry) => [entry, paidFor(entry)] as const);
  const found = open.map((entry) => [entry, paidFor(entry)] as const);
  return [
    ...again.filter(([entry, paid]) => isNews(entry, paid)),
    ...found.filter(([{ atMs }, paid]) => paid !== undefined || atMs < asOfMs - overdueMs),
  ].map(([{ id }, paid]) => [id, paid]);
}
