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
 * A reset time in Unix milliseconds of this machine's clock. Services send epoch milliseconds, epoch seconds, seconds
 * from now, or a duration such as `1m30s` or `250ms`; the magnitude distinguishes them (wire.md section 2). `Retry-After`
 * may be a date (RFC 9110, 10.2.3). A point in time is one of the service's clock, which `clockAheadMs` compares.
 */
export function resetAtMs(value: string | null, nowMs: number, aheadMs = 0): number | undefined {
  const at = readReset(value, nowMs, aheadMs);
  return at === undefined || at > lastDateMs ? undefined : at;
}

/** `Date` has whole seconds, and the reply has been on its way: less is no difference of clocks. */
const sameClockMs = 5000;

/** Milliseconds by which the service's clock (header `Date`) is ahead of this machine's. 0 if they differ by less than 5 s. */
export function clockAheadMs(headers: Headers, nowMs: number): number {
  const date = httpDate(headers.get("date")?.trim() ?? "");
  const aheadMs = date === undefined ? 0 : date - nowMs;
  return Math.abs(aheadMs) < sameClockMs ? 0 : aheadMs;
}

const monthNames = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** The three forms of RFC 9110, 5.6.7: IMF-fixdate, RFC 850, asctime. */
const dateForms = [
  /^[A-Z][a-z]{2}, (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{5,8}, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>\d{2}:\d{2}:\d{2}) GMT$/,
  /^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d{2}:\d{2}:\d{2}) (?<year>\d{4})$/,
];

/** An HTTP date in Unix milliseconds. */
export function httpDate(text: string): number | undefined {
  const groups = dateForms.map((form) => form.exec(text)?.groups).find((found) => found !== undefined);
  if (!groups) return undefined;
  const { day = "", month = "", year = "", time = "" } = groups;
  const [hours, minutes, seconds] = time.split(":").map(Number);
  const at = Date.UTC(fullYear(year), monthNames.indexOf(month), Number(day), hours, minutes, seconds);
  return monthNames.includes(month) && Number.isFinite(at) ? at : undefined;
}

/** Two digits are of the past if they would be more than 50 years ahead (RFC 9110, 5.6.7). */
function fullYear(year: string): number {
  if (year.length === 4) return Number(year);
  const thisYear = new Date().getUTCFullYear();
  const sameCentury = thisYear - (thisYear % 100) + Number(year);
  return sameCentury > thisYear + 50 ? sameCentury - 100 : sameCentury;
}

/** Largest time value of a Date (ECMA-262, 21.4.1.1). */
const lastDateMs = 8.64e15;

function readReset(value: string | null, nowMs: number, aheadMs: number): number | undefined {
  const text = value?.trim() ?? "";
  if (text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (!Number.isFinite(number)) return undefined;
    if (number >= 1e12) return number - aheadMs;
    return number >= 1e9 ? number * 1000 - aheadMs : nowMs + number * 1000;
  }
  if (/^(\d+(\.\d+)?(ms|[smhd]))+$/.test(text)) {
    const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g);
    return (
      nowMs + [...parts].reduce((sum, [, n, unit]) => sum + Number(n) * (durationUnits[unit ?? ""] ?? 0), 0)
    );
  }
  // Date.parse alone finds a year in any text with a number.
  const date =
    httpDate(text) ??
    (/^([A-Z][a-z]{2}, \d{2} |\d{4}-\d{2}-\d{2}T)/.test(text) ? Date.parse(text) : Number.NaN);
  return Number.isNaN(date) ? undefined : date - aheadMs;
}

function count(value: string | null): number | undefined {
  const number = value === null || value.trim() === "" ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : undefined;
}

function windowOf(headers: Headers, suffix: string, nowMs: number): LimitWindow | undefined {
  const limit = count(headers.get(`x-ratelimit-limit${suffix}`));
  const remaining = count(headers.get(`x-ratelimit-remaining${suffix}`));
  const spelled = headers.get(`x-ratelimit-reset${suffix}`) ?? headers.get(`x-ratelimit-resets${suffix}`);
  const reset = resetAtMs(spelled, nowMs, clockAheadMs(headers, nowMs));
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

/** The time that `Retry-After` names, in Unix milliseconds of this machine's clock. */
export function retryAfterMs(headers: Headers, nowMs: number): number | undefined {
  return resetAtMs(headers.get("retry-after"), nowMs, clockAheadMs(headers, nowMs));
}

/** Time of the next attempt, from Retry-After or the reset of the exhausted window. */
export function retryAtMs(headers: Headers, nowMs: number): number | undefined {
  const after = retryAfterMs(headers, nowMs);
  if (after !== undefined) return after;
  const { requests, tokens } = readLimits(headers, nowMs);
  const spent = [requests, tokens].filter((window) => window?.remaining === 0);
  const resets = (spent.length > 0 ? spent : [requests]).flatMap((window) => window?.resetAtMs ?? []);
  return resets.length === 0 ? undefined : Math.max(...resets);
}
