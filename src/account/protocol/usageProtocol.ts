import * as z from "zod";
import type { Known } from "../../shared/known.ts";
import { parseViewMessage, type ViewMessage } from "../../shared/viewMessage.ts";
import type { ToBudgetsView } from "./budgetsProtocol.ts";
import type { ToCacheView } from "./cacheProtocol.ts";
import { CallRowsRequest, CallsRequest, type ToCallsView } from "./callsProtocol.ts";
import type { ToComparisonView } from "./comparisonProtocol.ts";

// The view imports types alone from here, which keeps zod out of its bundle.

const sortColumns = [
  "time",
  "sku",
  "units",
  "price",
  "amount",
  "currency",
  "tokens",
  "duration",
  "notes",
] as const;
export type SortColumn = (typeof sortColumns)[number];

/** One line of the chart and of the table with the same data. Amounts are decimal digits, as exact as the records. */
export interface UsageSeries {
  readonly name: string;
  /** One per day. */
  readonly values: readonly string[];
  readonly total: string;
}

export interface UsageCard {
  readonly label: string;
  readonly value: Known<string>;
  readonly note: string;
}

/** One row under "Models" or "Keys". */
export interface UsageRank {
  readonly name: string;
  readonly spend: string;
  /** Share of the total spend in the shown currency, 0 to 1. */
  readonly share: number;
  /** `1,200 tokens`; empty if they are not counted. */
  readonly units: string;
  /** For models: price in USD of 1,000 tokens, whichever balance paid; empty if tokens are not counted. */
  readonly perThousand: string;
  /** For keys: its end, by which the ledger names it; absent if it is not known. */
  readonly keyEnding?: string;
}

/** Inline completions of one span of days. */
export interface CompletionRow {
  readonly name: string;
  readonly requests: number;
  readonly shown: number;
  readonly accepted: number;
  /** Share of the shown ones that was accepted; empty if none was shown. */
  readonly rate: string;
  readonly keystrokes: number;
  readonly spend: string;
  /** Cost of 1,000 keystrokes in cents; empty without keystrokes. */
  readonly perThousand: string;
}

/** The state of the dashboard. The host computes it, the view draws it. */
export interface UsageState {
  readonly service: string;
  /** Id of the connection, by which a page after a reload knows whether it shows the same account. */
  readonly connection: string;
  /** `YYYY-MM-DD`, both included, UTC. */
  readonly from: string;
  readonly to: string;
  /** Length of the range in days back from today; 0 if it was chosen by dates. */
  readonly lookback: number;
  readonly groupBy: "model" | "key";
  /** The currency of the chart and of shares. */
  readonly currency: string;
  /** Lists and records have this currency alone; empty for all, when the chart has the one with the highest spend. */
  readonly onlyCurrency: string;
  readonly currencies: readonly string[];
  readonly days: readonly string[];
  readonly series: Known<readonly UsageSeries[]>;
  readonly cards: readonly UsageCard[];
  readonly models: Known<readonly UsageRank[]>;
  readonly keys: Known<readonly UsageRank[]>;
  /** Records in the range. */
  readonly records: Known<number>;
  /** Unix time in milliseconds; null if nothing was read. */
  readonly asOfMs: number | null;
  /** A warning of the service. */
  readonly warning: string;
  /** What the service says of the analytics behind keys and units, such as `beta`; empty if they are stable. */
  readonly analyticsStatus: string;
  /** The reason that data is missing or old; empty if it is complete. */
  readonly problem: string;
  /** True if only a key of type ADMIN can read the data. */
  readonly needsAdmin: boolean;
}

/** A record as the table shows it. */
export interface UsageRow {
  readonly time: string;
  readonly sku: string;
  readonly units: string;
  /** The list price of one unit in USD, whichever balance paid. */
  readonly price: string;
  /** Positive for spend. */
  readonly amount: string;
  readonly currency: string;
  readonly tokens: string;
  readonly duration: string;
  readonly notes: string;
  readonly requestId: string;
}

/** All records of one request, combined. */
export interface RequestDetail {
  readonly requestId: string;
  readonly rows: readonly UsageRow[];
  readonly total: Known<string>;
  readonly facts: readonly (readonly [name: string, value: string])[];
}

/** Host → view. */
export type ToUsageView =
  | ToCallsView
  | ToBudgetsView
  | ToCacheView
  | ToComparisonView
  | { readonly v: 1; readonly type: "loading"; readonly text: string }
  | { readonly v: 1; readonly type: "state"; readonly state: UsageState }
  /** The connection has changed: nothing that the page has belongs to the new one. */
  | { readonly v: 1; readonly type: "cleared" }
  /** What the page had kept belongs to another connection: it is dropped, and the text says so. */
  | { readonly v: 1; readonly type: "moved"; readonly text: string }
  /** Result of the query with this number. */
  | { readonly v: 1; readonly type: "found"; readonly query: number; readonly size: number }
  | {
      readonly v: 1;
      readonly type: "rows";
      readonly query: number;
      readonly from: number;
      readonly rows: readonly UsageRow[];
    }
  | { readonly v: 1; readonly type: "request"; readonly detail: RequestDetail }
  | { readonly v: 1; readonly type: "completions"; readonly rows: readonly CompletionRow[] }
  /** Sets the text of the filter. */
  | { readonly v: 1; readonly type: "filter"; readonly text: string };

const date = z.iso.date();
const text = z.string().max(1000);

const KeptChoice = z.strictObject({
  connection: text,
  service: text,
  lookback: z.int().min(0).max(90),
  from: date,
  to: date,
  groupBy: z.enum(["model", "key"]),
  currency: text,
});
/** The user's choices for a connection, which a page keeps over a reload of the window. */
export type KeptChoice = z.infer<typeof KeptChoice>;

/** Undefined for anything else, such as what another version kept. */
export function readKeptChoice(value: unknown): KeptChoice | undefined {
  return KeptChoice.safeParse(value).data;
}

/** View → host, by name. */
const bodies = {
  ready: z.strictObject({ kept: z.unknown().optional() }),
  refresh: z.strictObject({}),
  lookback: z.strictObject({ days: z.int().min(1).max(90) }),
  range: z.strictObject({ from: date, to: date }),
  groupBy: z.strictObject({ by: z.enum(["model", "key"]) }),
  currency: z.strictObject({ currency: text }),
  query: z.strictObject({
    query: z.int(),
    text,
    model: text.optional(),
    key: text.optional(),
    currency: text.optional(),
    sort: z.enum(sortColumns),
    isDescending: z.boolean(),
  }),
  rows: z.strictObject({ query: z.int(), from: z.int().min(0), count: z.int().min(1).max(500) }),
  calls: CallsRequest,
  callRows: CallRowsRequest,
  compare: z.strictObject({}),
  request: z.strictObject({ requestId: text.min(1) }),
  exportFile: z.strictObject({}),
  showRequest: z.strictObject({ requestId: text.min(1) }),
  addAdmin: z.strictObject({}),
  changeBudget: z.strictObject({}),
  openChat: z.strictObject({ conversation: text.min(1) }),
  copy: z.strictObject({ text: z.string().max(100_000) }),
};

export type FromUsageView = ViewMessage<typeof bodies>;

/** Parses a message of the dashboard; undefined if it is invalid for this version. */
export function parseFromUsageView(message: unknown): FromUsageView | undefined {
  return parseViewMessage(bodies, message);
}
