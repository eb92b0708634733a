import { type Known, known, unknown } from "../../../shared/known.ts";
import { type Amounts, nothing } from "../../../shared/money/amounts.ts";
import { type Money, type RuntimeCurrency, toRuntimeCurrency } from "../../../shared/money/money.ts";
import { byCurrency } from "../../../shared/money/moneyText.ts";
import { dayMs, dayOf, monthOf } from "../../../shared/time/days.ts";
import { byWorth } from "../usage/analyticsTotals.ts";
import type { StoredDays } from "../usage/usageStore.ts";

/** A month, and the days of the month before with which it is compared. */
export interface ComparedMonths {
  readonly now: StoredDays;
  readonly before: StoredDays;
  /** False while the month goes on: then both have the same number of days. */
  readonly isOver: boolean;
}

/** The month that contains a time, up to the current day. */
export function comparedMonths(atMs: number, nowMs: number): ComparedMonths {
  const month = monthOf(atMs);
  const former = monthOf(month.from * dayMs - 1);
  const now = { from: month.from, to: Math.min(month.to - 1, dayOf(nowMs)) };
  const isOver = dayOf(nowMs) >= month.to;
  const to = isOver ? former.to - 1 : Math.min(former.to - 1, former.from + now.to - now.from);
  return { now, before: { from: former.from, to }, isOver };
}

/** The spend of a name in both periods. */
export interface ComparedRow {
  readonly name: string;
  readonly before: Known<Amounts>;
  readonly now: Known<Amounts>;
}

/** One currency of a row. Unknown if the bill of that period was not read. */
export interface ComparedLine {
  readonly name: string;
  readonly currency: string;
  readonly before: Known<Money<RuntimeCurrency>>;
  readonly now: Known<Money<RuntimeCurrency>>;
  readonly difference: Known<Money<RuntimeCurrency>>;
}

/** Sums by name, if they were read. */
export type NamedSums = Known<ReadonlyMap<string, Amounts>>;

const mostRows = 200;

/** Each name of either period, the highest spend first; what is beyond a bound is one row, so that the sums stay whole. */
export function comparedRows(before: NamedSums, now: NamedSums): ComparedRow[] {
  const names = new Set([...keysIn(now), ...keysIn(before)]);
  const rows = [...names].map((name) => ({ name, before: ofName(before, name), now: ofName(now, name) }));
  const sorted = rows.sort((a, b) => byWorth(worthOf(a), worthOf(b)) || (a.name < b.name ? -1 : 1));
  if (sorted.length <= mostRows) return sorted;
  const others = sorted.slice(mostRows);
  const rest = (side: "before" | "now") =>
    others.reduce<Known<Amounts>>((sum, row) => joined(sum, row[side]), known(nothing));
  return [
    ...sorted.slice(0, mostRows),
    { name: `${others.length} others`, before: rest("before"), now: rest("now") },
  ];
}

/** A line per currency; one in no currency if nothing is known or nothing was spent. */
export function comparedLines({ name, before, now }: ComparedRow): ComparedLine[] {
  const currencies = new Set([...amountsIn(now).currencies, ...amountsIn(before).currencies]);
  const lines = [...(currencies.size === 0 ? [""] : currencies)].sort((a, b) =>
    byCurrency({ currency: a }, { currency: b }),
  );
  return lines.map((currency) => {
    const chosen = toRuntimeCurrency(currency);
    const [then, since] = [inCurrency(before, chosen), inCurrency(now, chosen)];
    return { name, currency, before: then, now: since, difference: differenceOf(then, since) };
  });
}

type Side = Known<Money<RuntimeCurrency>>;

function differenceOf(before: Side, now: Side): Side {
  if (before.is !== "value") return before;
  return now.is === "value" ? known(now.value.minus(before.value)) : now;
}

function inCurrency(of: Known<Amounts>, currency: RuntimeCurrency): Side {
  return of.is === "unknown" ? of : known(amountsIn(of).in(currency));
}

function amountsIn(of: Known<Amounts>): Amounts {
  return of.is === "value" ? of.value : nothing;
}

function keysIn(of: NamedSums): readonly string[] {
  return of.is === "value" ? [...of.value.keys()] : [];
}

function ofName(of: NamedSums, name: string): Known<Amounts> {
  if (of.is === "unknown") return unknown(of.reason);
  return known((of.is === "value" ? of.value.get(name) : undefined) ?? nothing);
}

function worthOf({ before, now }: ComparedRow): { readonly spend: Amounts } {
  const amounts = amountsIn(now);
  return { spend: amounts.size > 0 ? amounts : amountsIn(before) };
}

function joined(a: Known<Amounts>, b: Known<Amounts>): Known<Amounts> {
  if (a.is !== "value") return a;
  return b.is === "value" ? known(a.value.plus(b.value)) : b;
}
