import { Amounts } from "../../../../shared/money/amounts.ts";
import {
  addTo,
  type Exact,
  type ExactSum,
  newSum,
  product,
  sumTotal,
  toNumber,
} from "../../../../shared/money/exact.ts";
import { Money, type Usd, usd } from "../../../../shared/money/money.ts";
import { productOf, type SkuProduct } from "../skuProduct.ts";
import type { DayColumns, StringTables } from "./dayColumns.ts";

/** Sums of records, as positive amounts. */
export interface Totals {
  readonly spend: Amounts;
  /** Units at their USD price, whichever balance paid. For sorting and list prices; not what was spent. */
  readonly usdValue: Usd;
  readonly records: number;
  readonly tokens: number;
  /** The value of the tokens alone in USD. */
  readonly tokensUsdValue: Usd;
}

export interface ModelTotals extends Totals {
  /** Input, Output, Cache Read …, if the model's records distinguish them. */
  readonly parts: ReadonlyMap<string, Totals>;
}

/** The sums of one UTC day. Names come from the service, so they are keys of maps, not of objects. */
export interface DayTally {
  readonly day: number;
  readonly total: Totals;
  readonly models: ReadonlyMap<string, ModelTotals>;
}

interface SkuSums {
  readonly sku: SkuProduct;
  readonly byCurrency: Map<string, ExactSum>;
  readonly usdValue: Worth;
  records: number;
  units: ExactSum;
}

/** Units are summed by price, then multiplied once. */
interface Worth {
  readonly usd: ExactSum;
  readonly unitsAtPrice: Map<number, ExactSum>;
}

export function tallyDay(columns: DayColumns, words: StringTables): DayTally {
  const skus = new Map<number, SkuSums>();
  for (let row = 0; row < columns.size; row++) {
    const code = columns.sku[row] ?? 0;
    let sums = skus.get(code);
    if (!sums) {
      sums = newSkuSums(words.skus.list[code] ?? "");
      skus.set(code, sums);
    }
    const currency = words.currencies.list[columns.currency[row] ?? -1] ?? "";
    enter(sums, currency, columns, row);
  }
  const bySku = [...skus.values()].map((sums) => ({ sku: sums.sku, totals: totalsOf(sums) }));
  return { day: columns.day, total: merge(bySku.map(({ totals }) => totals)), models: byModel(bySku) };
}

/** Several days combined. Models are merged by name. */
export function mergeDays(days: readonly DayTally[]): Omit<DayTally, "day"> {
  const models = new Map<string, ModelTotals[]>();
  for (const day of days) for (const [name, totals] of day.models) gather(models, name, totals);
  return {
    total: merge(days.map(({ total }) => total)),
    models: new Map([...models].map(([name, list]) => [name, mergeModels(list)])),
  };
}

const noUsd = usd(0);

export function merge(all: readonly Totals[]): Totals {
  const spend = Amounts.sum(all.map((totals) => totals.spend));
  const usdValue = noUsd.plusAll(all.map((totals) => totals.usdValue));
  const tokensUsdValue = noUsd.plusAll(all.map((totals) => totals.tokensUsdValue));
  let [records, tokens] = [0, 0];
  for (const totals of all) {
    records += totals.records;
    tokens += totals.tokens;
  }
  return { spend, usdValue, records, tokens, tokensUsdValue };
}

function newSkuSums(sku: string): SkuSums {
  const usdValue = { usd: newSum(), unitsAtPrice: new Map() };
  return { sku: productOf(sku), byCurrency: new Map(), usdValue, records: 0, units: newSum() };
}

function enter(sums: SkuSums, currency: string, columns: DayColumns, row: number): void {
  const amount = columns.amount[row] ?? 0;
  const units = columns.units[row] ?? 0;
  let spent = sums.byCurrency.get(currency);
  if (!spent) {
    spent = newSum();
    sums.byCurrency.set(currency, spent);
  }
  addTo(spent, -amount);
  sums.records += 1;
  addTo(sums.units, units);
  if (currency === "USD") {
    addTo(sums.usdValue.usd, -amount);
    return;
  }
  const price = columns.priceUsd[row] ?? 0;
  let atPrice = sums.usdValue.unitsAtPrice.get(price);
  if (!atPrice) {
    atPrice = newSum();
    sums.usdValue.unitsAtPrice.set(price, atPrice);
  }
  // A refund returns units.
  addTo(atPrice, amount > 0 ? -units : units);
}

function totalsOf({ sku, byCurrency, usdValue, records, units }: SkuSums): Totals {
  const worth = new Money(
    "USD",
    [...usdValue.unitsAtPrice].reduce(
      (sum, [price, atPrice]) => sum + timesPrice(price, sumTotal(atPrice)),
      sumTotal(usdValue.usd),
    ),
  );
  const isTokens = sku.tokensPerUnit > 0;
  return {
    spend: Amounts.of(new Map([...byCurrency].map(([currency, sum]) => [currency, sumTotal(sum)]))),
    usdValue: worth,
    records,
    tokens: isTokens ? toNumber(sumTotal(units)) * sku.tokensPerUnit : 0,
    tokensUsdValue: isTokens ? worth : noUsd,
  };
}

const one = 10n ** 18n;

function timesPrice(price: number, units: Exact): Exact {
  if (!Number.isFinite(price)) return 0n;
  return (product(price, 1) * units) / one;
}

function byModel(skus: readonly { sku: SkuProduct; totals: Totals }[]): Map<string, ModelTotals> {
  const models = new Map<string, ModelTotals[]>();
  for (const { sku, totals } of skus) {
    const parts = sku.part === undefined ? new Map() : new Map([[sku.part, totals]]);
    gather(models, sku.model, { ...totals, parts });
  }
  return new Map([...models].map(([name, list]) => [name, mergeModels(list)]));
}

function mergeModels(list: readonly ModelTotals[]): ModelTotals {
  const parts = new Map<string, Totals[]>();
  for (const { parts: some } of list) for (const [name, totals] of some) gather(parts, name, totals);
  return { ...merge(list), parts: new Map([...parts].map(([name, all]) => [name, merge(all)])) };
}

function gather<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  const list = map.get(name);
  if (list) list.push(value);
  else map.set(name, [value]);
}
