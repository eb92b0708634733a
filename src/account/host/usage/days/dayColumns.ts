import type { UsageRecord } from "../../../../api/endpoints/account/billing.ts";
import { optionalMember } from "../../../../shared/members.ts";

/** String table: texts that many records share are stored once. */
export interface StringTable {
  readonly list: string[];
  readonly codes: Map<string, number>;
}

function newStringTable(): StringTable {
  return { list: [], codes: new Map() };
}

function codeOf({ list, codes }: StringTable, word: string): number {
  const existing = codes.get(word);
  if (existing !== undefined) return existing;
  const code = list.push(word) - 1;
  codes.set(word, code);
  return code;
}

/** String tables of all days of one account. */
export interface StringTables {
  readonly skus: StringTable;
  readonly currencies: StringTable;
  readonly notes: StringTable;
}

export function newStringTables(): StringTables {
  return { skus: newStringTable(), currencies: newStringTable(), notes: newStringTable() };
}

/** The usage records of one UTC day in columns, oldest first. A million of them take about 70 MB instead of 400. */
export interface DayColumns {
  readonly day: number;
  readonly size: number;
  /** Unix time in milliseconds. */
  readonly atMs: Float64Array;
  readonly sku: Uint32Array;
  readonly priceUsd: Float64Array;
  readonly units: Float64Array;
  /** As the service returns it: negative for a charge. */
  readonly amount: Float64Array;
  readonly currency: Uint32Array;
  readonly notes: Uint32Array;
  /** Index in `requestIds`. Records of one request share it. */
  readonly request: Uint32Array;
  /** The first is empty and means no request. */
  readonly requestIds: readonly string[];
  /** Milliseconds; NaN if the record has none. The same applies to the tokens. */
  readonly executionMs: Float64Array;
  readonly promptTokens: Float64Array;
  readonly completionTokens: Float64Array;
}

/** Throws if a record has no valid time, because it can't be assigned to a day. */
export function toColumns(day: number, records: readonly UsageRecord[], words: StringTables): DayColumns {
  const sorted = isSorted(records) ? records : records.toSorted((a, b) => timeOf(a) - timeOf(b));
  const numbers = (read: (record: UsageRecord) => number | null | undefined) =>
    Float64Array.from(sorted, (record) => read(record) ?? Number.NaN);
  const codes = (list: StringTable, read: (record: UsageRecord) => string) =>
    Uint32Array.from(sorted, (record) => codeOf(list, read(record)));
  const requests = newStringTable();
  codeOf(requests, "");
  return {
    day,
    size: sorted.length,
    atMs: numbers(timeOf),
    sku: codes(words.skus, ({ sku }) => sku),
    priceUsd: numbers(({ pricePerUnitUsd }) => pricePerUnitUsd),
    units: numbers(({ units }) => units),
    amount: numbers(({ amount }) => amount),
    currency: codes(words.currencies, ({ currency }) => currency),
    notes: codes(words.notes, ({ notes }) => notes ?? ""),
    request: codes(requests, ({ inferenceDetails }) => inferenceDetails?.requestId ?? ""),
    requestIds: requests.list,
    executionMs: numbers(({ inferenceDetails }) => inferenceDetails?.inferenceExecutionTime),
    promptTokens: numbers(({ inferenceDetails }) => inferenceDetails?.promptTokens),
    completionTokens: numbers(({ inferenceDetails }) => inferenceDetails?.completionTokens),
  };
}

/** A record as the service returned it. */
export function recordAt(columns: DayColumns, row: number, words: StringTables): UsageRecord {
  const number = (column: Float64Array) => column[row] ?? Number.NaN;
  const unlessNaN = (column: Float64Array) => (Number.isNaN(number(column)) ? undefined : number(column));
  const requestId = columns.requestIds[columns.request[row] ?? 0];
  const details = {
    ...(requestId ? { requestId } : {}),
    ...optionalMember("inferenceExecutionTime", unlessNaN(columns.executionMs)),
    ...optionalMember("promptTokens", unlessNaN(columns.promptTokens)),
    ...optionalMember("completionTokens", unlessNaN(columns.completionTokens)),
  };
  return {
    timestamp: new Date(number(columns.atMs)).toISOString(),
    sku: words.skus.list[columns.sku[row] ?? -1] ?? "",
    pricePerUnitUsd: number(columns.priceUsd),
    units: number(columns.units),
    amount: number(columns.amount),
    currency: words.currencies.list[columns.currency[row] ?? -1] ?? "",
    notes: words.notes.list[columns.notes[row] ?? -1] ?? "",
    inferenceDetails: Object.keys(details).length > 0 ? details : null,
  };
}

export function timeOf({ timestamp }: UsageRecord): number {
  const ms = Date.parse(timestamp);
  if (Number.isNaN(ms)) throw new RangeError(`"${timestamp}" is not a time`);
  return ms;
}

function isSorted(records: readonly UsageRecord[]): boolean {
  return records.every((record, index) => {
    const before = records[index - 1];
    return before === undefined || timeOf(before) <= timeOf(record);
  });
}
