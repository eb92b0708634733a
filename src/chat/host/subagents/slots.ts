/** Runs work, so much at once. The others wait in their order. */
export class Slots {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Rejects with the reason of the signal if that is aborted while it waits. */
  async run<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value> {
    await this.#take(signal);
    try {
      return await work();
    } finally {
      this.#release();
    }
  }

  #take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      this.#waiting.push(begin);
      signal.addEventListener("abort", leave, { once: true });
    });
  }

  #release(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#free += 1;
  }
}
