/** The clipboard of this machine. A browser refuses access while its window does not have the focus. */
export interface Clipboard {
  readText(): PromiseLike<string>;
  writeText(text: string): PromiseLike<void>;
}

const clearAfterMs = 60_000;
/** Interval and number of retries if the secret could not be removed. */
const retryMs = 5_000;
const maxTries = 120;

/** Puts secrets into the clipboard temporarily. */
export class SecretClipboard {
  readonly #deps: Clipboard;
  readonly #pending = new Map<string, NodeJS.Timeout>();

  constructor(deps: Clipboard) {
    this.#deps = deps;
  }

  /** Copies a secret and removes it after a minute, unless something else was copied meanwhile. */
  async copy(secret: string): Promise<void> {
    await this.#deps.writeText(secret);
    this.#removeAfter(secret, clearAfterMs, maxTries);
  }

  /** Removes a copied secret at once. */
  async clear(): Promise<void> {
    await Promise.allSettled([...this.#pending.keys()].map((secret) => this.#remove(secret)));
    for (const timer of this.#pending.values()) clearTimeout(timer);
    this.#pending.clear();
  }

  async #remove(secret: string): Promise<void> {
    if ((await this.#deps.readText()) === secret) await this.#deps.writeText("");
    clearTimeout(this.#pending.get(secret));
    this.#pending.delete(secret);
  }

  #removeAfter(secret: string, ms: number, tries: number): void {
    const due = () =>
      this.#remove(secret).catch(() => {
        if (tries > 1 && this.#pending.has(secret)) this.#removeAfter(secret, retryMs, tries - 1);
      });
    clearTimeout(this.#pending.get(secret));
    this.#pending.set(secret, setTimeout(due, ms));
  }
}
