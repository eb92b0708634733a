import { dayMs } from "../../shared/days.ts";
import { type Nano, nanoNumber } from "./decimal.ts";
import { addSpend, type NamedTotal, noSpend, type TalliedSpend, type Tally } from "./tally.ts";

/** A line of a chart: what one model, or all keys of one description, came to on each day. */
export interface Series {
  readonly name: string;
  readonly byDay: Tally<number>;
}

const other = "Other";

/** One series per name, in order of first appearance; two keys may have the same description. */
export function seriesOf<Name>(
  accounts: readonly NamedTotal<Name>[],
  nameOf: (name: Name) => string,
): Series[] {
  const all = new Map<string, Series>();
  for (const { name, byDay } of accounts) {
    const label = nameOf(name);
    all.set(label, { name: label, byDay: merged([all.get(label)?.byDay ?? new Map(), byDay]) });
  }
  return [...all.values()];
}

/** The first so many; with `rest`, the others as one more. */
export function charted(series: readonly Series[], limit: number, rest: boolean): Series[] {
  const [shown, left] = [series.slice(0, limit), series.slice(limit)];
  if (!rest || left.length === 0) return shown;
  const same = shown.filter(({ name }) => name === other);
  const stored = shown.filter(({ name }) => name !== other);
  return [...stored, { name: other, byDay: merged([...same, ...left].map(({ byDay }) => byDay)) }];
}

/** Chart rows (spec E1): a `date` in Unix milliseconds and a member per series. */
export function chartRows(
  days: readonly number[],
  series: readonly Series[],
  amountOf: (spend: TalliedSpend) => Nano,
): object[] {
  return days.map((day) => {
    const row: Record<string, number> = { date: day * dayMs };
    for (const { name, byDay } of series) {
      const value = nanoNumber(amountOf(byDay.get(day) ?? noSpend));
      // A key may be called __proto__: it must become a member, never a prototype.
      Object.defineProperty(row, memberName(name), {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return row;
  });
}

/** A series may not pass for the row's own date. */
export function memberName(name: string): string {
  return name === "date" ? "date (usage)" : name;
}

function merged(tallies: readonly Tally<number>[]): Tally<number> {
  const sums: Tally<number> = new Map();
  for (const tally of tallies) {
    for (const [day, spend] of tally) sums.set(day, addSpend(sums.get(day) ?? noSpend, spend));
  }
  return sums;
}
