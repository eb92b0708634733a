export const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** Records may arrive late. A past day is final after this time. */
const graceMs = 48 * hourMs;

/** UTC days since 1970. The service counts days in UTC, so the local time zone does not matter. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** `2026-08-01`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** `2026-08-01 to 2026-08-31`. */
export function daysText({ from, to }: { readonly from: number; readonly to: number }): string {
  return `${dayText(from)} to ${dayText(to)}`;
}

/** `2026-08-01T00:00:00.000Z`, when the day begins. */
export function dayStart(day: number): string {
  return new Date(day * dayMs).toISOString();
}

/**
 * Parses `2026-08-01` or a full ISO timestamp: the service sends both for the same member. Undefined for other text.
 */
export function dayFrom(date: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(date);
  const ms = isDay || /^\d{4}-\d{2}-\d{2}T.*(Z|[+-]\d{2}:?\d{2})$/.test(date) ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(ms)) return undefined;
  // Date.parse accepts 31 February in some formats and returns a day in March.
  return isDay && dayText(dayOf(ms)) !== date ? undefined : dayOf(ms);
}

export function isClosed(day: number, nowMs: number): boolean {
  return nowMs >= (day + 1) * dayMs + graceMs;
}

/** The first UTC day of the month that contains a time, and of the next month. */
export function monthOf(atMs: number): { readonly from: number; readonly to: number } {
  const date = new Date(atMs);
  const start = (months: number) => dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
  return { from: start(0), to: start(1) };
}

/** A time in each UTC month from one time to another, the oldest first; at least the last month. */
export function monthsSince(sinceMs: number, nowMs: number): number[] {
  const months = [nowMs];
  for (;;) {
    const before = monthOf(months.at(-1) ?? nowMs).from * dayMs - 1;
    if (!(before >= sinceMs)) return months.toReversed();
    months.push(before);
  }
}

/** Days of a range, both ends included. */
export function daysBetween(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** A duration in its largest whole unit: `3 h`, `12 min`, `5 s`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}
