// Spend ledgers for tests of the dashboard.
import type { CallLedger } from "../../../../src/account/host/dashboard/callSearch.ts";
import type { SpentEntry } from "../../../../src/session/spend/spendLines.ts";
import { Amounts, nothing } from "../../../../src/shared/money/amounts.ts";
import { noTotals, usd } from "./money.ts";

const nowMs = Date.parse("2026-11-23T12:00:00Z");

/** The bill has `elsewhereUsd` more than these calls. */
export function ledgerOf(
  entries: readonly SpentEntry[],
  elsewhereUsd = "0",
  isMonthBilled = true,
): CallLedger {
  const totals = { ...noTotals, month: sumOf(entries).plus(usd(elsewhereUsd)), isMonthBilled };
  return { entries, totals, isPlayMoney: false, nowMs };
}

export function sumOf(entries: readonly SpentEntry[]): Amounts {
  return Amounts.sum(entries.map(({ cost = nothing }) => cost));
}

export const noCalls = ledgerOf([]);

export function callAt(index: number, members: Partial<SpentEntry> = {}): SpentEntry {
  const place = { folder: "workbench", branch: "main" };
  const call = { endpoint: "chat.stream", model: "guide", cost: usd("0.25"), ...place };
  return {
    id: `call-${index}`,
    atMs: nowMs - index * 60_000,
    requestId: `request-${index}`,
    ...call,
    ...members,
  };
}

export const someCalls: readonly SpentEntry[] = [
  callAt(0, { source: { kind: "chat" } }),
  callAt(1, { source: { kind: "mcp", client: "claude-code" }, cost: usd("1"), branch: "fix" }),
  callAt(2, { source: { kind: "mcp", client: "codex" }, folder: "service" }),
  callAt(3, { source: { kind: "notebook" }, endpoint: "rpc.call", cost: undefined }),
  { id: "old", atMs: nowMs - 86_400_000, endpoint: "augment.search", cost: usd("0.01") },
];
