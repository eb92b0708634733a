import { type FileHandle, open, rename, rm, truncate } from "node:fs/promises";
import type { Api } from "../../api/client.ts";
import type { billing, UsageRecord } from "../../api/endpoints/billing.ts";
import { usageCsv } from "../../api/usageCsv.ts";
import { type UsageRange, usagePages } from "../../api/usagePages.ts";
import { readTextIfThere, writeDurably } from "../../platform/durableFile.ts";
import { addTo, type ExactSum, exactText, newSum, sumTotal, toExact } from "../../shared/money/exact.ts";
import { createCsvRows, createJsonRows, csvHead } from "./exportRows.ts";

/** `service` is the service's own CSV, byte for byte. */
export type ExportFormat = "csv" | "json" | "service";

export interface ExportJob {
  readonly range: UsageRange;
  readonly format: ExportFormat;
  /** Absolute; it is there once the export is whole. Until then it grows beside it, as `<path>.part`. */
  readonly path: string;
}

/** How far an export that broke off has come: what it takes to go on. */
export interface ExportState {
  readonly v: 1;
  readonly range: UsageRange;
  readonly format: ExportFormat;
  /** The page to go on at. */
  readonly next: string;
  /** What is in the file before that page, in bytes, records and spend by currency. */
  readonly bytes: number;
  readonly records: number;
  readonly spend: Readonly<Record<string, string>>;
}

export interface Exported {
  /** Zero for the service's own CSV, which is not looked into. */
  readonly records: number;
  /** By currency, positive; in decimal digits. */
  readonly spend: ReadonlyMap<string, string>;
  readonly warningMessage: string | undefined;
}

export interface ExportOptions {
  readonly signal: AbortSignal;
  /** Goes on where an earlier try of the same job broke off. */
  readonly from?: ExportState;
  readonly onProgress?: (records: number, total: number | undefined) => void;
}

type BillingApi = Api<{ billing: typeof billing }>;

/** Thrown where the file does not hold what the service counts. */
export class ExportMismatch extends Error {
  override readonly name = "ExportMismatch";
}

/** Streams usage records into a file, a page at a time. What breaks off can go on at the page that it reached. */
export async function exportUsage(
  api: BillingApi,
  job: ExportJob,
  options: ExportOptions,
): Promise<Exported> {
  const { from } = options;
  const part = partOf(job.path);
  if (from) await truncate(part, from.bytes);
  const file = await open(part, from ? "a" : "w");
  try {
    const writer = createWriter(file, job, from);
    const warningMessage =
      job.format === "service"
        ? await writeCsv(api, job, options, writer)
        : await writeRecords(api, job, options, writer);
    await file.sync();
    await file.close();
    await rename(part, job.path);
    await rm(stateOf(job.path), { force: true });
    return { records: writer.records, spend: writer.spend(), warningMessage };
  } finally {
    await file.close().catch(() => {});
  }
}

/** An export of the same job that broke off; undefined where there is none that could go on. */
export async function unfinished(job: ExportJob): Promise<ExportState | undefined> {
  const text = await readTextIfThere(stateOf(job.path));
  if (text === undefined) return undefined;
  try {
    const state = JSON.parse(text) as ExportState;
    const isSame =
      state.v === 1 &&
      state.format === job.format &&
      JSON.stringify(state.range) === JSON.stringify(job.range);
    const size = await open(partOf(job.path), "r").then(async (file) => {
      const { size } = await file.stat();
      await file.close();
      return size;
    });
    return isSame && size >= state.bytes ? state : undefined;
  } catch {
    return undefined;
  }
}

interface Writer {
  readonly records: number;
  spend(): ReadonlyMap<string, string>;
  write(text: string | Uint8Array): Promise<void>;
  count(records: readonly UsageRecord[]): void;
  /** What is written until now is whole up to a page's end. */
  pageEnd(next: string): Promise<void>;
}

function createWriter(
  file: FileHandle,
  { range, format, path }: ExportJob,
  from: ExportState | undefined,
): Writer {
  let bytes = from?.bytes ?? 0;
  let records = from?.records ?? 0;
  const sums = new Map<string, ExactSum>(
    Object.entries(from?.spend ?? {}).map(([currency, text]) => [currency, { nano: 0, rest: toExact(text) }]),
  );
  const spend = () => new Map([...sums].map(([currency, sum]) => [currency, exactText(sumTotal(sum))]));
  return {
    get records() {
      return records;
    },
    spend,
    async write(text) {
      const buffer = typeof text === "string" ? Buffer.from(text) : text;
      await file.write(buffer);
      bytes += buffer.byteLength;
    },
    count(page) {
      records += page.length;
      for (const { currency, amount } of page) {
        let sum = sums.get(currency);
        if (!sum) {
          sum = newSum();
          sums.set(currency, sum);
        }
        addTo(sum, -amount);
      }
    },
    async pageEnd(next) {
      const state: ExportState = {
        v: 1,
        range,
        format,
        next,
        bytes,
        records,
        spend: Object.fromEntries(spend()),
      };
      await writeDurably(stateOf(path), JSON.stringify(state));
    },
  };
}

/** The state is written for every so many pages alone: it is synced to the disk each time. */
const pagesPerState = 10;

async function writeRecords(api: BillingApi, job: ExportJob, options: ExportOptions, writer: Writer) {
  const { signal, from, onProgress } = options;
  const isJson = job.format === "json";
  const rows = isJson ? createJsonRows(writer.records > 0) : createCsvRows();
  let warningMessage: string | undefined;
  let total: number | undefined;
  let pages = 0;
  if (!from) await writer.write(isJson ? "[\n" : csvHead);
  for await (const page of usagePages(api, job.range, { signal, ...(from ? { from: from.next } : {}) })) {
    await writer.write(rows(page.records));
    writer.count(page.records);
    warningMessage = page.warningMessage ?? warningMessage;
    total = page.total ?? total;
    onProgress?.(writer.records, page.total);
    pages += 1;
    if (page.next !== undefined && (pages === 1 || pages % pagesPerState === 0))
      await writer.pageEnd(page.next);
  }
  if (isJson) await writer.write("\n]\n");
  if (total !== undefined && total !== writer.records) {
    throw new ExportMismatch(`the service counts ${total} records, and ${writer.records} came`);
  }
  return warningMessage;
}

async function writeCsv(
  api: BillingApi,
  job: ExportJob,
  options: ExportOptions,
  writer: Writer,
): Promise<undefined> {
  const { signal, from, onProgress } = options;
  let pages = 0;
  for await (const { bytes, pageEnd } of usageCsv(api, job.range, {
    signal,
    ...(from ? { from: from.next } : {}),
  })) {
    if (bytes.byteLength > 0) await writer.write(bytes);
    if (!pageEnd) continue;
    pages += 1;
    onProgress?.(0, undefined);
    if (pageEnd.next !== undefined && (pages === 1 || pages % pagesPerState === 0))
      await writer.pageEnd(pageEnd.next);
  }
}

export function partOf(path: string): string {
  return `${path}.part`;
}

function stateOf(path: string): string {
  return `${path}.part.json`;
}
