import { exactText } from "../../../shared/exactJson.ts";
import type { Json } from "../../../shared/rpcOutput.ts";

/** A value, cut to what an editor draws without a pause. */
export interface Bounded {
  readonly value: Json;
  /** Of the whole value as JSON. */
  readonly bytes: number;
  readonly cut: boolean;
}

/** A line of the editor's own output is no longer than that. */
const shortest = 64;

/** Lists lose their end and texts their rest, until what is left has about `maxBytes` as JSON. */
export function bounded(value: Json, maxBytes: number): Bounded {
  const bytes = exactText(value).length;
  if (bytes <= maxBytes) return { value, bytes, cut: false };
  return { value: cutTo(value, maxBytes), bytes, cut: true };
}

function cutTo(value: Json, budget: number): Json {
  if (typeof value === "string")
    return value.length <= budget ? value : `${value.slice(0, Math.max(shortest, budget))}…`;
  if (isList(value)) return cutList(value, budget);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const sizes = entries.map(([, member]) => exactText(member).length);
  const small = sizes.filter((size) => size <= shortest * 2).reduce((sum, size) => sum + size, 0);
  const large = sizes.filter((size) => size > shortest * 2).length;
  const share = Math.max(shortest, (budget - small) / Math.max(1, large));
  return Object.fromEntries(
    entries.map(([key, member], at) => [
      key,
      (sizes[at] ?? 0) <= shortest * 2 ? member : cutTo(member, share),
    ]),
  );
}

function cutList(items: readonly Json[], budget: number): Json {
  const kept: Json[] = [];
  let left = budget;
  for (const item of items) {
    const size = exactText(item).length;
    if (size > left) {
      if (kept.length === 0) kept.push(cutTo(item, left));
      break;
    }
    kept.push(item);
    left -= size + 1;
  }
  return kept;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
