import { visibleLine } from "../text/html/visibleText.ts";
import { shortened } from "../text/shortened.ts";

/**
 * Numbers of money from outside: from replies, headers and lists of a service. What none of these lets through has no price.
 * A cap is a promise of this extension, so it must hold whatever a service or a proxy says.
 */

/** USD or DIEM of one call. More is a fault of the service: no call costs so much. */
const mostPerCall = 10_000;
/** USD or DIEM of a listed unit, which may be a million tokens or characters. */
const mostPerUnit = 1_000_000;
/** Tokens or credits of one call. */
const mostUnits = 100_000_000;
/** A balance, or an amount on a bill. */
const mostOnAccount = 1e12;

/** An amount that one call may cost; undefined for anything else: negative, not finite, no number, absurd. */
export function believedAmount(value: unknown): number | undefined {
  return isBetween(value, 0, mostPerCall) ? value : undefined;
}

/** A listed price. */
export function believedPrice(value: unknown): number | undefined {
  return isBetween(value, 0, mostPerUnit) ? value : undefined;
}

/** A count of tokens. */
export function isTokenCount(value: unknown): value is number {
  return Number.isInteger(value) && isBetween(value, 0, mostUnits);
}

/** RPC credits, which may have fractions. */
export function believedCredits(value: unknown): number | undefined {
  return isBetween(value, 0, mostUnits) ? value : undefined;
}

/** A balance or an amount of a bill, which may be negative. */
export function isAccountAmount(value: unknown): value is number {
  return isBetween(value, -mostOnAccount, mostOnAccount);
}

/** The members of a usage that decide its price. */
interface UsageCounts {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null | undefined } | null | undefined;
}

/** True if an answer can have used that many tokens. No prompt is empty, so a usage without any token was not counted. */
export function isBelievableUsage({
  prompt_tokens: prompt,
  completion_tokens: completion,
  prompt_tokens_details: details,
}: UsageCounts): boolean {
  const cached = details?.cached_tokens ?? 0;
  if (![prompt, completion, cached].every(isTokenCount)) return false;
  return cached <= prompt && prompt + completion > 0;
}

interface InBoth {
  readonly usd?: unknown;
  readonly diem?: unknown;
}
type Believed = {
  readonly usd?: number;
  readonly diem?: number;
};

/** What a service said, for a sentence to the user: one line, bounded. */
export function saidText(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
  return shortened(visibleLine(text.slice(0, 4 * longestSaid)), longestSaid);
}

const longestSaid = 60;

/**
 * A stated cost or price. If one member is there and is no amount, a 0 in the other one is worth nothing: the call may
 * have been paid in the first. Only a missing price in DIEM leaves one of 0 dollars what it is. Unknown members are left
 * out.
 */
export function believedCost({ usd, diem }: InBoth, read = believedAmount): Believed {
  const [inUsd, inDiem] = [read(usd), read(diem)];
  const isOdd = (value: unknown, amount: number | undefined) => value !== undefined && amount === undefined;
  if (isOdd(usd, inUsd) && !inDiem) return {};
  if (isOdd(diem ?? undefined, inDiem) && !inUsd) return {};
  return {
    ...(inUsd === undefined ? {} : { usd: inUsd }),
    ...(inDiem === undefined ? {} : { diem: inDiem }),
  };
}

function isBetween(value: unknown, low: number, high: number): value is number {
  return typeof value === "number" && value >= low && value <= high;
}
