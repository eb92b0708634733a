import type { Resend } from "../endpoint.ts";
import type { ApiError, NetworkReason } from "../errors/errors.ts";

/** Retries after the first attempt, and the longest wait between attempts, in milliseconds. */
export const maxResends = 2;
/** The reset of a one-minute window that is stated in whole seconds may be one second later. */
export const maxWaitMs = 61_000;
const firstBackoffMs = 500;

const passing = new Set([408, 429, 500, 502, 503, 504]);
/** The gateway's own: it did not reach the service, or got no answer from it. */
const ofGateway = [520, 521, 522, 523, 524, 525, 526, 527, 530];
const refusedUnbilled: Readonly<Record<Resend, ReadonlySet<number>>> = {
  reading: new Set([...passing, ...ofGateway]),
  keyed: passing,
  unanswered: new Set([429, 500, 503]),
  billed: new Set([429, 503]),
};

/** These stay as they are until somebody acts: they are reported at once. */
const isLasting: ReadonlySet<NetworkReason> = new Set([
  ...(["certificate", "tls", "proxy", "redirect", "name-not-found"] as const),
  ...(["plain-http", "tls-needed", "http2-only", "challenge", "portal"] as const),
]);

/** True if a call of this class can be retried after this failure without a risk of being billed twice. */
export function mayResend(resend: Resend, error: ApiError): boolean {
  const { status, reason, mayHaveArrived } = error.details;
  if (reason !== undefined && isLasting.has(reason)) return false;
  if (status !== undefined) {
    // Retries extend the failure budget. The caller is told when it resets.
    return error.kind !== "failure-budget" && refusedUnbilled[resend].has(status);
  }
  if (error.kind !== "network" && error.kind !== "timed-out") return false;
  return resend === "reading" || resend === "keyed" || mayHaveArrived === false;
}

/** True if a failed call may still be billed (wire.md section 8). */
export function mayBeBilled(resend: Resend, { details: { status, mayHaveArrived } }: ApiError): boolean {
  if (mayHaveArrived === false) return false;
  if (status === undefined || status < 400) return true;
  return status >= 500 && status !== 503 && !(status === 500 && resend === "unanswered");
}

/**
 * Delay before retry `attempt` (0-based) in milliseconds, or undefined if the call must not be retried. A time stated
 * by the service takes precedence over exponential backoff with full jitter.
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

/** Waits, or throws the given reason as soon as the signal is aborted. */
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
