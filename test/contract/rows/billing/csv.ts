import assert from "node:assert/strict";
import type { UsageRecord } from "../../../../src/api/endpoints/account/billing.ts";

/** wire.md section 6. */
const columns = [
  ...["timestamp", "sku", "pricePerUnitUsd", "units", "amount", "currency", "notes"],
  ...["requestId", "inferenceExecutionTime", "promptTokens", "completionTokens"].map(
    (name) => `inferenceDetails.${name}`,
  ),
];

/** Parses a CSV page into records. */
export function csvRows(text: string): UsageRecord[] {
  const [head, ...lines] = text.trimEnd().split("\r\n");
  assert.equal(head, columns.join(","));
  return lines.map((line) => toRecord(line.split(",")));
}

function toRecord(cells: readonly string[]): UsageRecord {
  assert.equal(cells.length, columns.length);
  const [timestamp = "", sku = "", price, units, amount, currency = "", notes = "", ...details] = cells;
  const [requestId = "", time = "", promptTokens = "", completionTokens = ""] = details;
  const record = {
    timestamp,
    sku,
    pricePerUnitUsd: Number(price),
    units: Number(units),
    amount: Number(amount),
    currency,
    notes,
  };
  if (requestId === "") return { ...record, inferenceDetails: null };
  const inferenceDetails = {
    requestId,
    inferenceExecutionTime: Number(time),
    ...(promptTokens === "" ? {} : { promptTokens: Number(promptTokens) }),
    ...(completionTokens === "" ? {} : { completionTokens: Number(completionTokens) }),
  };
  return { ...record, inferenceDetails };
}
