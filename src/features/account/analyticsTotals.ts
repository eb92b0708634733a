import type { UsageAnalytics } from "../../api/endpoints/billing.ts";
import { dayFrom } from "../../shared/days.ts";
import { type Exact, toExact } from "../../shared/money/exact.ts";
import { spendText } from "../../shared/money/moneyText.ts";

/** Spend as analytics tell it: these two currencies and no other (spec E1). */
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
  /** Input, Output, Cache Read …; empty where there is one kind alone. */
  readonly breakdown: readonly NamedSpend[];
}

export interface KeySpend extends NamedSpend {
  /** Null for usage in the service's own web app. */
  readonly id: string | null;
}

/** Usage analytics (spec E1), summed exactly. Keys are told apart by id: two may have one description. */
export interface AnalyticsTotals {
  readonly total: TwoCurrencies;
  readonly days: ReadonlyMap<number, TwoCurrencies>;
  readonly models: readonly ModelSpend[];
  readonly keys: readonly KeySpend[];
}

export function toAnalyticsTotals(analytics: UsageAnalytics): AnalyticsTotals {
  const days = new Map<number, TwoCurrencies>();
  for (const { date, USD, DIEM } of analytics.byDate) {
    const day = dayFrom(date);
    if (day !== undefined) days.set(day, plus(days.get(day) ?? nothing, of(USD, DIEM)));
  }
  return {
    total: [...days.values()].reduce(plus, nothing),
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
  };
}

export const nothing: TwoCurrencies = { usd: 0n, diem: 0n };

export function plus(a: TwoCurrencies, b: TwoCurrencies): TwoCurrencies {
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
