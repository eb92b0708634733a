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

const lentMs = 60_000;
/** Interval and number of retries if the secret could not be removed. */
const retryMs = 5_000;
const maxTries = 120;

export function createSecretClipboard({ readText, writeText }: Clipboard): SecretClipboard {
  const lent = new Map<string, NodeJS.Timeout>();
  const takeOut = async (secret: string) => {
    if ((await readText()) === secret) await writeText("");
    clearTimeout(lent.get(secret));
    lent.delete(secret);
  };
  const takeOutIn = (secret: string, ms: number, tries: number) => {
    const due = () =>
      takeOut(secret).catch(() => {
        if (tries > 1 && lent.has(secret)) takeOutIn(secret, retryMs, tries - 1);
      });
    clearTimeout(lent.get(secret));
    lent.set(secret, setTimeout(due, ms));
  };
  return {
    async copy(secret) {
      await writeText(secret);
      takeOutIn(secret, lentMs, maxTries);
    },
    async clear() {
      await Promise.allSettled([...lent.keys()].map(takeOut));
      for (const timer of lent.values()) clearTimeout(timer);
      lent.clear();
    },
  };
}
