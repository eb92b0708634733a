/** A clock that stands still until it is set. */
export interface Clock {
  readonly now: () => number;
  set(date: string): void;
  advance(ms: number): void;
}

export const minuteMs = 60_000;
export const dayMs = 86_400_000;

export function createClock(date = "2026-08-15T10:00:00.000Z"): Clock {
  let ms = Date.parse(date);
  return {
    now: () => ms,
    set(to) {
      ms = Date.parse(to);
    },
    advance(by) {
      ms += by;
    },
  };
}
