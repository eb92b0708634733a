/** Caches the results of a function, until their keys are garbage collected. */
export function memo<Key extends object, Result>(make: (key: Key) => Result): (key: Key) => Result {
  const cache = new WeakMap<Key, Result>();
  return (key) => {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    cache.set(key, made);
    return made;
  };
}
