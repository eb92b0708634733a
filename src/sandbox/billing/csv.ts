import { usageCsvColumns } from "../../api/endpoints/billing.ts";
import { csvCell } from "../../shared/csvCell.ts";
import { nanoText, plainDigits } from "./decimal.ts";
import type { LedgerEntry } from "./entry.ts";

const eol = "\r\n";

/** A page as CSV, under its own header row. */
export function csvText(entries: readonly LedgerEntry[]): string {
  const priceText = remembered(plainDigits);
  return [usageCsvColumns.join(","), ...entries.map((entry) => csvRow(entry, priceText)), ""].join(eol);
}

function csvRow(entry: LedgerEntry, priceText: (price: number) => string): string {
  const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = entry.inferenceDetails ?? {};
  return [
    new Date(entry.atMs).toISOString(),
    csvCell(entry.sku),
    priceText(entry.pricePerUnitUsd),
    plainDigits(entry.units),
    nanoText(entry.amount),
    entry.currency,
    csvCell(entry.notes),
    csvCell(requestId ?? ""),
    inferenceExecutionTime,
    promptTokens,
    completionTokens,
  ].join(",");
}

/** A page has few prices and many rows. */
function remembered(write: (price: number) => string): (price: number) => string {
  const texts = new Map<number, string>();
  return (price) => {
    const text = texts.get(price) ?? write(price);
    texts.set(price, text);
    return text;
  };
}
