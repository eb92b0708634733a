import type { Members } from "../../../../shared/members.ts";
import { plainName } from "../../../../tools/input/memberNames.ts";

/** Names of a range of lines, and of its ends, without case and separators. */
const rangeNames = ["viewrange", "range", "lines", "linerange", "lineranges"];
const firstNames = ["startline", "linestart", "offset"];
const lastNames = ["endline", "lineend"];

/** The first and the last line, from 1; -1 is the end of the file. */
type LineRange = readonly [first: number | undefined, last: number | undefined];

/**
 * The input of `read_file` with its lines as the first and a number: models also write `start_line` and `end_line`, a range as a
 * list or a text such as `10-20`, and a place at the end of the path, such as `src/a.ts:10-20` or `#L10-L20`.
 */
export function withRange(input: Members, properties: Members): Members {
  if (!("offset" in properties) || !("limit" in properties)) return input;
  const members = Object.entries(input).map(([name, value]) => ({ name, plain: plainName(name), value }));
  const given = (names: readonly string[]) => members.find(({ plain }) => names.includes(plain))?.value;
  const range = rangeIn(given(rangeNames)) ?? rangeIn(given(["offset"]));
  const [first, last] = [range?.[0] ?? numberOf(given(firstNames)), range?.[1] ?? numberOf(given(lastNames))];
  if (first === undefined && last === undefined) return withoutPlace(input);
  if (range === undefined && given(["offset"]) !== undefined && last === undefined) return input;
  const read = new Set([...firstNames, ...lastNames, ...(range ? rangeNames : [])]);
  const rest = Object.fromEntries(
    members.filter(({ plain }) => !read.has(plain)).map(({ name, value }) => [name, value]),
  );
  return { ...rest, ...limits([first, last]) };
}

function limits([first, last]: LineRange): Members {
  const from = first ?? 1;
  return last === undefined || last < from ? { offset: from } : { offset: from, limit: last - from + 1 };
}

/** The lines of `[10, 20]`, `"10-20"`, `["10-20"]` or `"L10-L20"`; undefined if the value is no range. */
function rangeIn(value: unknown): LineRange | undefined {
  if (Array.isArray(value)) {
    if (value.length === 1) return rangeIn(value[0]);
    const numbers = value.map(numberOf);
    return value.length === 2 && !numbers.includes(undefined) ? [numbers[0], numbers[1]] : undefined;
  }
  if (typeof value !== "string") return undefined;
  const found = /^\s*\[?\s*L?(\d+)\s*[-:,]\s*(?:L(?=\d))?(-?\d+)\s*\]?\s*$/.exec(value);
  return found ? [Number(found[1]), Number(found[2])] : undefined;
}

const place = /^(.*[^/\\]\.\w+)(?::(\d+)(?:-(\d+)|:\d+)?|#L(\d+)(?:-L?(\d+))?)$/s;

/** A path with a place at its end, as the answers of this chat name code. */
function withoutPlace(input: Members): Members {
  const found = typeof input.path === "string" ? place.exec(input.path) : null;
  if (!found || input.limit !== undefined) return input;
  const [, path, first, last, hashFirst, hashLast] = found;
  return { ...input, path, ...limits([numberOf(first ?? hashFirst), numberOf(last ?? hashLast)]) };
}

function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}
