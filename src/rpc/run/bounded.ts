import { exactJsonText } from "../../shared/text/json/exactJson.ts";
import { isList } from "../output/json.ts";
import type { Json, RpcWhole } from "../output/rpcOutput.ts";

/** A value, cut to a size that the editor renders without delay. */
interface Bounded {
  readonly value: Json;
  /** Size of the complete value as JSON. */
  readonly bytes: number;
  readonly cut: boolean;
  /** The shortened lists and texts, outermost first. */
  readonly whole: readonly RpcWhole[];
}

/** Characters that are always kept of a text. */
const shortest = 64;

/** Maximum of reported cut places. */
const mostPlaces = 300;

/** Cuts the end of lists and texts, until the value has about `maxBytes` as JSON. */
export function bounded(value: Json, maxBytes: number): Bounded {
  const bytes = exactJsonText(value).length;
  if (bytes <= maxBytes) return { value, bytes, cut: false, whole: [] };
  const found: RpcWhole[] = [];
  const stored = cutTo(value, maxBytes, { sizeOf: createSizes(), path: [], found });
  const whole = found.toSorted((a, b) => a.path.length - b.path.length).slice(0, mostPlaces);
  return { value: stored, bytes, cut: true, whole };
}

/** A position in the complete value. */
interface Place {
  readonly sizeOf: Sizes;
  readonly path: RpcWhole["path"];
  readonly found: RpcWhole[];
}

type Sizes = (value: Json) => number;

/** Sizes of values as JSON, cached because nested values are measured at each level. */
function createSizes(): Sizes {
  const cache = new Map<Json, number>();
  const sizeOf: Sizes = (value) => {
    if (typeof value !== "object" || value === null) return exactJsonText(value).length;
    const found = cache.get(value);
    if (found !== undefined) return found;
    let size = 2;
    if (isList(value)) for (const item of value) size += sizeOf(item) + 1;
    else
      for (const [key, member] of Object.entries(value))
        size += exactJsonText(key).length + sizeOf(member) + 2;
    cache.set(value, size);
    return size;
  };
  return sizeOf;
}

function cutTo(value: Json, budget: number, place: Place): Json {
  if (typeof value === "string") {
    if (value.length <= budget) return value;
    place.found.push({ path: place.path, length: value.length });
    return `${value.slice(0, Math.max(shortest, budget))}…`;
  }
  if (isList(value)) return cutList(value, budget, place);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const sizes = entries.map(([, member]) => place.sizeOf(member));
  const small = sizes.filter((size) => size <= shortest * 2).reduce((sum, size) => sum + size, 0);
  const large = sizes.filter((size) => size > shortest * 2).length;
  const share = Math.max(shortest, (budget - small) / Math.max(1, large));
  return Object.fromEntries(
    entries.map(([key, member], at) => [
      key,
      (sizes[at] ?? 0) <= shortest * 2 ? member : cutTo(member, share, within(place, key)),
    ]),
  );
}

function within(place: Place, step: string | number): Place {
  return { ...place, path: [...place.path, step] };
}

function cutList(items: readonly Json[], budget: number, place: Place): Json {
  const stored: Json[] = [];
  let left = budget;
  for (const item of items) {
    const size = place.sizeOf(item);
    if (size > left) {
      if (stored.length === 0) stored.push(cutTo(item, left, within(place, 0)));
      break;
    }
    stored.push(item);
    left -= size + 1;
  }
  if (stored.length < items.length) place.found.push({ path: place.path, length: items.length });
  return stored;
}
