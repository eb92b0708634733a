import { type UsageRecord, usageCsvColumns } from "../../../api/endpoints/account/billing.ts";
import { decimalText } from "../../../shared/money/exact.ts";
import { safeCsvCell } from "../../../shared/text/csvCell.ts";
import { callFacts, ledgerFacts } from "../dashboard/callGroups.ts";
import type { JoinedCall } from "../usage/recordCalls.ts";

/** The columns of the service, and those of the spend ledger of this computer. */
export const csvHead = `${[...usageCsvColumns, ...ledgerFacts, "joinedBy"].join(",")}\r\n`;

/** Encodes records. A million rows reuse one buffer. */
export interface RowWriter {
  /** `call`: the call of the spend ledger that the record is of, if it is known. */
  put(record: UsageRecord, call: JoinedCall | undefined): void;
  /** The bytes since the last call; valid until the next record is written. */
  take(): Uint8Array;
}

/** CSV rows. Numbers have plain digits; texts that a spreadsheet would run as formulas are escaped. */
export function createCsvRows(): RowWriter {
  const text = createTextBuffer();
  return {
    put(record, call) {
      const { timestamp, sku, pricePerUnitUsd, units, amount, currency, notes, inferenceDetails } = record;
      const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = inferenceDetails ?? {};
      const paid = `${digits(pricePerUnitUsd)},${digits(units)},${digits(amount)},${cell(currency)}`;
      const details = `${digits(inferenceExecutionTime)},${digits(promptTokens)},${digits(completionTokens)}`;
      const from = call ? callCells(call) : noCall;
      text.put(
        `${cell(timestamp)},${cell(sku)},${paid},${cell(notes)},${cell(requestId)},${details},${from}\r\n`,
      );
    },
    take: text.take,
  };
}

const noCall = ",".repeat(ledgerFacts.length);

function callCells({ entry, by }: JoinedCall): string {
  const facts = callFacts(entry);
  return [...ledgerFacts.map((dimension) => cell(facts.get(dimension))), by].join(",");
}

/** Members of a JSON array, one per line; `follows` is true if the array has members already. */
export function createJsonRows(follows: boolean): RowWriter {
  const text = createTextBuffer();
  let isFirst = !follows;
  return {
    put(record, call) {
      if (!isFirst) text.put(",\n");
      isFirst = false;
      const ledger = call && { ...Object.fromEntries(callFacts(call.entry)), joinedBy: call.by };
      text.put(JSON.stringify(ledger ? { ...record, ledger } : record));
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
  return text ? safeCsvCell(text) : "";
}
