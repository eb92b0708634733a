import { createHash } from "node:crypto";
import { estimateJsonTokens, estimateTokens } from "../../shared/chat/tokenEstimate.ts";
import type { Members } from "../../shared/members.ts";

/** How long a service keeps the beginning of a prompt, in milliseconds (spec E10, wire.md section 5). */
const lifeMs = 5 * 60_000;
const longLifeMs = 24 * 60 * 60_000;
/** Shorter beginnings are not cached (wire.md section 5). */
export const fewestCachedTokens = 1024;
const mostStored = 10_000;

/** A prompt that is about to be sent, and what of it the service can have in its cache. */
export interface SentPrompt {
  /** The `prompt_cache_key`. Requests with the same one belong to one conversation. */
  readonly cacheKey: string;
  /** Share of its tokens that this client has sent before in such a request, within the life of a cache, 0 to 1. */
  readonly sentBefore: number;
  readonly beginnings: readonly Beginning[];
  readonly lifeMs: number;
}

/** The messages up to one of them. */
interface Beginning {
  readonly digest: string;
  /** Estimated, with the tools. */
  readonly tokens: number;
}

/**
 * The prompts of one client. A service caches the beginning of a prompt, so tokens that were sent before and that it did
 * not read from its cache cost more than they had to.
 */
export class SentPrompts {
  readonly #now: () => number;
  /** By digest, the time until which it may be cached; the oldest first. */
  readonly #stored = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Undefined for a call without messages or without a cache key. */
  read(input: Members): SentPrompt | undefined {
    const { messages, prompt_cache_key: cacheKey, prompt_cache_retention: retention } = input;
    if (!Array.isArray(messages) || typeof cacheKey !== "string") return undefined;
    const beginnings = beginningsOf(input, messages);
    const whole = beginnings.at(-1)?.tokens ?? 0;
    const known = beginnings.findLast(
      ({ digest, tokens }) => tokens >= fewestCachedTokens && this.#isKept(digest),
    );
    const isLong = retention === "extended" || retention === "24h";
    return {
      cacheKey,
      sentBefore: known ? known.tokens / whole : 0,
      beginnings,
      lifeMs: isLong ? longLifeMs : lifeMs,
    };
  }

  /** The service has answered the prompt: now it may have it in its cache. */
  add({ beginnings, lifeMs: kept }: SentPrompt): void {
    for (const { digest } of beginnings) {
      this.#stored.delete(digest);
      this.#stored.set(digest, this.#now() + kept);
    }
    for (const digest of this.#stored.keys()) {
      if (this.#stored.size <= mostStored) break;
      this.#stored.delete(digest);
    }
  }

  #isKept(digest: string): boolean {
    return this.#now() < (this.#stored.get(digest) ?? 0);
  }
}

function beginningsOf(
  { model, tools, prompt_cache_key }: Members,
  messages: readonly unknown[],
): Beginning[] {
  const offered = JSON.stringify(tools ?? []);
  const hash = createHash("sha256").update(JSON.stringify([model, prompt_cache_key, offered]));
  let tokens = estimateTokens(offered);
  return messages.map((message) => {
    hash.update(JSON.stringify(message));
    tokens += estimateJsonTokens(message);
    return { digest: hash.copy().digest("base64"), tokens };
  });
}
