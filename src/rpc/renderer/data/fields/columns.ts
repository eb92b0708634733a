import { isObject, type JsonObject } from "../../../output/json.ts";
import type { Json } from "../../../output/rpcOutput.ts";

const most = 14;

/** True for a non-empty list of objects, which can be shown as rows. */
export function areRows(list: readonly Json[]): list is readonly JsonObject[] {
  return list.length > 0 && list.every(isObject);
}

/** The most frequent members of the first rows. Simple values are preferred. */
export function columnsOf(rows: readonly JsonObject[]): readonly string[] {
  const weight = new Map<string, number>();
  for (const row of rows.slice(0, 50)) {
    for (const [name, value] of Object.entries(row)) {
      const counts = typeof value === "object" && value !== null ? 0.4 : 1;
      weight.set(name, (weight.get(name) ?? 0) + counts);
    }
  }
  const names = [...weight.keys()];
  const chosen = new Set(
    names.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0)).slice(0, most),
  );
  return names.filter((name) => chosen.has(name));
}
