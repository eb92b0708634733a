import { ApiError } from "./errors.ts";

/** How long a call may wait, in milliseconds. */
export interface Timeouts {
  /** Until the answer's headers: name look-up, connection and the service's own thinking. */
  readonly headersMs: number;
  /** Between two pieces of the body. */
  readonly idleMs: number;
}

/** One signal for one exchange, from the caller's button to the socket, the body included. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Starts the clock anew for the phase that begins now. */
  expect(phase: keyof Timeouts): void;
  /** Ends the exchange now, as the caller's own signal would. */
  cancel(): void;
  /** Stops the clock and lets go of the caller's signal. */
  end(): void;
}

/** The reason is an ApiError: `cancelled` when the caller's signal fired, `timed-out` when the clock did. */
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
      // A running timer is refreshed rather than replaced: bodies arrive in thousands of pieces.
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
