export const dayMs = 86_400_000;

/** UTC days since 1970. */
export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

/** `2026-08-01`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}
