import type { Api } from "../../../api/call/client.ts";
import type { billing, UsageRecord } from "../../../api/endpoints/account/billing.ts";
import { usagePages } from "../../../api/usagePages.ts";
import { SerialQueue } from "../../../shared/serialQueue.ts";
import { dayMs, dayOf, dayStart, daysBetween, isClosed } from "../../../shared/time/days.ts";
import { type DayColumns, newStringTables, type StringTables, timeOf, toColumns } from "./days/dayColumns.ts";
import type { DayFiles } from "./days/dayFiles.ts";
import { type DayTally, mergeDays, tallyDay } from "./days/dayTally.ts";

/** UTC days, both inclusive. */
export interface StoredDays {
  readonly from: number;
  readonly to: number;
}

/** The sums of a range of days. */
export interface SummedUsage {
  readonly range: StoredDays;
  /** One per day, oldest first. */
  readonly tallies: readonly DayTally[];
  /** Time of the latest request in Unix milliseconds. */
  readonly asOfMs: number;
  /** A warning of the service about these figures. */
  readonly warningMessage: string | undefined;
}

/** The usage of a range of days. */
export interface LoadedUsage extends SummedUsage {
  /** One per day, oldest first. */
  readonly days: readonly DayColumns[];
}

/** Records of one day, at most about `piece` of them, with their words. */
export type TakePiece = (columns: DayColumns, words: StringTables) => void;

/** Records that `sum` holds at once. Those of one time are never divided: they may be of one request. */
const pieceRecords = 50_000;

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
  /** Undefined if only the sums were asked for. */
  readonly columns: DayColumns | undefined;
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

  /**
   * The sums of these days if all of them were read; else undefined. Requests nothing. A past day that was read before
   * its end is not read; today is, at any age.
   */
  loaded(range: StoredDays): readonly DayTally[] | undefined {
    const days = daysBetween(range.from, range.to).map((day) => this.#readDay(day)?.tally);
    return days.every((tally) => tally !== undefined) ? days : undefined;
  }

  /** Calls run one after the other, so that a second one uses the days of the first. */
  load(range: StoredDays, options: LoadOptions = {}): Promise<LoadedUsage> {
    return this.#queue.run(() => {
      options.signal?.throwIfAborted();
      return this.#load(range, options);
    });
  }

  /**
   * The sums of these days, without holding their records. `take` gets all records, day by day; without it, days that are
   * known are not read again.
   */
  sum(range: StoredDays, options: LoadOptions = {}, take?: TakePiece): Promise<SummedUsage> {
    return this.#queue.run(() => {
      options.signal?.throwIfAborted();
      return this.#sum(range, options, take);
    });
  }

  #readDay(day: number): CachedDay | undefined {
    const found = this.#cached.get(day);
    const isPast = day < dayOf(this.#deps.now());
    return isPast && (found?.openAtMs ?? Infinity) < (day + 1) * dayMs ? undefined : found;
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

  async #sum(range: StoredDays, options: LoadOptions, take?: TakePiece): Promise<SummedUsage> {
    const missing: number[] = [];
    for (const day of daysBetween(range.from, range.to)) {
      options.signal?.throwIfAborted();
      if (!(await this.#sumKnown(day, options.maxAgeMs ?? defaultAgeMs, take))) missing.push(day);
    }
    for (const run of runsOf(missing)) await this.#fetchSums(run, options, take);
    const found = daysBetween(range.from, range.to).flatMap((day) => this.#cached.get(day) ?? []);
    return { range, tallies: found.map(({ tally }) => tally), ...this.#ageOf(found) };
  }

  /** Requests consecutive days piece by piece. A closed day of one piece is stored, as after `load`. */
  async #fetchSums(range: StoredDays, options: LoadOptions, take: TakePiece | undefined): Promise<void> {
    const { files, now, report } = this.#deps;
    const requestedAtMs = now();
    let tallies: DayTally[] = [];
    let only: readonly [DayColumns, StringTables] | undefined;
    await this.#fetchPieces(range, options, {
      limit: pieceRecords,
      take(day, records) {
        const piece = inOwnWords(day, records);
        only = tallies.length === 0 ? piece : undefined;
        tallies.push(tallyDay(...piece));
        take?.(...piece);
      },
      end: async (day) => {
        const closed = isClosed(day, requestedAtMs);
        const piece = tallies.length === 0 ? inOwnWords(day, []) : only;
        const openAtMs = closed ? undefined : requestedAtMs;
        this.#cached.set(day, { columns: undefined, tally: { day, ...mergeDays(tallies) }, openAtMs });
        if (closed && piece) await files.write(...piece).catch((error: unknown) => report(error));
        tallies = [];
        only = undefined;
      },
    });
  }

  /** Sums a day of which nothing is requested. False for others. */
  async #sumKnown(day: number, maxAgeMs: number, take: TakePiece | undefined): Promise<boolean> {
    const known = this.#cached.get(day);
    if (this.#isFresh(day, maxAgeMs) && (known?.columns || !take)) {
      if (known?.columns) take?.(known.columns, this.words);
      return true;
    }
    const { files, now, report } = this.#deps;
    if (!isClosed(day, now())) return false;
    const pieces: DayTally[] = [];
    const count = await files
      .each(day, (records) => {
        const [columns, words] = inOwnWords(day, records);
        pieces.push(tallyDay(columns, words));
        take?.(columns, words);
      })
      .catch((error: unknown) => report(error));
    if (count === undefined) return false;
    this.#cached.set(day, { columns: undefined, tally: { day, ...mergeDays(pieces) }, openAtMs: undefined });
    return true;
  }

  async #readFile(day: number): Promise<void> {
    const { files, now, report } = this.#deps;
    if (this.#cached.get(day)?.columns || !isClosed(day, now())) return;
    const columns = await files.read(day, this.words).catch((error: unknown) => report(error));
    if (columns) this.#cacheDay(columns, undefined);
  }

  /** Requests consecutive days, and stores each one after a later record shows that it is complete. */
  async #fetchDays(range: StoredDays, options: LoadOptions): Promise<void> {
    const { files, now, report } = this.#deps;
    const requestedAtMs = now();
    let all: readonly UsageRecord[] = [];
    await this.#fetchPieces(range, options, {
      limit: Number.POSITIVE_INFINITY,
      take: (_, records) => {
        all = records;
      },
      end: async (day) => {
        const columns = toColumns(day, all, this.words);
        all = [];
        const closed = isClosed(day, requestedAtMs);
        this.#cacheDay(columns, closed ? undefined : requestedAtMs);
        if (closed) await files.write(columns, this.words).catch((error: unknown) => report(error));
      },
    });
  }

  async #fetchPieces(range: StoredDays, options: LoadOptions, sink: PieceSink): Promise<void> {
    let day = range.from;
    let records: UsageRecord[] = [];
    let read = 0;
    const flush = () => {
      if (records.length > 0) sink.take(day, records);
      records = [];
    };
    const service = await this.#deps.api();
    const query = { start: dayStart(range.from), end: dayStart(range.to + 1) };
    for await (const page of usagePages(service, query, callOptions(options))) {
      this.#warningMessage = page.warningMessage ?? this.#warningMessage;
      for (const record of page.records) {
        const of = Math.min(range.to, Math.max(day, dayOf(timeOf(record))));
        for (; day < of; day++) {
          flush();
          await sink.end(day);
        }
        if (records.length >= sink.limit && records.at(-1)?.timestamp !== record.timestamp) flush();
        records.push(record);
      }
      read += page.records.length;
      options.onProgress?.(read, page.total);
    }
    for (; day <= range.to; day++) {
      flush();
      await sink.end(day);
    }
  }

  async #load(range: StoredDays, options: LoadOptions): Promise<LoadedUsage> {
    const days = daysBetween(range.from, range.to);
    for (const day of days) await this.#readFile(day);
    const maxAgeMs = options.maxAgeMs ?? defaultAgeMs;
    const missing = days.filter((day) => !this.#cached.get(day)?.columns || !this.#isFresh(day, maxAgeMs));
    for (const run of runsOf(missing)) await this.#fetchDays(run, options);
    const found = days.flatMap((day) => this.#cached.get(day) ?? []);
    return {
      range,
      days: found.flatMap(({ columns }) => columns ?? []),
      tallies: found.map(({ tally }) => tally),
      ...this.#ageOf(found),
    };
  }

  #ageOf(found: readonly CachedDay[]): Pick<SummedUsage, "asOfMs" | "warningMessage"> {
    const now = this.#deps.now();
    const asOfMs = Math.min(now, ...found.map(({ openAtMs }) => openAtMs ?? now));
    return { asOfMs, warningMessage: this.#warningMessage };
  }
}

/** What becomes of requested records: a day in pieces, then its end. */
interface PieceSink {
  readonly limit: number;
  take(day: number, records: readonly UsageRecord[]): void;
  end(day: number): Promise<void>;
}

/** With words of its own, so that none stay when its sums are known. */
function inOwnWords(day: number, records: readonly UsageRecord[]): [DayColumns, StringTables] {
  const words = newStringTables();
  return [toColumns(day, records, words), words];
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
