/** Edits of a reply, for faults of kind `edit`. */

/** Adds unknown members, at the top and in each object of its lists. */
export function withUnknownMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withUnknownMembers);
  if (typeof value !== "object" || value === null) return value;
  const lists = Object.entries(value).filter(([, member]) => Array.isArray(member));
  const deeper = Object.fromEntries(lists.map(([name, list]) => [name, withUnknownMembers(list)]));
  return { ...value, ...deeper, no_such_member: { any: ["thing", 1, null] } };
}

/** Replaces the value at a path, `data.0.date`, with `*` for each row of a list; unchanged if the path does not exist. */
export function withValueAt(value: unknown, path: string, replacement: unknown): unknown {
  const [step = "", ...rest] = path.split(".");
  if (step === "*" && Array.isArray(value))
    return value.map((row) => withValueAt(row, rest.join("."), replacement));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return value;
  const members = value as Record<string, unknown>;
  const deeper = rest.length === 0 ? replacement : withValueAt(members[step], rest.join("."), replacement);
  if (Array.isArray(value)) return value.with(Number(step), deeper);
  return { ...members, [step]: deeper };
}

/** The value at a path; with `*` the first that exists. */
export function valueAt(value: unknown, path: string): unknown {
  if (path === "") return value;
  const [step = "", ...rest] = path.split(".");
  if (typeof value !== "object" || value === null) return undefined;
  const steps = step === "*" ? Object.keys(value) : [step];
  const found = steps.map((one) => valueAt((value as Record<string, unknown>)[one], rest.join(".")));
  return found.find((one) => one !== undefined);
}

/** Invalid rows for any list. */
export const oddRows = [17, "odd", null, [], {}];

/** A list with invalid rows before, between and after its own. */
export function withOddRows(value: unknown, path: string): unknown {
  const list = valueAt(value, path);
  if (!Array.isArray(list)) return value;
  return withValueAt(value, path, [...oddRows, ...list.flatMap((row) => [row, ...oddRows])]);
}
