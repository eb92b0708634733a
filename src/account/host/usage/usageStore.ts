import type { Api } from "../../../api/call/client.ts";
import type { billing, UsageRecord } from "../../../api/endpoints/account/billing.ts";
import { usagePages } from "../../../api/usagePages.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { dayOf, dayStart, daysBetween, isClosed } from "../../../shared/time/days.ts";
import { type DayColumns, newStringTables, timeOf, toColumns } from "./days/dayColumns.ts";
import type { DayFiles } from "./days/dayFiles.ts";
import { type DayTally, tallyDay } from "./days/dayTally.ts";

/** UTC days, both inclusive. */
export interface StoredDays {
  readonly from: number;
  readonly to: number;
}

/** The usage of a range of days. */
export interface LoadedUsage {
  readonly range: StoredDays;
  /** One per day, oldest first. */
  readonly days: readonly DayColumns[];
  readonly tallies: readonly DayTally[];
  /** Time of the latest request in Unix milliseconds. */
  readonly asOfMs: number;
  /** A warning of the service about these figures. */
  readonly warningMessage: string | undefined;
}

interface LoadOptions {
  readonly signal?: AbortSignal;
  /** Maximum age of open days in milliseconds; default one minute. */
  readonly maxAgeMs?: number;
  /** Records read so far, and their total if the service counts them. */
  readonly onProgress?: (read: number, total: number | undefined) => void;
}

export interface UsageStoreDeps {
  readonly api: () => Promise<Api<{ billing: typeof billing }>>;
  readonly files: DayFiles;
  readonly now: () => number;
  /** A day could not be stored or read. It will be requested again. */
  readonly report: (error: unknown) => void;
}

interface CachedDay {
  readonly columns: DayColumns;
  readonly tally: DayTally;
  /** Time of the request; undefined if the day is closed. */
  readonly openAtMs: number | undefined;
}

const defaultAgeMs = 60_000;

/** The usage records of one account by UTC day. A closed day is requested only once. */
export class UsageStore {
  readonly #deps: UsageStoreDeps;
  readonly words = newStringTables();
  readonly #cached = new Map<number, CachedDay>();
  #warningMessage: string | undefined;
  readonly #queue = new SerialQueue();

  constructor(deps: UsageStoreDeps) {
    this.#deps = deps;
  }

  /** The sums of these days if all of them were loaded, of any age; else undefined. Requests nothing. */
  loaded(range: StoredDays): readonly DayTally[] | undefined {
    const days = daysBetween(range.from, range.to).map((day) => this.#cached.get(day)?.tally);
    return days.every((tally) => tally !== undefined) ? days : undefined;
  }

  /** Calls run one after the other, so that a second one uses the days of the first. */
  load(range: StoredDays, options: LoadOptions = {}): Promise<LoadedUsage> {
    return this.#queue.run(() => {
      options.signal?.throwIfAborted();
      return this.#load(range, options);
    });
  }

  #cacheDay(columns: DayColumns, openAtMs: number | undefined): void {
    this.#cached.set(columns.day, { columns, tally: tallyDay(columns, this.words), openAtMs });
  }

  #isFresh(day: number, maxAgeMs: number): boolean {
    const found = this.#cached.get(day);
    return (
      found !== undefined && (found.openAtMs === undefined || this.#deps.now() - found.openAtMs < maxAgeMs)
    );
  }

  async #readFile(day: number): Promise<void> {
    const { files, now, report } = this.#deps;
    if (this.#cached.has(day) || !isClosed(day, now())) return;
    const columns = await files.read(day, this.words).catch((error: unknown) => report(error));
    if (columns) this.#cacheDay(columns, undefined);
  }

  /** Requests consecutive days, and stores each one after a later record shows that it is complete. */
  async #fetchDays(range: StoredDays, options: LoadOptions): Promise<void> {
    const { api, files, now, report } = this.#deps;
    const requestedAtMs = now();
    const finish = async (day: number, records: readonly UsageRecord[]) => {
      const columns = toColumns(day, records, this.words);
      const closed = isClosed(day, requestedAtMs);
      this.#cacheDay(columns, closed ? undefined : requestedAtMs);
      if (closed) await files.write(columns, this.words).catch((error: unknown) => report(error));
    };
    let day = range.from;
    let records: UsageRecord[] = [];
    let read = 0;
    const service = await api();
    const query = { start: dayStart(range.from), end: dayStart(range.to + 1) };
    for await (const page of usagePages(service, query, callOptions(options))) {
      this.#warningMessage = page.warningMessage ?? this.#warningMessage;
      for (const record of page.records) {
        const of = Math.min(range.to, Math.max(day, dayOf(timeOf(record))));
        for (; day < of; day++) {
          await finish(day, records);
          records = [];
        }
        records.push(record);
      }
      read += page.records.length;
      options.onProgress?.(read, page.total);
    }
    for (; day <= range.to; day++) {
      await finish(day, records);
      records = [];
    }
  }

  async #load(range: StoredDays, options: LoadOptions): Promise<LoadedUsage> {
    const days = daysBetween(range.from, range.to);
    for (const day of days) await this.#readFile(day);
    const missing = days.filter((day) => !this.#isFresh(day, options.maxAgeMs ?? defaultAgeMs));
    for (const run of runsOf(missing)) await this.#fetchDays(run, options);
    const found = days.flatMap((day) => this.#cached.get(day) ?? []);
    return {
      range,
      days: found.map(({ columns }) => columns),
      tallies: found.map(({ tally }) => tally),
      asOfMs: Math.min(...found.map(({ openAtMs }) => openAtMs ?? this.#deps.now())),
      warningMessage: this.#warningMessage,
    };
  }
}

/** Groups consecutive days. */
function runsOf(days: readonly number[]): StoredDays[] {
  const runs: { from: number; to: number }[] = [];
  for (const day of days) {
    const last = runs.at(-1);
    if (last && last.to + 1 === day) last.to = day;
    else runs.push({ from: day, to: day });
  }
  return runs;
}

function callOptions({ signal }: LoadOptions): { readonly signal?: AbortSignal } {
  return signal ? { signal } : {};
}
