import type { Resend } from "./endpoint.ts";
import type { ApiError } from "./errors.ts";

/** Resends after the first try, and the longest that one call waits between tries, in milliseconds. */
export const maxResends = 2;
/** A window of a minute whose reset is told in whole seconds may lie a second further off. */
export const maxWaitMs = 61_000;
const firstBackoffMs = 500;

const passing = new Set([408, 429, 500, 502, 503, 504]);
const refusedUnbilled: Readonly<Record<Resend, ReadonlySet<number>>> = {
  reading: passing,
  keyed: passing,
  unanswered: new Set([429, 500, 503]),
  billed: new Set([429, 503]),
};

/** Whether a call of this class may be sent again after this failure, without a chance of being billed twice. */
export function mayResend(resend: Resend, error: ApiError): boolean {
  const { status, reason, mayHaveArrived } = error.details;
  if (status !== undefined) {
    // A failure budget only grows by trying again; the caller is told when it opens.
    return error.kind !== "failure-budget" && refusedUnbilled[resend].has(status);
  }
  if (error.kind !== "network" && error.kind !== "timed-out") return false;
  // These will fail again in the same way: tell the person at once.
  if (
    reason === "certificate" ||
    reason === "proxy" ||
    reason === "redirect" ||
    reason === "name-not-found"
  ) {
    return false;
  }
  return resend === "reading" || resend === "keyed" || mayHaveArrived === false;
}

/** Whether a call that failed like this may stand on the bill all the same (wire.md section 8). */
export function mayBeBilled(resend: Resend, { details: { status, mayHaveArrived } }: ApiError): boolean {
  if (mayHaveArrived === false) return false;
  if (status === undefined || status < 400) return true;
  return status >= 500 && status !== 503 && !(status === 500 && resend === "unanswered");
}

/**
 * Milliseconds to wait before resend number `attempt` (0-based), or undefined where it must not or cannot be sent again.
 * The time that the service names wins; else exponential backoff with full jitter.
 */
export function resendDelayMs(
  resend: Resend,
  error: ApiError,
  attempt: number,
  nowMs: number,
  random: () => number,
): number | undefined {
  if (attempt >= maxResends || !mayResend(resend, error)) return undefined;
  const named = error.details.retryAtMs;
  const delay = named === undefined ? random() * firstBackoffMs * 2 ** attempt : Math.max(0, named - nowMs);
  return delay > maxWaitMs ? undefined : delay;
}

/** Waits, or throws the signal's reason as soon as it fires. */
export function waitMs(ms: number, signal: AbortSignal | undefined, reason: () => ApiError): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(reason());
    const onAbort = () => {
      clearTimeout(timer);
      reject(reason());
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
