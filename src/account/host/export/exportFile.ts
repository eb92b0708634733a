import { type FileHandle, open, rename, rm, stat, truncate } from "node:fs/promises";
import type { UsageRecord } from "../../../api/endpoints/account/billing.ts";
import type { UsageRange } from "../../../api/usagePages.ts";
import { checkedLine, withChecksum } from "../../../platform/files/durable/checkedLine.ts";
import { appendFlushed, readTextIfThere } from "../../../platform/files/durable/durableFile.ts";
import { Amounts, type AmountTexts } from "../../../shared/money/amounts.ts";
import { addTo, type ExactSum, newSum, sumTotal, toExact } from "../../../shared/money/exact.ts";
import { parseJson } from "../../../shared/text/json/parseJson.ts";

/** `service` is the service's own CSV, byte for byte. */
export type ExportFormat = "csv" | "json" | "service";

export interface ExportJob {
  readonly range: UsageRange;
  readonly format: ExportFormat;
  /** Absolute path. Until the export is complete, it is written to `<path>.part`. */
  readonly path: string;
}

/** Progress of an interrupted export, from which it can resume. */
export interface ExportState {
  /** 1: without the columns of the spend ledger. 2: without the key. */
  readonly v: 3;
  readonly range: UsageRange;
  readonly format: ExportFormat;
  /** The next page. */
  readonly next: string;
  /** Content of the file before that page: bytes, records and spend by currency. */
  readonly bytes: number;
  readonly records: number;
  readonly spend: AmountTexts;
}

/** The file of an export with its progress. */
export interface ExportFile {
  readonly records: number;
  /** Positive. */
  spend(): Amounts;
  write(bytes: Uint8Array): Promise<void>;
  count(record: UsageRecord): void;
  /** Marks everything written so far as complete up to a page's end. */
  pageEnd(next: string): Promise<void>;
  /** Saves the progress, so that a later export can resume. */
  breakOff(): Promise<void>;
  /** Moves the complete file to its path. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** The state is written after the first page and then at this interval, because each write is flushed to disk. */
const pagesPerState = 10;

export async function openExportFile(job: ExportJob, from: ExportState | undefined): Promise<ExportFile> {
  const { range, format, path } = job;
  // A former state must not tell about this file.
  if (from) await truncate(partOf(path), from.bytes);
  else await rm(stateOf(path), { force: true });
  const file = await open(partOf(path), from ? "a" : "w");
  const sums = new Map<string, ExactSum>(
    Object.entries(from?.spend ?? {}).map(([currency, text]) => [currency, { nano: 0, rest: toExact(text) }]),
  );
  let bytes = from?.bytes ?? 0;
  let records = from?.records ?? 0;
  let pages = 0;
  let reached: ExportState | undefined;
  const spend = () => Amounts.of(new Map([...sums].map(([currency, sum]) => [currency, sumTotal(sum)])));
  const note = async () => {
    if (reached) await appendFlushed(stateOf(path), `\n${withChecksum(JSON.stringify(reached))}\n`);
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
      reached = { v: 3, range, format, next, bytes, records, spend: spend().toTexts() };
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

/** The interrupted export of the same job, if it can be resumed. */
export async function unfinished(job: ExportJob): Promise<ExportState | undefined> {
  const lines = (await readTextIfThere(stateOf(job.path)))?.split("\n") ?? [];
  const size = await stat(partOf(job.path)).then(
    (found) => found.size,
    () => -1,
  );
  return lines.flatMap((line) => stateIn(line, job) ?? []).findLast(({ bytes }) => bytes <= size);
}

/** Undefined for a line that was cut off, or that is of another job. */
function stateIn(line: string, { range, format }: ExportJob): ExportState | undefined {
  const checked = checkedLine(line);
  const state = checked && (parseJson(checked.line) as ExportState | undefined | null);
  if (state?.v !== 3 || state.format !== format) return undefined;
  return JSON.stringify(state.range) === JSON.stringify(range) ? state : undefined;
}

export function partOf(path: string): string {
  return `${path}.part`;
}

function stateOf(path: string): string {
  return `${path}.part.json`;
}

/** The file may be closed already. */
async function closed(file: FileHandle): Promise<void> {
  await file.close().catch(() => {});
}
