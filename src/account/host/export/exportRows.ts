import { type UsageRecord, usageCsvColumns } from "../../../api/endpoints/account/billing.ts";
import { decimalText } from "../../../shared/money/exact.ts";
import { safeCsvCell } from "../../../shared/text/csvCell.ts";
import type { CallDimension } from "../../protocol/callsProtocol.ts";
import { callDimensions } from "../dashboard/callGroups.ts";

/** Source, client, folder and branch of the call with a request id, if the spend ledger has it. */
export type CallOf = (requestId: string) => ReadonlyMap<CallDimension, string> | undefined;

const unknownCall: CallOf = () => undefined;

/** The columns of the service, and those of the spend ledger of this computer. */
export const csvHead = `${[...usageCsvColumns, ...callDimensions].join(",")}\r\n`;

/** Encodes records. A million rows reuse one buffer. */
export interface RowWriter {
  put(record: UsageRecord): void;
  /** The bytes since the last call; valid until the next record is written. */
  take(): Uint8Array;
}

/** CSV rows. Numbers have plain digits; texts that a spreadsheet would run as formulas are escaped. */
export function createCsvRows(callOf = unknownCall): RowWriter {
  const text = createTextBuffer();
  return {
    put(record) {
      const { timestamp, sku, pricePerUnitUsd, units, amount, currency, notes, inferenceDetails } = record;
      const { requestId, inferenceExecutionTime, promptTokens, completionTokens } = inferenceDetails ?? {};
      const paid = `${digits(pricePerUnitUsd)},${digits(units)},${digits(amount)},${cell(currency)}`;
      const details = `${digits(inferenceExecutionTime)},${digits(promptTokens)},${digits(completionTokens)}`;
      const call = requestId ? callOf(requestId) : undefined;
      const from = call ? callDimensions.map((dimension) => cell(call.get(dimension))).join(",") : noCall;
      text.put(
        `${cell(timestamp)},${cell(sku)},${paid},${cell(notes)},${cell(requestId)},${details},${from}\r\n`,
      );
    },
    take: text.take,
  };
}

const noCall = ",".repeat(callDimensions.length - 1);

/** Members of a JSON array, one per line; `follows` is true if the array has members already. */
export function createJsonRows(follows: boolean, callOf = unknownCall): RowWriter {
  const text = createTextBuffer();
  let isFirst = !follows;
  return {
    put(record) {
      if (!isFirst) text.put(",\n");
      isFirst = false;
      const id = record.inferenceDetails?.requestId;
      const call = id ? callOf(id) : undefined;
      text.put(JSON.stringify(call ? { ...record, ledger: Object.fromEntries(call) } : record));
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
