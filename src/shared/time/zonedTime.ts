const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The time zone of this machine by its IANA name: `Europe/Berlin`. */
export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** `2026-12-31 18:00 (Europe/Berlin, UTC+01:00)`, or `2026-12-31 17:00 UTC`, in digits alone, whatever the locale. */
export function zonedText(atMs: number, zone: string): string {
  const local = wallText(atMs, zone);
  return zone === "UTC" ? `${local} UTC` : `${local} (${zone}, UTC${offsetText(atMs, zone)})`;
}

/** The minute of a time as `fromZonedText` reads it. Only a time that comes twice needs its offset. */
export function toZonedInput(atMs: number, zone: string): string {
  const local = wallText(atMs, zone);
  const read = fromZonedText(local, zone);
  const isSame = "atMs" in read && read.atMs === Math.floor(atMs / minuteMs) * minuteMs;
  return isSame ? local : `${local} ${offsetText(atMs, zone)}`;
}

function wallText(atMs: number, zone: string): string {
  const wall = atMs + offsetMinutes(atMs, zone) * minuteMs;
  return new Date(wall).toISOString().slice(0, 16).replace("T", " ");
}

const form = /^(\d{4})-(\d{2})-(\d{2})(?:[ T]+(\d{1,2}):(\d{2}))?(?: *(Z|UTC|[+-]\d{2}:\d{2}))?$/i;

/**
 * The instant of a typed day and time, as `2026-12-31 18:00`, in a time zone. A day alone is its first minute. A time
 * that comes twice, because clocks are set back, is the first one; an offset from UTC behind it (`+01:00`, `Z`) selects
 * another. `problem` says why a text is no time.
 */
export function fromZonedText(
  text: string,
  zone: string,
): { readonly atMs: number } | { readonly problem: string } {
  const found = form.exec(text.trim());
  if (!found) return { problem: "Enter a day and a time as YYYY-MM-DD HH:MM, such as 2030-12-31 18:00." };
  const [, year, month, day, hour = "0", minute = "0", offset] = found;
  const [at, hours, minutes] = [`${year}-${month}-${day}`, Number(hour), Number(minute)];
  const dayStart = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (new Date(dayStart).toISOString().slice(0, 10) !== at)
    return { problem: `${at} is not a day of the calendar.` };
  if (hours > 23 || minutes > 59)
    return { problem: `${hour}:${minute} is not a time of day. Enter one from 00:00 to 23:59.` };
  const wall = dayStart + (hours * 60 + minutes) * minuteMs;
  if (offset !== undefined) return { atMs: wall - minutesOf(offset) * minuteMs };
  // An offset that is in use at a time near this one.
  const offsets = [wall - dayMs, wall + dayMs].map((nearMs) => offsetMinutes(nearMs, zone));
  const instants = offsets
    .map((minutesOff) => wall - minutesOff * minuteMs)
    .filter((atMs) => atMs + offsetMinutes(atMs, zone) * minuteMs === wall);
  if (instants.length > 0) return { atMs: Math.min(...instants) };
  return {
    problem: `${hour}:${minute} does not exist on ${at} in ${zone}, because clocks are set forward. Enter another time.`,
  };
}

/** Minutes that a zone is ahead of UTC at a time. */
function offsetMinutes(atMs: number, zone: string): number {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const wall = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return Math.round((wall - Math.floor(atMs / minuteMs) * minuteMs) / minuteMs);
}

/** Its locale fixes calendar and digits, which those of some users are not. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US-u-ca-gregory-nu-latn", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
}

/** `+05:45`. */
function offsetText(atMs: number, zone: string): string {
  const minutes = offsetMinutes(atMs, zone);
  const size = Math.abs(minutes);
  const digits = (count: number) => String(count).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${digits(Math.floor(size / 60))}:${digits(size % 60)}`;
}

function minutesOf(offset: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  if (sign === undefined) return 0;
  const size = Number(hours) * 60 + Number(minutes);
  return sign === "-" ? -size : size;
}
