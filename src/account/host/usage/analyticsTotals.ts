import type { UsageAnalytics } from "../../../api/endpoints/account/billing.ts";
import { Amounts, amountIn, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { dayFrom } from "../../../shared/time/days.ts";

/** The currencies of analytics (spec E1). What was paid in another one is only on the bill. */
const analyticsCurrencies = ["USD", "DIEM"];

export function isInAnalytics(currency: string): boolean {
  return analyticsCurrencies.includes(currency);
}

export interface NamedSpend {
  readonly name: string;
  readonly units: number;
  readonly spend: Amounts;
}

export interface ModelSpend extends NamedSpend {
  readonly unitType: string | undefined;
  readonly modelType: string | undefined;
  /** Input, Output, Cache Read …; empty if there is only one kind. */
  readonly breakdown: readonly NamedSpend[];
}

export interface KeySpend extends NamedSpend {
  /** Null for usage in the service's own web app. */
  readonly id: string | null;
}

/** Usage analytics (spec E1), summed exactly. Keys are identified by id because two may have the same description. */
export interface AnalyticsTotals {
  readonly total: Amounts;
  readonly days: ReadonlyMap<number, Amounts>;
  readonly models: readonly ModelSpend[];
  readonly keys: readonly KeySpend[];
  /** Part of the total that is on the bill, but not yet assigned to a model or key. */
  readonly uncounted: Amounts;
}

export function toAnalyticsTotals(analytics: UsageAnalytics): AnalyticsTotals {
  const days = new Map<number, Amounts>();
  for (const { date, USD, DIEM } of analytics.byDate) {
    const day = dayFrom(date);
    if (day !== undefined) days.set(day, (days.get(day) ?? nothing).plus(of(USD, DIEM)));
  }
  return {
    total: Amounts.sum(days.values()),
    days,
    models: analytics.byModel.map((row) => ({
      name: row.modelName,
      unitType: row.unitType ?? undefined,
      modelType: row.modelType ?? undefined,
      units: row.totalUnits,
      spend: of(row.totalUsd, row.totalDiem),
      breakdown: (row.breakdown ?? []).map(({ type, usd, diem, units }) => ({
        name: type,
        units,
        spend: of(usd, diem),
      })),
    })),
    keys: analytics.byKey.map(({ apiKeyId, description, totalUsd, totalDiem, totalUnits }) => ({
      id: apiKeyId,
      name: description || (apiKeyId === null ? "Web App" : "(no description)"),
      units: totalUnits,
      spend: of(totalUsd, totalDiem),
    })),
    uncounted: nothing,
  };
}

/** The sums of two adjacent ranges of days. */
export function joined(a: AnalyticsTotals, b: AnalyticsTotals): AnalyticsTotals {
  const total = a.total.plus(b.total);
  return {
    total,
    days: new Map([...a.days, ...b.days]),
    models: merged(
      a.models,
      b.models,
      ({ name }) => name,
      (x, y) => ({
        ...x,
        ...added(x, y),
        breakdown: merged(
          x.breakdown,
          y.breakdown,
          ({ name }) => name,
          (one, other) => ({
            ...one,
            ...added(one, other),
          }),
        ),
      }),
    ),
    keys: merged(
      a.keys,
      b.keys,
      ({ id }) => id,
      (x, y) => ({ ...x, ...added(x, y) }),
    ),
    uncounted: a.uncounted.plus(b.uncounted),
  };
}

/** Raises a day's sums to those of the bill because analytics may be ten minutes old (spec E1). */
export function filledBy(totals: AnalyticsTotals, day: number, bill: Amounts): AnalyticsTotals {
  const counted = totals.days.get(day) ?? nothing;
  const uncounted = bill.where(isInAnalytics).excessOver(counted);
  if (uncounted.size === 0) return totals;
  return {
    ...totals,
    total: totals.total.plus(uncounted),
    days: new Map(totals.days).set(day, counted.plus(uncounted)),
    uncounted: totals.uncounted.plus(uncounted),
  };
}

function merged<Row extends NamedSpend>(
  a: readonly Row[],
  b: readonly Row[],
  idOf: (row: Row) => string | null,
  add: (a: Row, b: Row) => Row,
): Row[] {
  const rows = new Map(a.map((row) => [idOf(row), row]));
  for (const row of b) {
    const existing = rows.get(idOf(row));
    rows.set(idOf(row), existing ? add(existing, row) : row);
  }
  return [...rows.values()].sort(byWorth);
}

/** The highest first, with DIEM 1:1, as the service sorts. */
export function byWorth(a: { readonly spend: Amounts }, b: { readonly spend: Amounts }): number {
  return Counted.of(b.spend).compare(Counted.of(a.spend));
}

function added(a: NamedSpend, b: NamedSpend): Omit<NamedSpend, "name"> {
  return { spend: a.spend.plus(b.spend), units: a.units + b.units };
}

function of(usd: number, diem: number): Amounts {
  return amountIn("USD", usd).plus(amountIn("DIEM", diem));
}
