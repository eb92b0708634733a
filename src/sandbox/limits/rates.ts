import { Refusal } from "../refusal.ts";

/** Limits per minute for one caller and one model or route (spec, Limits). */
export interface RateRule {
  readonly requests: number;
  /** Absent where tokens are not counted. */
  readonly tokens?: number;
}

/** Limits of text models by tier. */
export const textTiers = {
  XS: { requests: 500, tokens: 1_000_000 },
  S: { requests: 75, tokens: 750_000 },
  M: { requests: 50, tokens: 750_000 },
  L: { requests: 20, tokens: 500_000 },
} as const satisfies Record<string, RateRule>;
export type TextTier = keyof typeof textTiers;

/** Other types of model, requests per minute. */
export const typeLimits = { image: 20, audio: 60, embedding: 500 } as const;

const windowMs = 60_000;
const maxRefused = 50;

/** The state of one limit for one caller. */
export interface RateWindow {
  readonly limit: RateRule;
  readonly requestsLeft: number;
  readonly tokensLeft: number | undefined;
  /** Unix time in milliseconds. */
  readonly resetsAtMs: number;
}

/** A request that was refused by a rate limit. */
interface Refused {
  readonly scope: string;
  readonly type: "RPM" | "TPM";
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

export interface Rates {
  /** The last 50, newest first. */
  refused(): readonly Refused[];
  /** Counts one request. Throws a 429 if the limit is reached. */
  take(scope: string, limit: RateRule): void;
  /** Counts tokens after the answer. */
  spend(scope: string, tokens: number): void;
  read(scope: string, limit: RateRule): RateWindow;
}

interface Count {
  startMs: number;
  requests: number;
  tokens: number;
}

/** Fixed windows of a minute, one per scope. If not `enforced`, nothing is counted. */
export function createRates(now: () => number, enforced: boolean): Rates {
  const counts = new Map<string, Count>();
  const current = (scope: string): Count => {
    const known = counts.get(scope);
    if (known && now() - known.startMs < windowMs) return known;
    const fresh = { startMs: now(), requests: 0, tokens: 0 };
    counts.set(scope, fresh);
    return fresh;
  };
  let refused: readonly Refused[] = [];
  const refuse = (scope: string, type: Refused["type"], amount: number): Refusal => {
    refused = [{ scope, type, atMs: now() }, ...refused].slice(0, maxRefused);
    const what = type === "RPM" ? "requests" : "tokens";
    return new Refusal(429, `Rate limit exceeded: ${amount} ${what} per minute`);
  };
  return {
    refused: () => refused,
    take(scope, limit) {
      if (!enforced) return;
      const count = current(scope);
      if (count.requests >= limit.requests) throw refuse(scope, "RPM", limit.requests);
      const { tokens } = limit;
      if (tokens !== undefined && count.tokens >= tokens) throw refuse(scope, "TPM", tokens);
      count.requests += 1;
    },
    spend(scope, tokens) {
      if (enforced) current(scope).tokens += tokens;
    },
    read(scope, limit) {
      const { startMs, requests, tokens } = current(scope);
      return {
        limit,
        requestsLeft: Math.max(0, limit.requests - requests),
        tokensLeft: limit.tokens === undefined ? undefined : Math.max(0, limit.tokens - tokens),
        resetsAtMs: startMs + windowMs,
      };
    },
  };
}
