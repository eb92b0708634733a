/** The time for today, the date for any other day. Both stay correct while they are displayed. */
export function whenText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const isToday = at.toDateString() === new Date(nowMs).toDateString();
  return isToday
    ? at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })
    : at.toLocaleDateString([], { dateStyle: "medium" });
}

/** Minute in UTC, as in "2026-11-23 09:05 UTC". Throws RangeError for times that are not a date. */
export function utcText(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
