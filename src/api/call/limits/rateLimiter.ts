import { ApiError } from "../../errors/errors.ts";
import type { Exchange } from "../attempt.ts";
import { maxWaitMs } from "../retry.ts";
import type { LimitHeaders, LimitWindow } from "./limits.ts";

/** The delay of a request: wait `ms`, or fail if that is undefined. */
interface Gate {
  readonly ms: number | undefined;
  readonly because: ApiError;
}

/** The last rate-limit headers of one row, for one model if the row takes one. */
interface LimitPicture {
  readonly endpoint: string;
  readonly model: string | undefined;
  readonly limits: LimitHeaders;
  /** Unix milliseconds. */
  readonly seenAtMs: number;
}

/** Keeps the client within the service's limits (spec, Limits and Errors). One per client; no I/O. */
export interface RateLimiter {
  /** Undefined admits one request and counts it. */
  admit(endpoint: string, model: unknown): Gate | undefined;
  record(exchange: Exchange): void;
  pictures(): readonly LimitPicture[];
}

/** Below the service's own budget of 20, because other clients of the same key fail too. */
const failureBudget = { failures: 15, windowMs: 30_000 };

/** Requests per minute that the spec states for single rows, for any caller (spec E6). */
const perMinute: Readonly<Record<string, number>> = { "keys.create": 20 };
/** Rows whose limit depends on the caller's tier. Only a refusal shows it (spec, Chain-RPC limits). */
const perTier: ReadonlySet<string> = new Set(["rpc.call"]);
const minuteMs = 60_000;

export function createRateLimiter(now: () => number): RateLimiter {
  const pictures = new Map<string, LimitPicture>();
  const sent = new Map<string, number[]>();
  const learnt = new Map<string, number>();
  const limitOf = (endpoint: string) => learnt.get(endpoint) ?? perMinute[endpoint];
  const failures: number[] = [];
  return {
    admit(endpoint, model) {
      const nowMs = now();
      const closed =
        failureGate(endpoint, failures, nowMs) ?? minuteGate(endpoint, limitOf(endpoint), sent, nowMs);
      if (closed) return closed;
      const key = keyOf(endpoint, model);
      const picture = pictures.get(key);
      const gate = picture && windowGate(picture, nowMs);
      if (gate) return gate;
      if (picture) pictures.set(key, countedDown(picture));
      if (perTier.has(endpoint) || limitOf(endpoint) !== undefined) {
        sent.set(endpoint, [...recent(sent.get(endpoint), minuteMs, nowMs), nowMs]);
      }
      return undefined;
    },
    record(exchange) {
      const { endpoint, model, limits, status } = exchange;
      const seenAtMs = now();
      if (limits.requests || limits.tokens) {
        pictures.set(keyOf(endpoint, model), { endpoint, model, limits, seenAtMs });
      }
      const limit = limits.requests?.limit;
      if (perTier.has(endpoint) && limit !== undefined && isOfMinute(limits.requests, seenAtMs)) {
        learnt.set(endpoint, limit);
      }
      if (status !== undefined && status >= 400) failures.push(seenAtMs);
      failures.splice(0, failures.length - failureBudget.failures);
    },
    pictures: () => [...pictures.values()],
  };
}

function failureGate(endpoint: string, failures: readonly number[], nowMs: number): Gate | undefined {
  const counted = recent(failures, failureBudget.windowMs, nowMs);
  const [oldest] = counted;
  if (counted.length < failureBudget.failures || oldest === undefined) return undefined;
  const because = new ApiError("failure-budget", `${counted.length} requests failed within 30 seconds`, {
    endpoint,
    retryAtMs: oldest + failureBudget.windowMs,
    mayHaveArrived: false,
  });
  return { ms: undefined, because };
}

function minuteGate(
  endpoint: string,
  limit: number | undefined,
  sent: ReadonlyMap<string, number[]>,
  nowMs: number,
): Gate | undefined {
  const counted = recent(sent.get(endpoint), minuteMs, nowMs);
  const [oldest] = counted;
  if (limit === undefined || oldest === undefined || counted.length < limit) return undefined;
  return gateUntil(endpoint, undefined, "requests", `${limit} requests/min`, oldest + minuteMs, nowMs);
}

function windowGate({ endpoint, model, limits }: LimitPicture, nowMs: number): Gate | undefined {
  for (const name of ["requests", "tokens"] as const) {
    const window = limits[name];
    if (!window || !isSpent(window, nowMs)) continue;
    const rule = window.limit === undefined ? name : `${window.limit} ${name}/min`;
    return gateUntil(endpoint, model, name, rule, window.resetAtMs ?? nowMs, nowMs);
  }
  return undefined;
}

function gateUntil(
  endpoint: string,
  model: string | undefined,
  limit: string,
  rule: string,
  retryAtMs: number,
  nowMs: number,
): Gate {
  const of = model ? `, model ${model}` : "";
  const details = { endpoint, limit, retryAtMs, mayHaveArrived: false };
  const because = new ApiError("rate-limited", `${rule}${of}`, details);
  const ms = retryAtMs - nowMs;
  return { ms: ms > maxWaitMs ? undefined : ms, because };
}

/** The daily limit of credits is in the same headers. */
function isOfMinute(window: LimitWindow | undefined, nowMs: number): boolean {
  return window?.resetAtMs !== undefined && window.resetAtMs - nowMs <= maxWaitMs;
}

function isSpent({ remaining, resetAtMs }: LimitWindow, nowMs: number): boolean {
  return remaining !== undefined && remaining <= 0 && resetAtMs !== undefined && resetAtMs > nowMs;
}

/** Counts one request, so that a burst does not exceed the limit before the first headers arrive. */
function countedDown(picture: LimitPicture): LimitPicture {
  const { requests } = picture.limits;
  if (requests?.remaining === undefined) return picture;
  return {
    ...picture,
    limits: { ...picture.limits, requests: { ...requests, remaining: requests.remaining - 1 } },
  };
}

function recent(times: readonly number[] | undefined, windowMs: number, nowMs: number): number[] {
  return (times ?? []).filter((time) => time > nowMs - windowMs);
}

function keyOf(endpoint: string, model: unknown): string {
  return `${endpoint} ${typeof model === "string" ? model : ""}`;
}
