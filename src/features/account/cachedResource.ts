/** What is known of one part of the account, and how the last look for it went. */
interface CachedValue<Value> {
  /** The last value that came; it stays when a later look fails. */
  readonly value: Value | undefined;
  /** When it was asked for: Unix milliseconds. */
  readonly asOfMs: number | undefined;
  /** Why the last look failed; undefined after one that went well. */
  readonly error: unknown;
  readonly isLoading: boolean;
}

/** One part of the account, asked for once for all who look at it. */
export interface CachedResource<Value> {
  readonly cached: CachedValue<Value>;
  /**
   * Asks the service unless what is known is younger than `maxAgeMs`, or than the part's own least age. Who asks
   * while an answer is on its way shares it. Never rejects: failures are in `known`.
   */
  load(maxAgeMs?: number): Promise<CachedValue<Value>>;
}

export interface SharedPartOptions<Value> {
  readonly read: () => Promise<Value>;
  readonly now: () => number;
  /** Below this age nothing is asked anew, whoever wants it: the service would give the same. */
  readonly leastAgeMs: number;
  /** True for a failure that will be the same each time: nothing is asked anew then. */
  readonly isLasting: (error: unknown) => boolean;
  readonly onChange: () => void;
}

/** After a failure the next look waits so long, so that repaints don't hammer the endpoint. */
const afterFailureMs = 5_000;

export function createSharedPart<Value>(options: SharedPartOptions<Value>): CachedResource<Value> {
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

/** Several parts seen as one, which is as old as the oldest of them. */
export function joinedPart<Value>(
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
