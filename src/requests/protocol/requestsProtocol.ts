import * as z from "zod";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";

// The page imports types alone from here, which keeps zod out of its bundle.

/** How a call ended, as the list is filtered by it. */
const outcomes = ["ok", "failed", "retried"] as const;
export type Outcome = (typeof outcomes)[number];

/** A call as the list shows it. */
export interface RequestRow {
  readonly id: string;
  readonly time: string;
  readonly what: string;
  readonly model: string;
  readonly source: string;
  readonly status: string;
  readonly ms: string;
  readonly tokens: string;
  readonly price: string;
}

interface Choice {
  readonly value: string;
  readonly name: string;
}

export interface RequestsState {
  /** Values that can be filtered by. */
  readonly sources: readonly Choice[];
  readonly connections: readonly Choice[];
  /** Calls that are kept. */
  readonly total: number;
  /** The setting. 0: nothing is kept. */
  readonly keepDays: number;
  /** True if a read of the log failed; its calls are those of the last read. */
  readonly isUnreadable: boolean;
}

/** A body as the page shows it. */
export interface BodyView {
  /** `application/json · 1,204 bytes`. */
  readonly summary: string;
  /** Empty for files and secrets. */
  readonly text: string;
  /** What the text lacks; empty if it is complete. */
  readonly note: string;
}

export interface AttemptView {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly requestHeaders: readonly Fact[];
  readonly request: BodyView | null;
  readonly responseHeaders: readonly Fact[];
  readonly response: BodyView | null;
}

export type Fact = readonly [name: string, value: string];

export interface RequestDetail {
  readonly id: string;
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly attempts: readonly AttemptView[];
  /** Why it can't be sent again; empty if it can. */
  readonly replayProblem: string;
}

/** The filter of the list. Undefined for all. */
export interface RequestFilter {
  readonly text: string;
  readonly outcome: Outcome | undefined;
  readonly source: string | undefined;
  readonly connection: string | undefined;
}

/** What VS Code keeps of the page, which it destroys while the tab is hidden. */
export interface KeptRequests {
  readonly filter?: RequestFilter;
  /** Id of the open request. */
  readonly open?: string | undefined;
}

/** Host → page. */
export type ToRequestsView =
  | { readonly v: 1; readonly type: "state"; readonly state: RequestsState }
  /** Result of the query with this number. */
  | { readonly v: 1; readonly type: "found"; readonly query: number; readonly size: number }
  | {
      readonly v: 1;
      readonly type: "rows";
      readonly query: number;
      readonly from: number;
      readonly rows: readonly RequestRow[];
    }
  | { readonly v: 1; readonly type: "detail"; readonly detail: RequestDetail }
  /** The call is not there: never recorded, or deleted. */
  | { readonly v: 1; readonly type: "missing"; readonly text: string }
  /** Sets the text of the filter. */
  | { readonly v: 1; readonly type: "filter"; readonly text: string };

const text = z.string().max(1000);
const id = z.strictObject({ id: text.min(1) });

/** Page → host, by name. */
const bodies = {
  ready: z.strictObject({}),
  refresh: z.strictObject({}),
  query: z.strictObject({
    query: z.int(),
    text,
    outcome: z.enum(outcomes).optional(),
    source: text.optional(),
    connection: text.optional(),
  }),
  rows: z.strictObject({ query: z.int(), from: z.int().min(0), count: z.int().min(1).max(500) }),
  open: id,
  copyCurl: id,
  copyJson: id,
  openBody: z.strictObject({
    id: text.min(1),
    attempt: z.int().min(0),
    part: z.enum(["request", "response"]),
  }),
  replay: id,
  clear: z.strictObject({}),
  openSettings: z.strictObject({}),
};

export type FromRequestsView = ViewMessage<typeof bodies>;
export type RequestQuery = Extract<FromRequestsView, { readonly type: "query" }>["body"];

/** Parses a message of the page; undefined if it is invalid for this version. */
export function parseFromRequestsView(message: unknown): FromRequestsView | undefined {
  return parseViewMessage(bodies, message);
}
