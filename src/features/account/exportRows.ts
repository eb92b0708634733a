import { type UsageRecord, usageCsvColumns } from "../../api/endpoints/billing.ts";
import { csvCell } from "../../shared/csvCell.ts";
import { decimalText } from "../../shared/money/exact.ts";

export const csvHead = `${usageCsvColumns.join(",")}\r\n`;

/** Encodes records. A million rows reuse one buffer. */
export interface RowWriter {
  put(record: UsageRecord): void;
  /** The bytes since the last call; valid until the next record is written. */
  take(): Uint8Array;
}

/** CSV rows. Numbers have plain digits; texts that a spreadsheet would run as formulas are escaped. */
export function createCsvRows(): RowWriter {
  const text = createTextBuffer();
  return {
    put(record) {
      const { timestamp, sku, pricePerUnitUsd, units, amount, currency, notes, inferenceDetails } = record;
      const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = inferenceDetails ?? {};
      const paid = `${digits(pricePerUnitUsd)},${digits(units)},${digits(amount)},${cell(currency)}`;
      const details = `${digits(inferenceExecutionTime)},${digits(promptTokens)},${digits(completionTokens)}`;
      text.put(`${cell(timestamp)},${cell(sku)},${paid},${cell(notes)},${cell(requestId)},${details}\r\n`);
    },
    take: text.take,
  };
}

/** Members of a JSON array, one per line; `follows` is true if the array has members already. */
export function createJsonRows(follows: boolean): RowWriter {
  const text = createTextBuffer();
  let isFirst = !follows;
  return {
    put(record) {
      if (!isFirst) text.put(",\n");
      isFirst = false;
      text.put(JSON.stringify(record));
    },
    take: text.take,
  };
}

/** A growing buffer for text. */
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

/** Avoids String(value), whose results the engine caches: over a million rows that takes tens of megabytes. */
function digits(value: number | null | undefined): string {
  if (value === null || value === undefined) return "";
  const written = JSON.stringify(value);
  return written.includes("e") ? decimalText(value) : written;
}

function cell(text: string | null | undefined): string {
  return text ? csvCell(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text) : "";
}
