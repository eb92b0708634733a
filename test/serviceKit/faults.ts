import type { ErrorShape } from "./errorShapes.ts";

/** Which requests a fault strikes; each member that is given must fit. */
interface FaultMatch {
  readonly method?: string;
  /** Ends the request's path, without its query. */
  readonly path?: string;
  /** The body's `model`, without a feature suffix. */
  readonly model?: string;
}

interface Aim {
  readonly match?: FaultMatch;
  /** Strikes so often, then never again; default always. */
  readonly times?: number;
  /** Lets so many matching requests pass first; default 0. */
  readonly after?: number;
}

/** Faults that answer in the service's place. */
type AnswerFault = {
  /** Strikes once the service has done and charged its work, so that no more than the answer is lost; default false. */
  readonly late?: boolean;
} & ReplacedAnswer;

type ReplacedAnswer =
  /** A failure in one of the body shapes of wire.md section 8, or with the body given. */
  | { kind: "status"; status: number; shape?: ErrorShape; message?: string; body?: unknown; headers?: Named }
  /** An edge's page in place of the service. */
  | { kind: "html"; status?: number }
  | { kind: "redirect"; location: string; status?: number }
  /** Any JSON in place of any reply; under `status` 200 unless told. */
  | { kind: "json"; body: unknown; status?: number }
  /** The connection is cut before any header. */
  | { kind: "drop" };

/** Faults of a reply that the service made. */
type ReplyFault =
  /** The reply's JSON as the function returns it: members added, nulls, an odd row in a list. */
  | { kind: "edit"; edit: (value: unknown) => unknown }
  /** One piece of JSON in answer to `stream: true`. */
  | { kind: "whole" }
  | { kind: "headers"; headers: Named };

/** Faults of a stream's events; `after` counts the events that pass before it. */
type EventFault =
  | { kind: "drop-stream"; events: number }
  /** An error event, then [DONE]. */
  | { kind: "error-event"; events: number; error?: unknown }
  /** The body ends, properly, without [DONE]. */
  | { kind: "no-done" }
  /** The body ends, properly, inside an event. */
  | { kind: "half-event"; events: number }
  | { kind: "edit-events"; edit: (value: unknown) => unknown };

/** Faults of the bytes and their timing. */
type ByteFault =
  | { kind: "slow-headers"; ms: number }
  /** Pieces of so many bytes, with a pause after each. */
  | { kind: "drip"; bytes: number; ms: number }
  /** Each character of several bytes comes in two pieces. */
  | { kind: "split-utf8" }
  /** The body ends, properly, after so many bytes. */
  | { kind: "truncate"; bytes: number }
  /** The connection is cut after so many bytes of the body. */
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

/** Counts strikes: tells for each request which faults strike it. */
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
