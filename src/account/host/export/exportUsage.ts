import type { UsageRecord } from "../../../api/endpoints/account/billing.ts";
import { usageCsv } from "../../../api/usageCsv.ts";
import { type BillingApi, eachUsageRecord, type UsagePageEnd } from "../../../api/usagePages.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import type { Amounts } from "../../../shared/money/amounts.ts";
import { RecordCalls, signsOf } from "../usage/recordCalls.ts";
import type { RecordView, TableCalls } from "../usage/recordTable.ts";
import { type ExportFile, type ExportJob, type ExportState, openExportFile } from "./exportFile.ts";
import { createCsvRows, createJsonRows, csvHead, type RowWriter } from "./exportRows.ts";

export interface Exported {
  /** Zero for the service's own CSV, which is not parsed. */
  readonly records: number;
  /** Positive. */
  readonly spend: Amounts;
  readonly warningMessage: string | undefined;
}

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Resumes an interrupted export of the same job. */
  readonly from?: ExportState;
  /** The calls of the spend ledger, also those shortly before and after the range. Default: none is known. */
  readonly calls?: readonly SpentEntry[];
  /** Default: now. */
  readonly asOfMs?: number;
  readonly onProgress?: (records: number, total: number | undefined) => void;
}

/** Thrown if the number of records differs from the service's count. */
class ExportMismatch extends Error {
  override readonly name = "ExportMismatch";
}

/** Streams usage records into a file by page. An interrupted export can resume at its last page. */
export async function exportUsage(
  api: BillingApi,
  job: ExportJob,
  options: ExportOptions,
): Promise<Exported> {
  const file = await openExportFile(job, options.from);
  const write = job.format === "service" ? writeCsv : writeRecords;
  try {
    const warningMessage = await write(api, job, options, file);
    await file.finish();
    return { records: file.records, spend: file.spend(), warningMessage };
  } catch (error) {
    // The original error matters more than a failure to save the progress.
    if (!(error instanceof ExportMismatch)) await file.breakOff().catch(() => {});
    throw error;
  } finally {
    await file.close();
  }
}

const recordsAtOnce = 5_000;

interface ShownOptions extends Pick<ExportOptions, "signal" | "onProgress"> {
  /** Default: none is known. */
  readonly calls?: TableCalls;
}

const noCalls: TableCalls = { byId: new Map(), byRow: new Map() };

/** Writes loaded records into a file, in their order. */
export async function exportRecords(
  view: Pick<RecordView, "size" | "joined">,
  job: ExportJob & { readonly format: "csv" | "json" },
  { signal, calls = noCalls, onProgress }: ShownOptions,
): Promise<Exported> {
  const file = await openExportFile(job, undefined);
  const isJson = job.format === "json";
  const rows = isJson ? createJsonRows(false) : createCsvRows();
  try {
    await file.write(Buffer.from(isJson ? "[\n" : csvHead));
    for (let at = 0; at < view.size; at += recordsAtOnce) {
      signal.throwIfAborted();
      for (const [record, call] of view.joined(calls, at, recordsAtOnce)) {
        rows.put(record, call);
        file.count(record);
      }
      await file.write(rows.take());
      onProgress?.(file.records, view.size);
    }
    if (isJson) await file.write(Buffer.from("\n]\n"));
    await file.finish();
    return { records: file.records, spend: file.spend(), warningMessage: undefined };
  } finally {
    await file.close();
  }
}

async function writeRecords(
  api: BillingApi,
  job: ExportJob,
  { signal, from, calls = [], asOfMs = Date.now(), onProgress }: ExportOptions,
  file: ExportFile,
): Promise<string | undefined> {
  const isJson = job.format === "json";
  const rows = isJson ? createJsonRows(file.records > 0) : createCsvRows();
  // What was written before an interruption is not seen again, so the records around its end are not known.
  const fromMs = from ? undefined : Date.parse(job.range.start);
  const records = new RecordCalls<UsageRecord | UsagePageEnd>(calls, {
    fromMs,
    toMs: Date.parse(job.range.end),
    asOfMs,
  });
  const write = createPageWriter(records, rows, file);
  let warningMessage: string | undefined;
  let total: number | undefined;
  if (!from) await file.write(Buffer.from(isJson ? "[\n" : csvHead));
  const options = { signal, ...(from ? { from: from.next } : {}) };
  const take = (record: UsageRecord) => {
    const call = records.pass(record, signsOf(record));
    if (call === "held") return;
    rows.put(record, call === "none" ? undefined : call);
    file.count(record);
  };
  const ends = eachUsageRecord(api, job.range, take, options);
  for await (const end of ends) {
    records.mark(end);
    await write();
    warningMessage = end.warningMessage ?? warningMessage;
    total = end.total ?? total;
    onProgress?.(file.records, end.total);
  }
  await write(true);
  if (isJson) await file.write(Buffer.from("\n]\n"));
  if (total !== undefined && total !== file.records) {
    throw new ExportMismatch(`the service counts ${total} records, but ${file.records} arrived`);
  }
  return warningMessage;
}

/** Writes the records whose calls are decided, and marks the pages that are complete. */
function createPageWriter(
  records: RecordCalls<UsageRecord | UsagePageEnd>,
  rows: RowWriter,
  file: ExportFile,
) {
  return async (isEnd = false) => {
    for (const [item, call] of records.take(isEnd)) {
      if ("timestamp" in item) {
        rows.put(item, call);
        file.count(item);
      } else {
        await file.write(rows.take());
        if (item.next !== undefined) await file.pageEnd(item.next);
      }
    }
    await file.write(rows.take());
  };
}

async function writeCsv(
  api: BillingApi,
  job: ExportJob,
  { signal, from, onProgress }: ExportOptions,
  file: ExportFile,
): Promise<undefined> {
  const options = { signal, ...(from ? { from: from.next } : {}) };
  for await (const { bytes, pageEnd } of usageCsv(api, job.range, options)) {
    if (bytes.byteLength > 0) await file.write(bytes);
    if (!pageEnd) continue;
    onProgress?.(0, undefined);
    if (pageEnd.next !== undefined) await file.pageEnd(pageEnd.next);
  }
}
