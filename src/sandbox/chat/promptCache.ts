import { createHash } from "node:crypto";

/** One message of a prompt. */
interface CachedMessage {
  readonly text: string;
  readonly tokens: number;
}

/** Earlier prompts. A prompt that starts with the same messages has their tokens cached (wire.md section 5). */
export interface PromptCache {
  /**
   * Returns the number of tokens that a prompt has in common with an earlier one of the same scope, and stores it.
   * Messages count as a whole.
   */
  read(place: string, messages: readonly CachedMessage[], storedMs: number): number;
}

/** Shorter prefixes are not cached (wire.md section 5). */
const leastTokens = 1024;
const maxStored = 10_000;

export function createPromptCache(now: () => number): PromptCache {
  /** Expiry by prefix, oldest first. */
  const stored = new Map<string, number>();
  const keep = (beginning: string, storedMs: number) => {
    stored.delete(beginning);
    stored.set(beginning, now() + storedMs);
    const [oldest] = stored.keys();
    if (stored.size > maxStored && oldest !== undefined) stored.delete(oldest);
  };
  return {
    read(place, messages, storedMs) {
      const beginnings = beginningsOf(place, messages).filter(({ tokens }) => tokens >= leastTokens);
      const known = beginnings.findLast(({ digest }) => now() < (stored.get(digest) ?? 0));
      for (const { digest } of beginnings) keep(digest, storedMs);
      return known?.tokens ?? 0;
    },
  };
}

function beginningsOf(place: string, messages: readonly CachedMessage[]) {
  const hash = createHash("sha256").update(JSON.stringify(place));
  let sum = 0;
  return messages.map(({ text, tokens }) => {
    hash.update(JSON.stringify(text));
    sum += tokens;
    return { digest: hash.copy().digest("base64"), tokens: sum };
  });
}
