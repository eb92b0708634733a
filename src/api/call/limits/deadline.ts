import { ApiError } from "../../errors/errors.ts";

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
  /** Bytes of an event stream arrived. Heartbeats alone keep it alive for ten times the idle time. */
  heard(hasEvents: boolean): void;
  /** Aborts the request as the caller's signal would. */
  cancel(): void;
  /** Stops the timer and removes the listener from the caller's signal. */
  end(): void;
}

const maxQuietTimes = 10;

/** The reason is an ApiError: `cancelled` after the caller's signal, `timed-out` after the timer. */
export function createDeadline(endpoint: string, timeouts: Timeouts, outer?: AbortSignal): Deadline {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: keyof Timeouts | undefined;
  let lastEventMs: number | undefined;
  const maxQuietMs = timeouts.idleMs * maxQuietTimes;
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
    heard(hasEvents) {
      const nowMs = performance.now();
      if (hasEvents || lastEventMs === undefined) lastEventMs = nowMs;
      else if (nowMs - lastEventMs > maxQuietMs) controller.abort(onlyHeartbeats(endpoint, maxQuietMs));
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

function onlyHeartbeats(endpoint: string, ms: number): ApiError {
  const what = `the answer had only heartbeats for ${spell(ms)}`;
  return new ApiError("timed-out", what, { endpoint, mayHaveArrived: true });
}

function timedOut(endpoint: string, phase: keyof Timeouts, ms: number): ApiError {
  const waited = spell(ms);
  const what = phase === "headersMs" ? `no answer within ${waited}` : `the answer stalled for ${waited}`;
  return new ApiError("timed-out", what, { endpoint, mayHaveArrived: true });
}

function spell(ms: number): string {
  return ms >= 1000 ? `${Math.round(ms / 1000)} s` : `${ms} ms`;
}
