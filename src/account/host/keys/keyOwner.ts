import type { KeyRow } from "./keyRow.ts";

/**
 * A key's description is its label, and the owner after a dot: `ci pipeline · ana`. The service has no member for the
 * owner, so the description keeps it for everyone who reads the list.
 */
const separator = " · ";

interface Described {
  readonly label: string;
  /** Undefined if the description names none. */
  readonly owner: string | undefined;
}

export function describedBy(description: string): Described {
  const at = description.lastIndexOf(separator);
  const owner = at < 0 ? "" : description.slice(at + separator.length).trim();
  return owner === "" ? { label: description, owner: undefined } : { label: description.slice(0, at), owner };
}

/** With this owner in place of another; empty for none. */
export function withOwner(description: string, owner: string): string {
  const { label } = describedBy(description);
  const name = owner.trim();
  return name === "" ? label : `${label}${separator}${name}`;
}

/** With a text before the label. A label that begins with it already stays. */
export function withPrefix(description: string, prefix: string): string {
  return description.startsWith(prefix) ? description : `${prefix}${description}`;
}

/** The keys of each owner, by name; those without one last. */
export function byOwner<Row>(
  rows: readonly Row[],
  descriptionOf: (row: Row) => string,
): readonly (readonly [owner: string | undefined, rows: readonly Row[]])[] {
  const groups = Map.groupBy(rows, (row) => describedBy(descriptionOf(row)).owner);
  const named = [...groups].flatMap(([owner, own]) => (owner === undefined ? [] : [[owner, own] as const]));
  const none = groups.get(undefined);
  return [...named.toSorted(([a], [b]) => compare(a, b)), ...(none ? [[undefined, none] as const] : [])];
}

const compare = new Intl.Collator(undefined, { numeric: true }).compare;

/** `ci (…abc123)`, because two keys may have the same name. */
export function namedKey({ id, description, details }: KeyRow): string {
  return `${description || id} (…${details?.last6 ?? id.slice(-6)})`;
}

/** For a button. */
export function buttonOf(verb: string, count: number): string {
  return `${verb} ${count.toLocaleString("en-US")} ${count === 1 ? "Key" : "Keys"}`;
}

export function countOfKeys(count: number): string {
  return count === 1 ? "1 key" : `${count.toLocaleString("en-US")} keys`;
}
