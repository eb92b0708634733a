/** Keeps what was worked out for a while, by name. */
export function createCache<Value>(
  now: () => number,
  ageMs: number,
): (name: string, make: () => Value) => Value {
  const stored = new Map<string, { readonly atMs: number; readonly value: Value }>();
  return (name, make) => {
    const atMs = now();
    for (const [old, { atMs: madeMs }] of stored) if (atMs - madeMs >= ageMs) stored.delete(old);
    const known = stored.get(name);
    if (known) return known.value;
    const value = make();
    stored.set(name, { atMs, value });
    return value;
  };
}
