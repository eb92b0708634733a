/** The clipboard of this machine. A browser refuses access while its window does not have the focus. */
export interface Clipboard {
  readText(): PromiseLike<string>;
  writeText(text: string): PromiseLike<void>;
}

/** Puts secrets into the clipboard temporarily. */
export interface SecretClipboard {
  /** Copies a secret and removes it after a minute, unless something else was copied meanwhile. */
  copy(secret: string): Promise<void>;
  /** Removes a copied secret at once. */
  clear(): Promise<void>;
}

const clearAfterMs = 60_000;
/** Interval and number of retries if the secret could not be removed. */
const retryMs = 5_000;
const maxTries = 120;

export function createSecretClipboard({ readText, writeText }: Clipboard): SecretClipboard {
  const pending = new Map<string, NodeJS.Timeout>();
  const remove = async (secret: string) => {
    if ((await readText()) === secret) await writeText("");
    clearTimeout(pending.get(secret));
    pending.delete(secret);
  };
  const removeAfter = (secret: string, ms: number, tries: number) => {
    const due = () =>
      remove(secret).catch(() => {
        if (tries > 1 && pending.has(secret)) removeAfter(secret, retryMs, tries - 1);
      });
    clearTimeout(pending.get(secret));
    pending.set(secret, setTimeout(due, ms));
  };
  return {
    async copy(secret) {
      await writeText(secret);
      removeAfter(secret, clearAfterMs, maxTries);
    },
    async clear() {
      await Promise.allSettled([...pending.keys()].map(remove));
      for (const timer of pending.values()) clearTimeout(timer);
      pending.clear();
    },
  };
}
