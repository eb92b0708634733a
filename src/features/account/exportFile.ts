import { type FileHandle, open, rename, rm, stat, truncate } from "node:fs/promises";
import type { UsageRecord } from "../../api/endpoints/billing.ts";
import type { UsageRange } from "../../api/usagePages.ts";
import { readTextIfThere, writeDurably } from "../../platform/durableFile.ts";
import { addTo, type ExactSum, exactText, newSum, sumTotal, toExact } from "../../shared/money/exact.ts";

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

/** The file that an export grows in, and how far it has come. */
export interface ExportFile {
  readonly records: number;
  /** By currency, positive; in decimal digits. */
  spend(): ReadonlyMap<string, string>;
  write(bytes: Uint8Array): Promise<void>;
  count(record: UsageRecord): void;
  /** All that is written and counted until now is whole up to a page's end. */
  pageEnd(next: string): Promise<void>;
  /** Notes how far it has come, for another try to go on there. */
  breakOff(): Promise<void>;
  /** Puts the whole file in its place. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** The state is written after the first page and then every so many: it is synced to the disk each time. */
const pagesPerState = 10;

export async function openExportFile(job: ExportJob, from: ExportState | undefined): Promise<ExportFile> {
  const { range, format, path } = job;
  if (from) await truncate(partOf(path), from.bytes);
  const file = await open(partOf(path), from ? "a" : "w");
  const sums = new Map<string, ExactSum>(
    Object.entries(from?.spend ?? {}).map(([currency, text]) => [currency, { nano: 0, rest: toExact(text) }]),
  );
  let bytes = from?.bytes ?? 0;
  let records = from?.records ?? 0;
  let pages = 0;
  let reached: ExportState | undefined;
  const spend = () => new Map([...sums].map(([currency, sum]) => [currency, exactText(sumTotal(sum))]));
  const note = async () => {
    if (reached) await writeDurably(stateOf(path), JSON.stringify(reached));
  };
  return {
    get records() {
      return records;
    },
    spend,
    async write(piece) {
      await file.writeFile(piece);
      bytes += piece.byteLength;
    },
    count({ currency, amount }) {
      records += 1;
      let sum = sums.get(currency);
      if (!sum) {
        sum = newSum();
        sums.set(currency, sum);
      }
      addTo(sum, -amount);
    },
    async pageEnd(next) {
      reached = { v: 1, range, format, next, bytes, records, spend: Object.fromEntries(spend()) };
      if (pages % pagesPerState === 0) await note();
      pages += 1;
    },
    breakOff: note,
    async finish() {
      await file.sync();
      await file.close();
      await rename(partOf(path), path);
      await rm(stateOf(path), { force: true });
    },
    close: () => closed(file),
  };
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
    const { size } = await stat(partOf(job.path));
    return isSame && size >= state.bytes ? state : undefined;
  } catch {
    return undefined;
  }
}

export function partOf(path: string): string {
  return `${path}.part`;
}

function stateOf(path: string): string {
  return `${path}.part.json`;
}

/** Closing what is closed already does no harm. */
async function closed(file: FileHandle): Promise<void> {
  await file.close().catch(() => {});
}
