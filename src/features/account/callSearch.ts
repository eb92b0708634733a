import type { SpendTotals } from "../../session/spendBook.ts";
import type { SpentEntry } from "../../session/spendLines.ts";
import type {
  CallDimension,
  CallGroup,
  CallRow,
  CallRowsRequest,
  CallsRequest,
  CallsState,
  ToCallsView,
} from "../../shared/callsProtocol.ts";
import { type Exact, toNumber } from "../../shared/money/exact.ts";
import { moneyText } from "../../shared/money/moneyText.ts";
import {
  type CallSum,
  callDimensions,
  callFacts,
  callValueName,
  filterCalls,
  groupCalls,
} from "./callGroups.ts";

/** This month in the spend ledger of one connection. */
export interface CallLedger {
  /** Newest first. */
  readonly entries: readonly SpentEntry[];
  readonly totals: SpendTotals;
  readonly isPlayMoney: boolean;
  readonly nowMs: number;
}

/** Groups and lists this month's calls for the dashboard. */
export interface CallSearch {
  query(request: CallsRequest): Promise<void>;
  rows(request: CallRowsRequest): void;
}

export function createCallSearch(
  ledger: () => Promise<CallLedger> | undefined,
  post: (message: ToCallsView) => void,
): CallSearch {
  let newest = 0;
  let found: { readonly query: number; readonly calls: readonly SpentEntry[] } | undefined;
  return {
    async query(request) {
      newest = request.query;
      const read = await ledger();
      if (!read || newest !== request.query) return;
      const calls = filterCalls(read.entries, request.filter);
      found = { query: request.query, calls };
      post({ v: 1, type: "calls", state: toCallsState(request, read, calls) });
    },
    rows({ query, from, count }) {
      if (found?.query !== query) return;
      const rows = found.calls.slice(from, from + count).map(toCallRow);
      post({ v: 1, type: "callRows", query, from, rows });
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
  // A filter of this extension's calls can't select calls of others.
  const elsewhere = isFiltered ? 0n : elsewhereOf(ledger);
  const rows = groupRows(groupCalls(calls, by), by);
  if (elsewhere > 0n) rows.push({ name: "Elsewhere", value: undefined, usd: elsewhere, calls: undefined });
  const all = rows.reduce((sum, { usd }) => sum + usd, 0n);
  return {
    query,
    summary: summaryOf(calls, ledger, { isFiltered, elsewhere }),
    groups: rows.map(({ usd, ...row }) => ({
      ...row,
      spend: moneyText(usd, "USD"),
      share: shareOf(usd, all),
    })),
    choices: Object.fromEntries(
      callDimensions.map((of) => [of, choicesOf(ledger.entries, of)]),
    ) as unknown as CallsState["choices"],
    size: calls.length,
  };
}

interface GroupRow extends Pick<CallGroup, "name" | "value" | "calls"> {
  readonly usd: Exact;
}

/** A bound, because clients name themselves. */
const mostGroups = 200;

/** The most expensive groups, and all others as one row. */
function groupRows(groups: readonly CallSum[], by: CallDimension): GroupRow[] {
  const rows: GroupRow[] = groups
    .slice(0, mostGroups)
    .map(({ value, usd, calls }) => ({ name: callValueName(value, by), value, usd, calls }));
  const others = groups.slice(mostGroups);
  if (others.length === 0) return rows;
  const usd = others.reduce((sum, other) => sum + other.usd, 0n);
  const calls = others.reduce((sum, other) => sum + other.calls, 0);
  return [...rows, { name: `${others.length} others`, value: undefined, usd, calls }];
}

function choicesOf(entries: readonly SpentEntry[], of: CallDimension) {
  return groupCalls(entries, of)
    .slice(0, mostGroups)
    .map(({ value }) => ({ value, name: callValueName(value, of) }));
}

/** The part of the bill that this ledger doesn't have: other programs, other computers, the service's web page. */
function elsewhereOf({ entries, totals }: CallLedger): Exact {
  const rest = totals.monthUsd - sumOf(entries);
  return rest > 0n ? rest : 0n;
}

function sumOf(calls: readonly SpentEntry[]): Exact {
  return calls.reduce((sum, { usd = 0n }) => sum + usd, 0n);
}

function shareOf(usd: Exact, all: Exact): number {
  return all > 0n ? toNumber((usd * 10n ** 18n) / all) : 0;
}

function summaryOf(
  calls: readonly SpentEntry[],
  ledger: CallLedger,
  { isFiltered, elsewhere }: { readonly isFiltered: boolean; readonly elsewhere: Exact },
): string {
  const { entries, totals, isPlayMoney, nowMs } = ledger;
  const money = (usd: Exact) => `${moneyText(usd, "USD")}${isPlayMoney ? " play money" : ""}`;
  const month = new Date(nowMs).toLocaleDateString("en-US", {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const place = `of this extension over this connection on this computer in ${month} (UTC)`;
  const all = entries.length.toLocaleString("en-US");
  const shown = isFiltered ? `${calls.length.toLocaleString("en-US")} of ${all}` : all;
  const noun = entries.length === 1 ? "call" : "calls";
  const unpriced = calls.filter(({ usd }) => usd === undefined).length;
  return [
    entries.length === 0
      ? `No calls ${place} have cost anything.`
      : `${money(sumOf(calls))} for ${shown} ${noun} ${place}.`,
    unpriced > 0 ? `The price of ${unpriced.toLocaleString("en-US")} of them is unknown.` : "",
    elsewhere > 0n ? `The bill shows ${money(elsewhere)} more.` : "",
    totals.isMonthBilled ? "" : "The bill of this month is not completely read.",
  ]
    .filter(Boolean)
    .join(" ");
}

function toCallRow(entry: SpentEntry): CallRow {
  const { atMs, endpoint, model = "", requestId = "", usd } = entry;
  const facts = callFacts(entry);
  return {
    time: new Date(atMs).toISOString().slice(0, 19).replace("T", " "),
    spend: usd === undefined ? "unknown" : moneyText(usd, "USD"),
    source: facts.get("source") ?? "",
    client: facts.get("client") ?? "",
    folder: facts.get("folder") ?? "",
    branch: facts.get("branch") ?? "",
    endpoint,
    model,
    requestId,
  };
}
