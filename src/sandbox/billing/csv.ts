import { usageCsvColumns } from "../../api/endpoints/billing.ts";
import { csvCell } from "../../shared/csvCell.ts";
import { nanoText, plainText } from "./decimal.ts";
import type { Entry } from "./entry.ts";

const eol = "\r\n";

/** A page as CSV, under its own header row. */
export function csvText(entries: readonly Entry[]): string {
  const priceText = remembered(plainText);
  return [usageCsvColumns.join(","), ...entries.map((entry) => csvRow(entry, priceText)), ""].join(eol);
}

function csvRow(entry: Entry, priceText: (price: number) => string): string {
  const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = entry.inferenceDetails ?? {};
  return [
    new Date(entry.atMs).toISOString(),
    csvCell(entry.sku),
    priceText(entry.pricePerUnitUsd),
    plainText(entry.units),
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
