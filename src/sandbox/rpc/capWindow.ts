/** Counts within a rolling window of time. */
export interface CapWindow {
  readonly used: number;
  add(amount: number): void;
  /** Unix milliseconds at which `amount` more will fit under `cap`; now where it does already. */
  fitsAtMs(amount: number, cap: number): number;
}

export function createCapWindow(now: () => number, windowMs: number): CapWindow {
  let entries: { readonly atMs: number; readonly amount: number }[] = [];
  let used = 0;
  const expire = () => {
    const first = entries.findIndex(({ atMs }) => now() - atMs < windowMs);
    const gone = first < 0 ? entries : entries.slice(0, first);
    if (gone.length === 0) return;
    used -= gone.reduce((sum, { amount }) => sum + amount, 0);
    entries = entries.slice(gone.length);
  };
  return {
    get used() {
      expire();
      return used;
    },
    add(amount) {
      expire();
      entries.push({ atMs: now(), amount });
      used += amount;
    },
    fitsAtMs(amount, cap) {
      expire();
      let over = used + amount - cap;
      for (const entry of entries) {
        if (over <= 0) break;
        over -= entry.amount;
        if (over <= 0) return entry.atMs + windowMs;
      }
      return now();
    },
  };
}
