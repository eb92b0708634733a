import { dayMs } from "../../../shared/time/days.ts";
import { type Nano, nanoNumber } from "../ledger/decimal.ts";
import { addSpend, type NamedTotal, noSpend, type TalliedSpend, type Tally } from "./tally.ts";

/** A line of a chart: the daily usage of one model, or of all keys with one description. */
export interface Series {
  readonly name: string;
  readonly byDay: Tally<number>;
}

const other = "Other";

/** One series per name, in order of first appearance. Two keys can have the same description. */
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

/** The first series; with `rest`, the sum of the others as one more. */
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
      // A key may be named __proto__. It must become a member, not the prototype.
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

/** A series must not replace the row's `date`. */
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
