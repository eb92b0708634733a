/**
 * What is known of a value. What could not be read is unknown, with the reason and the step that helps; it is never shown as
 * zero or as nothing.
 */
export type Known<Value> =
  | { readonly is: "unknown"; readonly reason: string }
  | { readonly is: "none" }
  | { readonly is: "value"; readonly value: Value };

export const none = { is: "none" } as const;

export function unknown(reason: string): { readonly is: "unknown"; readonly reason: string } {
  return { is: "unknown", reason };
}

export function known<Value>(value: Value): Known<Value> {
  return { is: "value", value };
}

/** A list that was read. */
export function knownList<Value>(list: readonly Value[]): Known<readonly Value[]> {
  return list.length === 0 ? none : known(list);
}
