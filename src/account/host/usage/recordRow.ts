import type { UsageRecord } from "../../../api/endpoints/account/billing.ts";
import { known, unknown } from "../../../shared/known.ts";
import { Amounts } from "../../../shared/money/amounts.ts";
import { addTo, decimalText, exactText, newSum, sumTotal, toExact } from "../../../shared/money/exact.ts";
import { fullMoneyText, grouped, spendText } from "../../../shared/money/moneyText.ts";
import type { RequestDetail, UsageRow } from "../../protocol/usageProtocol.ts";

/** A record for display. A charge is negative in the record and positive here. */
export function toUsageRow(record: UsageRecord): UsageRow {
  const { timestamp, sku, units, pricePerUnitUsd, amount, currency, notes, inferenceDetails } = record;
  const { requestId, inferenceExecutionTime: ms } = inferenceDetails ?? {};
  const tokens = tokensOf(record);
  return {
    time: timestamp.replace("T", " ").replace(/(\.\d+)?Z$/, ""),
    sku,
    units: Number.isFinite(units) ? grouped(decimalText(units)) : "",
    price: Number.isFinite(pricePerUnitUsd) ? grouped(decimalText(pricePerUnitUsd)) : "",
    amount: grouped(exactText(-toExact(amount))),
    currency,
    tokens: tokens === undefined ? "" : tokens.toLocaleString("en-US"),
    duration: ms === null || ms === undefined ? "" : `${Math.round(ms).toLocaleString("en-US")} ms`,
    notes: notes ?? "",
    requestId: requestId ?? "",
  };
}

/** All records of one request: amounts are summed. Tokens and duration are repeated in each record and count once. */
export function toRequestDetail(
  requestId: string,
  records: readonly UsageRecord[],
): RequestDetail & { readonly spend: string } {
  const spend = new Map<string, ReturnType<typeof newSum>>();
  for (const { currency, amount } of records) {
    const sum = spend.get(currency) ?? newSum();
    spend.set(currency, sum);
    addTo(sum, -amount);
  }
  const totals = Amounts.of(new Map([...spend].map(([currency, sum]) => [currency, sumTotal(sum)])));
  const [first] = records;
  const { promptTokens, completionTokens, inferenceExecutionTime: ms } = first?.inferenceDetails ?? {};
  const fact = (name: string, value: number | null | undefined, unit: string) =>
    value === null || value === undefined ? [] : [[name, `${value.toLocaleString("en-US")}${unit}`] as const];
  const text = spendText(totals, fullMoneyText);
  return {
    requestId,
    rows: records.map(toUsageRow),
    spend: text,
    total: known(text),
    facts: [
      ...(first ? [["Time (UTC)", toUsageRow(first).time] as const] : []),
      ...fact("Prompt tokens", promptTokens, ""),
      ...fact("Completion tokens", completionTokens, ""),
      ...fact("Took", ms, " ms"),
      ["Records", String(records.length)],
    ],
  };
}

/** A request without a record in the shown range: what it cost is not known here. */
export function unknownRequest(requestId: string, reason: string): RequestDetail {
  return { requestId, rows: [], total: unknown(reason), facts: [] };
}

function tokensOf({ inferenceDetails }: UsageRecord): number | undefined {
  const { promptTokens, completionTokens } = inferenceDetails ?? {};
  if (typeof promptTokens !== "number" && typeof completionTokens !== "number") return undefined;
  return (promptTokens ?? 0) + (completionTokens ?? 0);
}
