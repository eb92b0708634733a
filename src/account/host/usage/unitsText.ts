import type { ModelSpend } from "./analyticsTotals.ts";

/** The units of the spec (E1, unitType), with the word for a single one. */
const singles: ReadonlyMap<string, string> = new Map([
  ["tokens", "token"],
  ["images", "image"],
  ["chars", "char"],
  ["minutes", "minute"],
  ["seconds", "second"],
  ["units", "unit"],
]);

/** `1,200 tokens`. The service may have more unit types than the spec: an unknown one is shown as it is. */
export function unitsText(units: number, unitType = "units"): string {
  const number = units.toLocaleString("en-US", { maximumFractionDigits: 6 });
  return `${number} ${units === 1 ? (singles.get(unitType) ?? unitType) : unitType}`;
}

/** The unit of all models; undefined if they have several, whose sum has no unit. Keys are counted without a unit. */
export function commonUnit(models: readonly Pick<ModelSpend, "unitType">[]): string | undefined {
  const [first, ...others] = new Set(models.map(({ unitType }) => unitType));
  return others.length === 0 ? first : undefined;
}

/** `1,200 of 5,000 records`; without the total if the service does not count them. */
export function recordsText(read: number, total: number | undefined): string {
  const of = total === undefined ? "" : ` of ${total.toLocaleString("en-US")}`;
  return `${read.toLocaleString("en-US")}${of} records`;
}
