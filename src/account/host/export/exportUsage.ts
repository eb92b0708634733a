import { usageCsv } from "../../../api/usageCsv.ts";
import { type BillingApi, eachUsageRecord } from "../../../api/usagePages.ts";
import type { RecordView } from "../usage/recordTable.ts";
import { type ExportFile, type ExportJob, type ExportState, openExportFile } from "./exportFile.ts";
import { type CallOf, createCsvRows, createJsonRows, csvHead } from "./exportRows.ts";

export interface Exported {
  /** Zero for the service's own CSV, which is not parsed. */
  readonly records: number;
  /** By currency, positive; in decimal digits. */
  readonly spend: ReadonlyMap<string, string>;
  readonly warningMessage: string | undefined;
}

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Resumes an interrupted export of the same job. */
  readonly from?: ExportState;
  /** Default: no call is known. */
  readonly callOf?: CallOf;
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

/** Writes loaded records into a file, in their order. */
export async function exportRecords(
  view: RecordView,
  job: ExportJob & { readonly format: "csv" | "json" },
  { signal, callOf, onProgress }: Omit<ExportOptions, "from">,
): Promise<Exported> {
  const file = await openExportFile(job, undefined);
  const isJson = job.format === "json";
  const rows = isJson ? createJsonRows(false, callOf) : createCsvRows(callOf);
  try {
    await file.write(Buffer.from(isJson ? "[\n" : csvHead));
    for (let at = 0; at < view.size; at += recordsAtOnce) {
      signal.throwIfAborted();
      for (const record of view.rows(at, recordsAtOnce)) {
        rows.put(record);
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
  { signal, from, callOf, onProgress }: ExportOptions,
  file: ExportFile,
): Promise<string | undefined> {
  const isJson = job.format === "json";
  const rows = isJson ? createJsonRows(file.records > 0, callOf) : createCsvRows(callOf);
  let warningMessage: string | undefined;
  let total: number | undefined;
  if (!from) await file.write(Buffer.from(isJson ? "[\n" : csvHead));
  const options = { signal, ...(from ? { from: from.next } : {}) };
  const ends = eachUsageRecord(
    api,
    job.range,
    (record) => {
      rows.put(record);
      file.count(record);
    },
    options,
  );
  for await (const end of ends) {
    await file.write(rows.take());
    warningMessage = end.warningMessage ?? warningMessage;
    total = end.total ?? total;
    onProgress?.(file.records, end.total);
    if (end.next !== undefined) await file.pageEnd(end.next);
  }
  if (isJson) await file.write(Buffer.from("\n]\n"));
  if (total !== undefined && total !== file.records) {
    throw new ExportMismatch(`the service counts ${total} records, but ${file.records} arrived`);
  }
  return warningMessage;
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
