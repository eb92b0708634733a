/** Keeps what was worked out for a while, by name. */
export function createCache<Value>(
  now: () => number,
  ageMs: number,
): (name: string, make: () => Value) => Value {
  const kept = new Map<string, { readonly atMs: number; readonly value: Value }>();
  return (name, make) => {
    const atMs = now();
    for (const [old, { atMs: madeMs }] of kept) if (atMs - madeMs >= ageMs) kept.delete(old);
    const known = kept.get(name);
    if (known) return known.value;
    const value = make();
    kept.set(name, { atMs, value });
    return value;
  };
}
