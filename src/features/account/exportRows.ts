import type { UsageRecord } from "../../api/endpoints/billing.ts";
import { plainText } from "../../shared/money/exact.ts";

/** Columns as the service's own CSV has them (wire.md section 6). */
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

export const csvHead = `${columns.join(",")}\r\n`;

/** Records as CSV rows; numbers in plain digits, texts that a spreadsheet would run as formulas made harmless. */
export function csvRows(records: readonly UsageRecord[]): string {
  return records.map(csvRow).join("");
}

/** Records as members of a JSON array, each on a line; `isFirst` where none stands before them. */
export function jsonRows(records: readonly UsageRecord[], isFirst: boolean): string {
  const rows = records.map((record) => JSON.stringify(record)).join(",\n");
  return rows === "" || isFirst ? rows : `,\n${rows}`;
}

function csvRow(record: UsageRecord): string {
  const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = record.inferenceDetails ?? {};
  const cells = [
    record.timestamp,
    cell(record.sku),
    plainText(record.pricePerUnitUsd),
    plainText(record.units),
    plainText(record.amount),
    cell(record.currency),
    cell(record.notes ?? ""),
    cell(requestId ?? ""),
    ...[inferenceExecutionTime, promptTokens, completionTokens].map((value) =>
      value === null || value === undefined ? "" : plainText(value),
    ),
  ];
  return `${cells.join(",")}\r\n`;
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
