/** State of a resource: its value and the result of the last request. */
interface CachedValue<Value> {
  /** The last loaded value. It is kept if a later request fails. */
  readonly value: Value | undefined;
  /** Time of its request in Unix milliseconds. */
  readonly asOfMs: number | undefined;
  /** The error of the last request; undefined after a success. */
  readonly error: unknown;
  readonly isLoading: boolean;
}

/** A part of the account that is requested once for all its readers. */
export interface CachedResource<Value> {
  readonly cached: CachedValue<Value>;
  /**
   * Requests the resource unless the cached value is younger than `maxAgeMs` or than the resource's minimum age.
   * Concurrent calls share one request. Never rejects: failures are in `known`.
   */
  load(maxAgeMs?: number): Promise<CachedValue<Value>>;
}

export interface SharedPartOptions<Value> {
  readonly read: () => Promise<Value>;
  readonly now: () => number;
  /** No request is sent below this age because the service would return the same value. */
  readonly leastAgeMs: number;
  /** True for a permanent failure: no further request is sent. */
  readonly isLasting: (error: unknown) => boolean;
  readonly onChange: () => void;
}

/** Back off after a failure so that repaints don't hammer the endpoint. */
const afterFailureMs = 5_000;

export function createCachedResource<Value>(options: SharedPartOptions<Value>): CachedResource<Value> {
  const { read, now, leastAgeMs, isLasting, onChange } = options;
  let known: CachedValue<Value> = { value: undefined, asOfMs: undefined, error: undefined, isLoading: false };
  let failedAtMs: number | undefined;
  let looking: Promise<CachedValue<Value>> | undefined;
  const set = (change: Partial<CachedValue<Value>>) => {
    known = { ...known, ...change };
    onChange();
    return known;
  };
  const look = async () => {
    const asOfMs = now();
    set({ isLoading: true });
    try {
      const value = await read();
      failedAtMs = undefined;
      return set({ value, asOfMs, error: undefined, isLoading: false });
    } catch (error) {
      failedAtMs = isLasting(error) ? Number.POSITIVE_INFINITY : now();
      return set({ error, isLoading: false });
    } finally {
      looking = undefined;
    }
  };
  return {
    get cached() {
      return known;
    },
    load(maxAgeMs = leastAgeMs) {
      const age = known.asOfMs === undefined ? Number.POSITIVE_INFINITY : now() - known.asOfMs;
      const isFresh = known.error === undefined && age < Math.max(maxAgeMs, leastAgeMs);
      const isResting = failedAtMs !== undefined && now() - failedAtMs < afterFailureMs;
      if (!looking && (isFresh || isResting)) return Promise.resolve(known);
      looking ??= look();
      return looking;
    },
  };
}

/** Several resources as one, with the age of the oldest. */
export function joinedResource<Value>(
  parts: readonly CachedResource<Value>[],
  join: (values: readonly Value[]) => Value,
): CachedResource<Value> {
  const known = (): CachedValue<Value> => {
    const all = parts.map((part) => part.cached);
    const values = all.flatMap(({ value }) => (value === undefined ? [] : [value]));
    const times = all.flatMap(({ asOfMs }) => (asOfMs === undefined ? [] : [asOfMs]));
    const isWhole = values.length === parts.length;
    return {
      value: isWhole ? join(values) : undefined,
      asOfMs: isWhole ? Math.min(...times) : undefined,
      error: all.find(({ error }) => error !== undefined)?.error,
      isLoading: all.some(({ isLoading }) => isLoading),
    };
  };
  return {
    get cached() {
      return known();
    },
    async load(maxAgeMs) {
      await Promise.all(parts.map((part) => part.load(maxAgeMs)));
      return known();
    },
  };
}
