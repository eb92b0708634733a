import type { DialectId } from "../../api/dialect/dialect.ts";
import { type RateWindow, textTiers } from "./rates.ts";

/** The rate-limit headers of every response (spec, Rate-limit response headers; wire.md section 2 for venice). */
export function limitHeaders(dialect: DialectId, window: RateWindow, nowMs: number): Record<string, string> {
  const { limit, requestsLeft, tokensLeft, resetsAtMs } = window;
  const venice = dialect === "venice";
  const requests = {
    "x-ratelimit-limit-requests": String(limit.requests),
    "x-ratelimit-remaining-requests": String(requestsLeft),
    "x-ratelimit-reset-requests": String(venice ? resetsAtMs : Math.ceil(resetsAtMs / 1000)),
  };
  // Often only these come (wire.md section 2). The spec has all in every response: what takes no tokens leaves them all.
  if (limit.tokens === undefined && venice) return requests;
  const most = textTiers.XS.tokens;
  const secondsLeft = Math.max(0, Math.ceil((resetsAtMs - nowMs) / 1000));
  return {
    ...requests,
    "x-ratelimit-limit-tokens": String(limit.tokens ?? most),
    "x-ratelimit-remaining-tokens": String(tokensLeft ?? most),
    "x-ratelimit-reset-tokens": String(venice ? resetsAtMs : secondsLeft),
  };
}

/** The rest of the failure budget. Only venice sends it (wire.md section 2). */
export function budgetHeaders(
  dialect: DialectId,
  left: { readonly failures: number; readonly resetsAtMs: number },
): Record<string, string> {
  if (dialect === "standard") return {};
  return { "x-ratelimit-remaining": String(left.failures), "x-ratelimit-resets": String(left.resetsAtMs) };
}
