import { nanoText, plainText } from "./decimal.ts";
import type { Entry } from "./entry.ts";

/** Columns of both CSV routes (wire.md section 6). */
const columns = [
  "timestamp",
  "sku",
  "pricePerUnitUsd",
  "units",
  "amount",
  "currency",
  "notes",
  "inferenceDetails.requestId",
  "inferenceDetails.inferenceExecutionTime",
  "inferenceDetails.promptTokens",
  "inferenceDetails.completionTokens",
];
const eol = "\r\n";

/** A page as CSV, under its own header row. */
export function csvText(entries: readonly Entry[]): string {
  const priceText = remembered(plainText);
  return [columns.join(","), ...entries.map((entry) => csvRow(entry, priceText)), ""].join(eol);
}

function csvRow(entry: Entry, priceText: (price: number) => string): string {
  const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = entry.inferenceDetails ?? {};
  return [
    new Date(entry.atMs).toISOString(),
    cell(entry.sku),
    priceText(entry.pricePerUnitUsd),
    plainText(entry.units),
    nanoText(entry.amount),
    entry.currency,
    cell(entry.notes),
    cell(requestId),
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

/** Quoted where RFC 4180 wants it. */
function cell(text = ""): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
