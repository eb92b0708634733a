import type { DialectId } from "../../api/dialect/dialect.ts";
import { Refusal } from "../refusal.ts";

/** Caps of one caller (spec, Chain-RPC limits). */
const caps = { requests: 100, credits: 10_000_000 };

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface RpcCaps {
  /** Counts a request, also a replay. Throws a 429 above the cap per minute. */
  takeRequest(callerId: string): void;
  /** Throws a 429 if these credits would exceed the cap of 24 hours. */
  checkCredits(callerId: string, credits: number): void;
  spendCredits(callerId: string, credits: number): void;
  /** Runs one request per caller at a time if the dialect does. A second one gets a 429 (wire.md section 9). */
  alone<Value>(callerId: string, run: () => Promise<Value>): Promise<Value>;
}

export function createRpcCaps(options: {
  readonly now: () => number;
  readonly dialect: DialectId;
  /** If not `enforced`, requests and credits are counted but never refused. */
  readonly enforced: boolean;
}): RpcCaps {
  const { now, dialect, enforced } = options;
  const requests = windows(() => createCapWindow(now, minuteMs));
  const credits = windows(() => createCapWindow(now, dayMs));
  const inFlight = new Set<string>();
  const check = (window: CapWindow, amount: number, cap: number, what: string) => {
    if (!enforced || window.used + amount <= cap) return;
    const headers = capHeaders(cap, window.used, window.fitsAtMs(amount, cap));
    throw tooMany(dialect, `RPC limit exceeded: ${cap} ${what}`, headers);
  };
  return {
    takeRequest(callerId) {
      const window = requests(callerId);
      check(window, 1, caps.requests, "requests per minute");
      window.add(1);
    },
    checkCredits: (callerId, amount) =>
      check(credits(callerId), amount, caps.credits, "credits per 24 hours"),
    spendCredits: (callerId, amount) => credits(callerId).add(amount),
    async alone(callerId, run) {
      if (dialect !== "venice") return run();
      if (inFlight.has(callerId)) {
        throw tooMany(dialect, "Another RPC request of this caller is in flight", { "retry-after": "1" });
      }
      inFlight.add(callerId);
      try {
        return await run();
      } finally {
        inFlight.delete(callerId);
      }
    },
  };
}

function windows(make: () => CapWindow): (callerId: string) => CapWindow {
  const all = new Map<string, CapWindow>();
  return (callerId) => {
    const known = all.get(callerId) ?? make();
    all.set(callerId, known);
    return known;
  };
}

/** Sent with a 429 only (spec E3). The reset is Unix time in seconds in both dialects (wire.md section 2). */
function capHeaders(cap: number, used: number, resetsAtMs: number): Record<string, string> {
  return {
    "x-ratelimit-limit": String(cap),
    "x-ratelimit-remaining": String(Math.max(0, cap - used)),
    "x-ratelimit-reset": String(Math.ceil(resetsAtMs / 1000)),
  };
}

/** `customMessage` names the cap, at the top level or beside the message (wire.md section 8). */
function tooMany(dialect: DialectId, customMessage: string, headers: Record<string, string>): Refusal {
  const message = "Too many requests";
  const members = dialect === "venice" ? { error: { message, customMessage } } : { customMessage };
  return new Refusal(429, message, { headers, members });
}

/** Counts within a rolling time window. */
interface CapWindow {
  readonly used: number;
  add(amount: number): void;
  /** The Unix time in milliseconds at which `amount` more fits under `cap`; now if it already fits. */
  fitsAtMs(amount: number, cap: number): number;
}

function createCapWindow(now: () => number, windowMs: number): CapWindow {
  let entries: { readonly atMs: number; readonly amount: number }[] = [];
  let used = 0;
  const expire = () => {
    const first = entries.findIndex(({ atMs }) => now() - atMs < windowMs);
    const gone = first < 0 ? entries : entries.slice(0, first);
    if (gone.length === 0) return;
    used -= gone.reduce((sum, { amount }) => sum + amount, 0);
    entries = entries.slice(gone.length);
  };
  return {
    get used() {
      expire();
      return used;
    },
    add(amount) {
      expire();
      entries.push({ atMs: now(), amount });
      used += amount;
    },
    fitsAtMs(amount, cap) {
      expire();
      let over = used + amount - cap;
      for (const entry of entries) {
        if (over <= 0) break;
        over -= entry.amount;
        if (over <= 0) return entry.atMs + windowMs;
      }
      return now();
    },
  };
}
