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

/** Turns records into bytes, which are good until the next call: a million rows pass through one piece of memory. */
export type RowWriter = (records: readonly UsageRecord[]) => Uint8Array;

/** CSV rows; numbers in plain digits, texts that a spreadsheet would run as formulas made harmless. */
export function createCsvRows(): RowWriter {
  const text = createTextBuffer();
  const putNumber = (value: number | null | undefined) => {
    text.put(",");
    if (value !== null && value !== undefined) text.put(plainText(value));
  };
  const putText = (value: string | null | undefined) => {
    text.put(",");
    if (value) text.put(cell(value));
  };
  const putRecord = (record: UsageRecord) => {
    const details = record.inferenceDetails;
    text.put(record.timestamp);
    putText(record.sku);
    putNumber(record.pricePerUnitUsd);
    putNumber(record.units);
    putNumber(record.amount);
    putText(record.currency);
    putText(record.notes);
    putText(details?.requestId);
    putNumber(details?.inferenceExecutionTime);
    putNumber(details?.promptTokens);
    putNumber(details?.completionTokens);
    text.put("\r\n");
  };
  return (records) => {
    for (const record of records) putRecord(record);
    return text.take();
  };
}

/** Members of a JSON array, each on a line; `follows` where some stand before them already. */
export function createJsonRows(follows: boolean): RowWriter {
  const text = createTextBuffer();
  let isFirst = !follows;
  return (records) => {
    for (const record of records) {
      if (!isFirst) text.put(",\n");
      isFirst = false;
      text.put(JSON.stringify(record));
    }
    return text.take();
  };
}

/** Memory that text is gathered in, and grows with the longest that was. */
function createTextBuffer() {
  let buffer = Buffer.allocUnsafe(1 << 18);
  let end = 0;
  return {
    put(text: string) {
      // A UTF-16 unit takes three bytes of UTF-8 at most.
      const needed = end + text.length * 3;
      if (needed > buffer.length) buffer = Buffer.concat([buffer], Math.max(needed, buffer.length * 2));
      end += buffer.write(text, end);
    },
    take(): Uint8Array {
      const taken = buffer.subarray(0, end);
      end = 0;
      return taken;
    },
  };
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
