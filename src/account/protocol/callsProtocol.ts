import * as z from "zod";

// The view imports types alone from here, which keeps zod out of its bundle.

const callDimensions = ["source", "client", "folder", "branch", "session", "key", "model"] as const;
/** A property of a call in the spend ledger by which calls are grouped and filtered. */
export type CallDimension = (typeof callDimensions)[number];

/** Calls can be grouped by one property, or by key and model together. */
const callGroupings = [...callDimensions, "keyAndModel"] as const;
export type CallGrouping = (typeof callGroupings)[number];

const name = z.string().max(1000).optional();

/** Asks for the groups of this month's calls. An empty text in the filter selects calls without that property. */
export const CallsRequest = z.strictObject({
  query: z.int(),
  by: z.enum(callGroupings),
  filter: z.strictObject({
    source: name,
    client: name,
    folder: name,
    branch: name,
    session: name,
    key: name,
    model: name,
  }),
});
export type CallsRequest = z.infer<typeof CallsRequest>;
export type CallFilter = CallsRequest["filter"];

export const CallRowsRequest = z.strictObject({
  query: z.int(),
  from: z.int().min(0),
  count: z.int().min(1).max(500),
});
export type CallRowsRequest = z.infer<typeof CallRowsRequest>;

interface CallChoice {
  /** As in the ledger; empty for calls without the property. */
  readonly value: string;
  readonly name: string;
}

export interface CallGroup {
  readonly name: string;
  /** Selects its calls. Undefined for a row that is no group of calls: the rest of the groups, of a key, or of the bill. */
  readonly filter: CallFilter | undefined;
  readonly spend: string;
  /** Share of the sum of all rows, 0 to 1. */
  readonly share: number;
  /** Undefined if it is unknown. */
  readonly calls: number | undefined;
}

/** This month's calls of this extension on this computer. */
export interface CallsState {
  readonly query: number;
  readonly summary: string;
  readonly groups: readonly CallGroup[];
  /** Values that can be filtered by. */
  readonly choices: Readonly<Record<CallDimension, readonly CallChoice[]>>;
  /** Calls that match the filter. */
  readonly size: number;
}

/** A call as the list shows it. */
export interface CallRow {
  readonly time: string;
  readonly spend: string;
  readonly source: string;
  readonly client: string;
  readonly folder: string;
  readonly branch: string;
  readonly session: string;
  readonly key: string;
  readonly endpoint: string;
  readonly model: string;
  readonly requestId: string;
}

/** Host → view. */
export type ToCallsView =
  | { readonly v: 1; readonly type: "calls"; readonly state: CallsState }
  | {
      readonly v: 1;
      readonly type: "callRows";
      readonly query: number;
      readonly from: number;
      readonly rows: readonly CallRow[];
    }
  /** The ledger has changed. */
  | { readonly v: 1; readonly type: "callsChanged" }
  /** Shows the calls of the key with this ending. */
  | { readonly v: 1; readonly type: "pickKey"; readonly key: string };
