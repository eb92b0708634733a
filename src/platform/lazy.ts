/**
 * A value that is loaded on first use. Calls during a load share it, and a load that failed is tried again by the next
 * call. The value is disposed with this, and one that arrives later is disposed when it arrives.
 */
export class Lazy<Value> {
  readonly #load: () => Promise<Value>;
  #started: Promise<Value> | undefined;
  #loaded: Value | undefined;
  #isDisposed = false;

  constructor(load: () => Promise<Value>) {
    this.#load = load;
  }

  /** The value, if a load has begun and has not failed. */
  get started(): Promise<Value> | undefined {
    return this.#started;
  }

  /** Rejects with the reason of a failed load. */
  get(): Promise<Value> {
    if (this.#started) return this.#started;
    const started = this.#start();
    this.#started = started;
    started.catch(() => {
      this.#started = undefined;
    });
    return started;
  }

  /** A value that has arrived is disposed before this returns, since the process may end then. */
  dispose(): void {
    this.#isDisposed = true;
    disposeOf(this.#loaded);
    this.#loaded = undefined;
  }

  async #start(): Promise<Value> {
    const value = await this.#load();
    if (this.#isDisposed) disposeOf(value);
    else this.#loaded = value;
    return value;
  }
}

function disposeOf(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if ("dispose" in value && typeof value.dispose === "function") value.dispose();
}
