import type { SpendTotals } from "../../../session/spend/spendBook.ts";
import { paidFor, type SpentEntry } from "../../../session/spend/spendLines.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { Counted } from "../../../shared/money/budgetRule.ts";
import { toRuntimeCurrency } from "../../../shared/money/money.ts";
import { spendText } from "../../../shared/money/moneyText.ts";
import type {
  CallDimension,
  CallGroup,
  CallGrouping,
  CallRow,
  CallRowsRequest,
  CallsRequest,
  CallsState,
  ToCallsView,
} from "../../protocol/callsProtocol.ts";
import { type KeyFacts, noKeyFacts } from "../keys/keyFacts.ts";
import { byWorth } from "../usage/analyticsTotals.ts";
import {
  type CallSum,
  callDimensions,
  callFacts,
  callValueName,
  dimensionsOf,
  filterCalls,
  groupCalls,
  sessionOf,
  sumOfCalls,
} from "./callGroups.ts";

/** This month in the spend ledger of one connection. */
export interface CallLedger {
  /** Newest first. */
  readonly entries: readonly SpentEntry[];
  readonly totals: SpendTotals;
  readonly isPlayMoney: boolean;
  readonly nowMs: number;
  /** Default: nothing is known of the keys. */
  readonly keys?: KeyFacts;
}

/** Groups and lists this month's calls for the dashboard. */
export interface CallSearch {
  query(request: CallsRequest): Promise<void>;
  rows(request: CallRowsRequest): void;
  /** The calls belong to another account. */
  clear(): void;
}

/** `ledger` reads what the service counts by key if `wantsKeySpend`. */
export function createCallSearch(
  ledger: (wantsKeySpend: boolean) => Promise<CallLedger | undefined>,
  post: (message: ToCallsView) => void,
): CallSearch {
  let newest = 0;
  let found:
    | { readonly query: number; readonly calls: readonly SpentEntry[]; readonly keys: KeyFacts | undefined }
    | undefined;
  return {
    async query(request) {
      newest = request.query;
      const read = await ledger(dimensionsOf(request.by).includes("key"));
      if (!read || newest !== request.query) return;
      const calls = filterCalls(read.entries, request.filter);
      found = { query: request.query, calls, keys: read.keys };
      post({ v: 1, type: "calls", state: toCallsState(request, read, calls) });
    },
    rows({ query, from, count }) {
      if (found?.query !== query) return;
      const { keys } = found;
      const rows = found.calls.slice(from, from + count).map((call) => toCallRow(call, keys));
      post({ v: 1, type: "callRows", query, from, rows });
    },
    clear() {
      found = undefined;
    },
  };
}

/** Exported for its property test. */
export function toCallsState(
  { query, by, filter }: CallsRequest,
  ledger: CallLedger,
  calls = filterCalls(ledger.entries, filter),
): CallsState {
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const { keys = noKeyFacts } = ledger;
  // A filter of this extension's calls can't select calls of others.
  const elsewhere = isFiltered ? nothing : elsewhereOf(ledger);
  const ofKeys = isFiltered ? [] : restsOfKeys(ledger, by, elsewhere);
  const rest = elsewhere.excessOver(Amounts.sum(ofKeys.map(({ spend }) => spend)));
  const rows = [...groupRows(groupCalls(calls, by), by, keys), ...ofKeys];
  if (rest.size > 0) rows.push({ name: "Elsewhere", filter: undefined, spend: rest, calls: undefined });
  const shareOf = createShares(Amounts.sum(rows.map(({ spend }) => spend)));
  return {
    query,
    summary: summaryOf(calls, ledger, { isFiltered, elsewhere }),
    groups: rows.map(({ spend, ...row }) => ({ ...row, spend: spendText(spend), share: shareOf(spend) })),
    choices: Object.fromEntries(
      callDimensions.map((of) => [of, choicesOf(ledger.entries, of, keys)]),
    ) as unknown as CallsState["choices"],
    size: calls.length,
  };
}

interface GroupRow extends Pick<CallGroup, "name" | "filter" | "calls"> {
  readonly spend: Amounts;
}

/** A bound, because clients name themselves. */
const mostGroups = 200;

/** The most expensive groups, and all others as one row. */
function groupRows(groups: readonly CallSum[], by: CallGrouping, keys: KeyFacts): GroupRow[] {
  const nameIn = (values: CallSum["values"]) =>
    dimensionsOf(by)
      .map((of) => callValueName(values[of] ?? "", of, keys))
      .join(" · ");
  const rows: GroupRow[] = groups
    .slice(0, mostGroups)
    .map(({ values, spend, calls }) => ({ name: nameIn(values), filter: values, spend, calls }));
  const others = groups.slice(mostGroups);
  if (others.length === 0) return rows;
  const spend = Amounts.sum(others.map((other) => other.spend));
  const calls = others.reduce((sum, other) => sum + other.calls, 0);
  return [...rows, { name: `${others.length} others`, filter: undefined, spend, calls }];
}

/**
 * The part of each key's spend that this ledger doesn't have. The service counts keys and models, but not both together, so
 * its models are unknown. Nothing without the service's counts.
 */
function restsOfKeys(
  { entries, keys = noKeyFacts }: CallLedger,
  by: CallGrouping,
  elsewhere: Amounts,
): GroupRow[] {
  if (!dimensionsOf(by).includes("key") || elsewhere.size === 0) return [];
  const here = new Map(groupCalls(entries, "key").map(({ values, spend }) => [values.key, spend]));
  const rests = [...(keys.monthSpend ?? [])].map(([key, spend]) => {
    const name = callValueName(key, "key", keys);
    const label = by === "key" ? `${name}, elsewhere` : `${name} · elsewhere, model not known`;
    return {
      name: label,
      filter: undefined,
      spend: spend.excessOver(here.get(key) ?? nothing),
      calls: undefined,
    };
  });
  const found = rests
    .filter(({ spend }) => spend.size > 0)
    .toSorted(byWorth)
    .slice(0, mostGroups);
  // What the service counts may be older or newer than the bill: never more than the bill has.
  const all = Amounts.sum(found.map(({ spend }) => spend));
  return all.excessOver(elsewhere).size > 0 ? [] : found;
}

function choicesOf(entries: readonly SpentEntry[], of: CallDimension, keys: KeyFacts) {
  return groupCalls(entries, of)
    .slice(0, mostGroups)
    .map(({ values }) => values[of] ?? "")
    .map((value) => ({ value, name: callValueName(value, of, keys) }));
}

/** The part of the bill that this ledger doesn't have: other programs, other computers, the service's web page. */
function elsewhereOf({ entries, totals }: CallLedger): Amounts {
  return totals.month.excessOver(sumOfCalls(entries));
}

/** Shares of a sum in one currency. In several, they are those of what budgets count. */
function createShares(all: Amounts): (part: Amounts) => number {
  const [only, ...others] = all.currencies;
  if (only === undefined) return () => 0;
  if (others.length > 0) return (part) => Counted.of(part).shareOf(Counted.of(all));
  const currency = toRuntimeCurrency(only);
  return (part) => part.in(currency).shareOf(all.in(currency));
}

function summaryOf(
  calls: readonly SpentEntry[],
  ledger: CallLedger,
  { isFiltered, elsewhere }: { readonly isFiltered: boolean; readonly elsewhere: Amounts },
): string {
  const { entries, totals, isPlayMoney, nowMs } = ledger;
  const money = (spend: Amounts) => `${spendText(spend)}${isPlayMoney ? " play money" : ""}`;
  const month = new Date(nowMs).toLocaleDateString("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const place = `of this extension over this connection on this computer in ${month} (UTC)`;
  const all = entries.length.toLocaleString("en-US");
  const shown = isFiltered ? `${calls.length.toLocaleString("en-US")} of ${all}` : all;
  const noun = entries.length === 1 ? "call" : "calls";
  const unpriced = calls.filter((call) => paidFor(call) === undefined).length;
  return [
    entries.length === 0
      ? `No calls ${place} have cost anything.`
      : `${money(sumOfCalls(calls))} for ${shown} ${noun} ${place}.`,
    unpriced > 0 ? `The price of ${unpriced.toLocaleString("en-US")} of them is unknown.` : "",
    elsewhere.size > 0 ? `The bill shows ${money(elsewhere)} more.` : "",
    totals.isMonthBilled ? "" : "The bill of this month is not completely read.",
  ]
    .filter(Boolean)
    .join(" ");
}

function toCallRow(entry: SpentEntry, keys: KeyFacts | undefined): CallRow {
  const { atMs, endpoint, model = "", requestId = "" } = entry;
  const spend = paidFor(entry);
  const facts = callFacts(entry);
  return {
    time: new Date(atMs).toISOString().slice(0, 19).replace("T", " "),
    spend: spend ? spendText(spend) : "unknown",
    source: facts.get("source") ?? "",
    client: facts.get("client") ?? "",
    folder: facts.get("folder") ?? "",
    branch: facts.get("branch") ?? "",
    session: sessionOf(entry) ?? "",
    key: entry.keyEnding === undefined ? "" : callValueName(entry.keyEnding, "key", keys),
    endpoint,
    model,
    requestId,
  };
}
