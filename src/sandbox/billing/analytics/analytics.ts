import type { DialectId } from "../../../api/dialect/dialect.ts";
import { dayMs, dayOf, dayText } from "../../../shared/time/days.ts";
import { nanoNumber } from "../ledger/decimal.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { BillingPeriod } from "./period.ts";
import { charted, chartRows, memberName, type Series, seriesOf } from "./series.ts";
import { type ModelAccount, type TalliedSpend, tallyOf } from "./tally.ts";

/** The name of usage without a key (spec E1, byKey). */
const webApp = "Web App";

const topCount = 8;
/** venice charts more series, and the rest as one (wire.md section 6). */
const veniceSeries = 50;

export interface AnalyticsSource {
  readonly ledger: Ledger;
  readonly dialect: DialectId;
  /** A key's description. */
  readonly describe: (keyId: string) => string;
}

/** The reply of GET /billing/usage-analytics (spec E1), computed from the ledger. */
export function analyticsOf({ ledger, dialect, describe }: AnalyticsSource, period: BillingPeriod): object {
  const { label: lookback, fromMs, toMs } = period;
  const { days, models, keys } = tallyOf(ledger.select({ fromMs, toMs }), ({ atMs }) => dayOf(atMs));
  const nameOfKey = (keyId: string | null) => (keyId === null ? webApp : describe(keyId));
  const modelSeries = seriesOf(models, (name) => name);
  const keySeries = seriesOf(keys, nameOfKey);
  const spentDays = [...days.keys()].sort((a, b) => a - b);
  return {
    lookback,
    byDate: spentDays.map((day) => ({ date: dateText(day, dialect), ...currencies(days.get(day)) })),
    byModel: models.map(modelRow),
    topModels: topNames(modelSeries),
    byKey: keys.map(({ name, total }) => ({
      apiKeyId: name,
      description: nameOfKey(name),
      ...totals(total),
    })),
    topKeyNames: topNames(keySeries),
    ...charts(spentDays, modelSeries, keySeries, dialect),
  };
}

function charts(
  days: readonly number[],
  models: readonly Series[],
  keys: readonly Series[],
  dialect: DialectId,
) {
  const venice = dialect === "venice";
  const shown = (series: readonly Series[]) => charted(series, venice ? veniceSeries : topCount, venice);
  const diem = (series: readonly Series[]) => chartRows(days, shown(series), (spend) => spend.diem);
  const usd = (series: readonly Series[]) => chartRows(days, shown(series), (spend) => spend.usd);
  return {
    byModelDaily: diem(models),
    byKeyDaily: diem(keys),
    ...(venice ? { byModelDailyUsd: usd(models), byKeyDailyUsd: usd(keys) } : {}),
  };
}

function modelRow({ name, product, total, byPart }: ModelAccount): object {
  const breakdown = [...byPart].map(([type, spend]) => ({ type, ...small(spend) }));
  return {
    modelName: name,
    unitType: product.unitType,
    modelType: product.modelType,
    ...totals(total),
    ...(breakdown.length > 1 ? { breakdown } : {}),
  };
}

function totals({ usd, diem, units }: TalliedSpend): object {
  return { totalUsd: nanoNumber(usd), totalDiem: nanoNumber(diem), totalUnits: units };
}

function small({ usd, diem, units }: TalliedSpend): object {
  return { usd: nanoNumber(usd), diem: nanoNumber(diem), units };
}

function currencies(spend: TalliedSpend | undefined): object {
  return { USD: nanoNumber(spend?.usd ?? 0), DIEM: nanoNumber(spend?.diem ?? 0) };
}

function topNames(series: readonly Series[]): string[] {
  return series.slice(0, topCount).map(({ name }) => memberName(name));
}

/** The spec says YYYY-MM-DD but shows a full timestamp. Each dialect uses one of them. */
function dateText(day: number, dialect: DialectId): string {
  return dialect === "venice" ? new Date(day * dayMs).toISOString() : dayText(day);
}
