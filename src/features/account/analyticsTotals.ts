import type { UsageAnalytics } from "../../api/endpoints/billing.ts";
import { dayFrom } from "../../shared/days.ts";
import { type Exact, toExact } from "../../shared/money/exact.ts";
import { type SpendAmounts, spendText } from "../../shared/money/moneyText.ts";

/** Spend in analytics, which has only these two currencies (spec E1). */
export interface TwoCurrencies {
  readonly usd: Exact;
  readonly diem: Exact;
}

export interface NamedSpend extends TwoCurrencies {
  readonly name: string;
  readonly units: number;
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
  readonly total: TwoCurrencies;
  readonly days: ReadonlyMap<number, TwoCurrencies>;
  readonly models: readonly ModelSpend[];
  readonly keys: readonly KeySpend[];
  /** Part of the total that is on the bill, but not yet assigned to a model or key. */
  readonly uncounted: TwoCurrencies;
}

export function toAnalyticsTotals(analytics: UsageAnalytics): AnalyticsTotals {
  const days = new Map<number, TwoCurrencies>();
  for (const { date, USD, DIEM } of analytics.byDate) {
    const day = dayFrom(date);
    if (day !== undefined) days.set(day, addCurrencies(days.get(day) ?? noSpend, of(USD, DIEM)));
  }
  return {
    total: [...days.values()].reduce(addCurrencies, noSpend),
    days,
    models: analytics.byModel.map((row) => ({
      name: row.modelName,
      unitType: row.unitType ?? undefined,
      modelType: row.modelType ?? undefined,
      units: row.totalUnits,
      ...of(row.totalUsd, row.totalDiem),
      breakdown: (row.breakdown ?? []).map(({ type, usd, diem, units }) => ({
        name: type,
        units,
        ...of(usd, diem),
      })),
    })),
    keys: analytics.byKey.map(({ apiKeyId, description, totalUsd, totalDiem, totalUnits }) => ({
      id: apiKeyId,
      name: description || (apiKeyId === null ? "Web App" : "(no description)"),
      units: totalUnits,
      ...of(totalUsd, totalDiem),
    })),
    uncounted: noSpend,
  };
}

/** The sums of two adjacent ranges of days. */
export function joined(a: AnalyticsTotals, b: AnalyticsTotals): AnalyticsTotals {
  const total = addCurrencies(a.total, b.total);
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
    uncounted: addCurrencies(a.uncounted, b.uncounted),
  };
}

/** Raises a day's sums to those of the bill because analytics may be ten minutes old (spec E1). */
export function filledBy(totals: AnalyticsTotals, day: number, bill: SpendAmounts): AnalyticsTotals {
  const counted = totals.days.get(day) ?? noSpend;
  const more = (billed: Exact | undefined, counted: Exact) =>
    billed !== undefined && billed > counted ? billed - counted : 0n;
  const uncounted = { usd: more(bill.get("USD"), counted.usd), diem: more(bill.get("DIEM"), counted.diem) };
  if (uncounted.usd === 0n && uncounted.diem === 0n) return totals;
  return {
    ...totals,
    total: addCurrencies(totals.total, uncounted),
    days: new Map(totals.days).set(day, addCurrencies(counted, uncounted)),
    uncounted: addCurrencies(totals.uncounted, uncounted),
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
  const worth = ({ usd, diem }: Row) => usd + diem;
  return [...rows.values()].sort((x, y) => (worth(x) < worth(y) ? 1 : worth(x) > worth(y) ? -1 : 0));
}

function added(a: NamedSpend, b: NamedSpend): TwoCurrencies & { readonly units: number } {
  return { ...addCurrencies(a, b), units: a.units + b.units };
}

const noSpend: TwoCurrencies = { usd: 0n, diem: 0n };

function addCurrencies(a: TwoCurrencies, b: TwoCurrencies): TwoCurrencies {
  return { usd: a.usd + b.usd, diem: a.diem + b.diem };
}

function of(usd: number, diem: number): TwoCurrencies {
  return { usd: toExact(usd), diem: toExact(diem) };
}

/** `$1.24 · 0.50 DIEM`. */
export function bothText({ usd, diem }: TwoCurrencies): string {
  return spendText(
    new Map([
      ["USD", usd],
      ["DIEM", diem],
    ]),
  );
}
