/** A number of places; whoever finds none free waits in line. */
export interface Slots {
  /** Resolves to the function that gives the place back. Rejects with the signal's reason when it fires first. */
  take(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting = new Set<() => void>();
  const give = () => {
    const [next] = waiting;
    if (next) next();
    else free += 1;
  };
  return {
    take(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return Promise.resolve(give);
      }
      return new Promise((resolve, reject) => {
        const leave = () => {
          waiting.delete(enter);
          reject(signal.reason);
        };
        const enter = () => {
          waiting.delete(enter);
          signal.removeEventListener("abort", leave);
          resolve(give);
        };
        waiting.add(enter);
        signal.addEventListener("abort", leave, { once: true });
      });
    },
  };
}
