/** The clipboard of this machine. A browser refuses both while its window is not in front. */
export interface Clipboard {
  readText(): PromiseLike<string>;
  writeText(text: string): PromiseLike<void>;
}

/** Lends secrets to the clipboard. */
export interface SecretClipboard {
  /** Puts a secret there and takes it out after a minute, unless something else was copied meanwhile. */
  copy(secret: string): Promise<void>;
  /** Takes out at once what is still lent. */
  clear(): Promise<void>;
}

const lentMs = 60_000;
/** What could not be taken out is tried again so often, and so many times. */
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
