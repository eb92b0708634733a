import type { ErrorShape } from "./errorShapes.ts";

/** The requests that a fault applies to; each given member must match. */
interface FaultMatch {
  readonly method?: string;
  /** Ends the request's path, without its query. */
  readonly path?: string;
  /** The body's `model`, without a feature suffix. */
  readonly model?: string;
}

interface Aim {
  readonly match?: FaultMatch;
  /** Applies this number of times, then never again; default always. */
  readonly times?: number;
  /** Skips this number of matching requests first; default 0. */
  readonly after?: number;
}

/** Faults that replace the service's reply. */
type AnswerFault = {
  /** Applies after the service has done and charged its work, so that only the reply is lost; default false. */
  readonly late?: boolean;
} & ReplacedAnswer;

type ReplacedAnswer =
  /** A failure in one of the body shapes of wire.md section 8, or with the body given. */
  | { kind: "status"; status: number; shape?: ErrorShape; message?: string; body?: unknown; headers?: Named }
  /** A proxy's page in place of the service. */
  | { kind: "html"; status?: number }
  | { kind: "redirect"; location: string; status?: number }
  /** Any JSON in place of any reply, with `status`, default 200. */
  | { kind: "json"; body: unknown; status?: number }
  /** The connection is cut before any header. */
  | { kind: "drop" };

/** Faults of a reply of the service. */
type ReplyFault =
  /** Returns the changed JSON of the reply: added members, nulls, an invalid row in a list. */
  | { kind: "edit"; edit: (value: unknown) => unknown }
  /** One JSON body in reply to `stream: true`. */
  | { kind: "whole" }
  | { kind: "headers"; headers: Named };

/** Faults of a stream's events; `after` is the number of unchanged events. */
type EventFault =
  | { kind: "drop-stream"; events: number }
  /** An error event, then [DONE]. */
  | { kind: "error-event"; events: number; error?: unknown }
  /** The body ends properly without [DONE]. */
  | { kind: "no-done" }
  /** The body ends properly inside an event. */
  | { kind: "half-event"; events: number }
  | { kind: "edit-events"; edit: (value: unknown) => unknown };

/** Faults of the bytes and their timing. */
type ByteFault =
  | { kind: "slow-headers"; ms: number }
  /** Chunks of this size in bytes, with a pause after each. */
  | { kind: "drip"; bytes: number; ms: number }
  /** Each multi-byte character is split into two chunks. */
  | { kind: "split-utf8" }
  /** The body ends properly after this number of bytes. */
  | { kind: "truncate"; bytes: number }
  /** The connection is cut after this number of bytes of the body. */
  | { kind: "cut"; bytes: number }
  /** Events end their lines with CR LF. */
  | { kind: "crlf" };

type Named = Readonly<Record<string, string>>;
export type Fault = Aim & Readonly<AnswerFault | ReplyFault | EventFault | ByteFault>;
export type Faults = readonly Fault[];

/** Thrown to cut the connection. */
export class Drop extends Error {
  override readonly name = "Drop";
}

interface FaultTarget {
  readonly method: string;
  readonly path: string;
  readonly model: string | undefined;
}

/** Counts applications, and returns the faults that apply to a request. */
export interface FaultPlan {
  strike(target: FaultTarget): Faults;
}

export function createFaultPlan(faults: Faults): FaultPlan {
  const seen = new Map<Fault, number>();
  return {
    strike(target) {
      return faults.filter((fault) => {
        if (!hits(fault.match ?? {}, target)) return false;
        const count = seen.get(fault) ?? 0;
        seen.set(fault, count + 1);
        const first = fault.after ?? 0;
        return count >= first && count < first + (fault.times ?? Number.POSITIVE_INFINITY);
      });
    },
  };
}

function hits(match: FaultMatch, { method, path, model }: FaultTarget): boolean {
  return (
    (match.method ?? method) === method && path.endsWith(match.path ?? "") && (match.model ?? model) === model
  );
}

/** The last fault of a kind, with the members of that kind. */
export function faultOf<Kind extends Fault["kind"]>(
  faults: Faults,
  kind: Kind,
): Extract<Fault, { kind: Kind }> | undefined {
  return faults.findLast((fault): fault is Extract<Fault, { kind: Kind }> => fault.kind === kind);
}
