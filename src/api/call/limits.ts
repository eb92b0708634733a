/** One window of a rate limit, as far as the headers state it. */
export interface LimitWindow {
  readonly limit?: number;
  readonly remaining?: number;
  /** Unix time in milliseconds of the reset. */
  readonly resetAtMs?: number;
}

/** The caller's limits in one reply (spec, Rate-limit response headers). */
export interface LimitHeaders {
  readonly requests?: LimitWindow;
  readonly tokens?: LimitWindow;
}

const durationUnits: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * A reset time in Unix milliseconds. Services send epoch milliseconds, epoch seconds, seconds from now, or a duration
 * such as `1m30s` or `250ms`; the magnitude distinguishes them (wire.md section 2).
 */
export function resetAtMs(value: string | null, nowMs: number): number | undefined {
  const at = readReset(value, nowMs);
  return at === undefined || at > lastDateMs ? undefined : at;
}

/** Largest time value of a Date (ECMA-262, 21.4.1.1). */
const lastDateMs = 8.64e15;

function readReset(value: string | null, nowMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (!Number.isFinite(number)) return undefined;
    if (number >= 1e12) return number;
    return number >= 1e9 ? number * 1000 : nowMs + number * 1000;
  }
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) {
    const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
    return (
      nowMs + [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (durationUnits[unit ?? ""] ?? 0), 0)
    );
  }
  // Date.parse alone finds a year in any text with a number.
  const date = /^([A-Z][a-z]{2}, \d{2} |\d{4}-\d{2}-\d{2}T)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

function count(value: string | null): number | undefined {
  const number = value === null || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function windowOf(headers: Headers, suffix: string, nowMs: number): LimitWindow | undefined {
  const limit = count(headers.get(`x-ratelimit-limit${suffix}`));
  const remaining = count(headers.get(`x-ratelimit-remaining${suffix}`));
  const spelled = headers.get(`x-ratelimit-reset${suffix}`) ?? headers.get(`x-ratelimit-resets${suffix}`);
  const reset = resetAtMs(spelled, nowMs);
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset === undefined ? {} : { resetAtMs: reset }),
  };
}

/** Reads both header families: `x-ratelimit-*-requests`/`-tokens`, and the chain RPC's bare `X-RateLimit-*`. */
export function readLimits(headers: Headers, nowMs: number): LimitHeaders {
  const requests = windowOf(headers, "-requests", nowMs) ?? windowOf(headers, "", nowMs);
  const tokens = windowOf(headers, "-tokens", nowMs);
  return { ...(requests ? { requests } : {}), ...(tokens ? { tokens } : {}) };
}

/** Time of the next attempt, from Retry-After or the reset of the exhausted window. */
export function retryAtMs(headers: Headers, nowMs: number): number | undefined {
  const after = resetAtMs(headers.get("retry-after"), nowMs);
  if (after !== undefined) return after;
  const { requests, tokens } = readLimits(headers, nowMs);
  const spent = [requests, tokens].filter((window) => window?.remaining === 0);
  const resets = (spent.length > 0 ? spent : [requests]).flatMap((window) => window?.resetAtMs ?? []);
  return resets.length === 0 ? undefined : Math.max(...resets);
}
