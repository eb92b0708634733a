import { ApiError } from "../errors/errors.ts";

/** Timeouts of a call, in milliseconds. */
export interface Timeouts {
  /** Until the headers: DNS lookup, connection and processing. */
  readonly headersMs: number;
  /** Between two chunks of the body. */
  readonly idleMs: number;
}

/** One abort signal for a whole request, including its body. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Restarts the timer for a phase. */
  expect(phase: keyof Timeouts): void;
  /** Aborts the request as the caller's signal would. */
  cancel(): void;
  /** Stops the timer and removes the listener from the caller's signal. */
  end(): void;
}

/** The reason is an ApiError: `cancelled` after the caller's signal, `timed-out` after the timer. */
export function createDeadline(endpoint: string, timeouts: Timeouts, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: keyof Timeouts | undefined;
  const cancel = () => controller.abort(cancelled(endpoint));
  if (outer?.aborted) cancel();
  outer?.addEventListener("abort", cancel, { once: true });
  return {
    signal: controller.signal,
    expect(phase) {
      // A running timer is refreshed, not replaced, because a body may have thousands of chunks.
      if (timer && running === phase) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      running = phase;
      timer = setTimeout(() => controller.abort(timedOut(endpoint, phase, timeouts[phase])), timeouts[phase]);
    },
    cancel,
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", cancel);
    },
  };
}

export function cancelled(endpoint: string): ApiError {
  return new ApiError("cancelled", "cancelled", { endpoint, mayHaveArrived: true });
}

function timedOut(endpoint: string, phase: keyof Timeouts, ms: number): ApiError {
  const waited = `${ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`}`;
  const what = phase === "headersMs" ? `no answer within ${waited}` : `the answer stalled for ${waited}`;
  return new ApiError("timed-out", what, { endpoint, mayHaveArrived: true });
}
