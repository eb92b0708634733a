/** State of a resource: its value and the result of the last request. */
interface CachedValue<Value> {
  /** The last loaded value. A later failure does not remove it. */
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
   * Concurrent calls share one request. Never rejects: failures are in `cached`.
   */
  load(maxAgeMs?: number): Promise<CachedValue<Value>>;
}

interface ResourceOptions<Value> {
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

export function createCachedResource<Value>(options: ResourceOptions<Value>): CachedResource<Value> {
  const { read, now, leastAgeMs, isLasting, onChange } = options;
  let cached: CachedValue<Value> = {
    value: undefined,
    asOfMs: undefined,
    error: undefined,
    isLoading: false,
  };
  let failedAtMs: number | undefined;
  let loading: Promise<CachedValue<Value>> | undefined;
  const set = (change: Partial<CachedValue<Value>>) => {
    cached = { ...cached, ...change };
    onChange();
    return cached;
  };
  const request = async () => {
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
      loading = undefined;
    }
  };
  return {
    get cached() {
      return cached;
    },
    load(maxAgeMs = leastAgeMs) {
      const age = cached.asOfMs === undefined ? Number.POSITIVE_INFINITY : now() - cached.asOfMs;
      const isFresh = cached.error === undefined && age < Math.max(maxAgeMs, leastAgeMs);
      const isBackingOff = failedAtMs !== undefined && now() - failedAtMs < afterFailureMs;
      if (!loading && (isFresh || isBackingOff)) return Promise.resolve(cached);
      loading ??= request();
      return loading;
    },
  };
}

/** Several resources as one, with the age of the oldest. */
export function joinedResource<Value>(
  parts: readonly CachedResource<Value>[],
  join: (values: readonly Value[]) => Value,
): CachedResource<Value> {
  const joined = (): CachedValue<Value> => {
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
      return joined();
    },
    async load(maxAgeMs) {
      await Promise.all(parts.map((part) => part.load(maxAgeMs)));
      return joined();
    },
  };
}
