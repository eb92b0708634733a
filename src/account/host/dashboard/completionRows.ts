import type { CompletionCounts } from "../../../session/completionCounts.ts";
import type { Connection } from "../../../session/connection/connection.ts";
import type { Spend } from "../../../session/spend/spend.ts";
import { paidFor } from "../../../session/spend/spendLines.ts";
import { Amounts, nothing } from "../../../shared/money/amounts.ts";
import { isDollars } from "../../../shared/money/budgetRule.ts";
import { moneyIn } from "../../../shared/money/money.ts";
import { moneyText, spendText } from "../../../shared/money/moneyText.ts";
import { dayMs, dayOf } from "../../../shared/time/days.ts";
import type { CompletionRow } from "../../protocol/usageProtocol.ts";

/** Days of each row, today included. The spend ledger is read for this month and the last one, so at most 28. */
const spans: readonly (readonly [name: string, days: number])[] = [
  ["Today", 1],
  ["Last 7 days", 7],
  ["Last 28 days", 28],
];

export interface CompletionFacts {
  readonly connection: Connection;
  readonly counts: Pick<CompletionCounts, "since">;
  readonly spend: Pick<Spend, "completions">;
  readonly nowMs: number;
}

/** Inline completions of a connection, counted by this extension; empty if there were none. */
export async function completionRows(facts: CompletionFacts): Promise<readonly CompletionRow[]> {
  const { connection, counts, spend, nowMs } = facts;
  const today = dayOf(nowMs);
  const firstDay = today - 27;
  const entries = await spend.completions(connection, firstDay * dayMs);
  const worth = connection.kind === "sandbox" ? " play money" : "";
  const rows = spans.map(([name, days]): CompletionRow => {
    const from = today - days + 1;
    const { shown, accepted, keystrokes } = counts.since(connection.id, from);
    const calls = entries.filter(({ atMs }) => atMs >= from * dayMs);
    const spend = Amounts.sum(calls.map((call) => paidFor(call) ?? nothing));
    const isBound = calls.some((call) => paidFor(call) === undefined);
    return {
      name,
      requests: calls.length,
      shown,
      accepted,
      rate: shown === 0 ? "" : `${Math.round((100 * Math.min(accepted, shown)) / shown)} %`,
      keystrokes,
      spend: `${isBound ? "at least " : ""}${spendText(spend)}${worth}`,
      perThousand: keystrokes === 0 ? "" : `${perThousandText(spend, keystrokes)}${worth}`,
    };
  });
  const isUsed = rows.some(({ requests, keystrokes }) => requests > 0 || keystrokes > 0);
  return isUsed ? rows : [];
}

/** Dollars in cents. */
function perThousandText(spend: Amounts, keystrokes: number): string {
  if (!isDollars(spend)) return spendText(spend.scaled(1000, keystrokes));
  return moneyText(moneyIn("¢", spend.in("USD").scaled(100_000, keystrokes).digits()));
}
