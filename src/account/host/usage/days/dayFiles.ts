import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { UsageRecord } from "../../../../api/endpoints/account/billing.ts";
import { setAside, writeDurably } from "../../../../platform/files/durable/durableFile.ts";
import { isMissing } from "../../../../platform/files/privateFiles.ts";
import { dayText } from "../../../../shared/time/days.ts";
import { type DayColumns, recordAt, type StringTables, toColumns } from "./dayColumns.ts";

/** Closed days on disk: a file per day, with a header that counts the records and one record per line. */
export interface DayFiles {
  /** Undefined if the day is not stored. An invalid file is set aside and counts as missing. */
  read(day: number, words: StringTables): Promise<DayColumns | undefined>;
  /** The number of a stored day's records, which `take` gets in batches; undefined as `read`, and then it gets none. */
  each(day: number, take: (records: readonly UsageRecord[]) => void): Promise<number | undefined>;
  write(columns: DayColumns, words: StringTables): Promise<void>;
  /** Deletes all days because they may belong to another account. */
  clear(): Promise<void>;
}

const version = 1;
const linesAtOnce = 20_000;

/** Writes nothing once `isCurrent` is false: what is read then may belong to another account. */
export function createDayFiles(folder: string, isCurrent = () => true): DayFiles {
  const pathOf = (day: number) => join(folder, `${dayText(day)}.jsonl`);
  return {
    async read(day, words) {
      const path = pathOf(day);
      if (!(await isThere(path))) return undefined;
      const records: UsageRecord[] = [];
      const count = await eachRecord(path, day, (some) => {
        for (const record of some) records.push(record);
      });
      if (count !== undefined) return toColumns(day, records, words);
      await setAside(path);
      return undefined;
    },
    async each(day, take) {
      const path = pathOf(day);
      if (!(await isThere(path))) return undefined;
      // Only its end says whether a file is complete, so nothing is handed out before it was read once.
      const count = await eachRecord(path, day, () => {});
      if (count === undefined) await setAside(path);
      else await eachRecord(path, day, take);
      return count;
    },
    async write(columns, words) {
      if (!isCurrent()) return;
      await writeDurably(pathOf(columns.day), linesOf(columns, words), isCurrent);
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Stores nothing, for services without lasting history. */
export const noDayFiles: DayFiles = {
  read: async () => undefined,
  each: async () => undefined,
  write: async () => {},
  clear: async () => {},
};

function* linesOf(columns: DayColumns, words: StringTables): Generator<string> {
  const head = { v: version, day: dayText(columns.day), records: columns.size };
  let lines = `${JSON.stringify(head)}\n`;
  for (let row = 0; row < columns.size; row++) {
    lines += `${JSON.stringify(recordAt(columns, row, words))}\n`;
    if (row % linesAtOnce !== linesAtOnce - 1) continue;
    yield lines;
    lines = "";
  }
  yield lines;
}

/** The number of records; undefined unless the file is complete: its header states the number. */
async function eachRecord(
  path: string,
  day: number,
  take: (records: readonly UsageRecord[]) => void,
): Promise<number | undefined> {
  let [expected, read] = [-1, 0];
  let records: UsageRecord[] = [];
  const flush = () => {
    take(records);
    read += records.length;
    records = [];
  };
  try {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      if (expected < 0) expected = countIn(JSON.parse(line), day);
      else records.push(toRecord(JSON.parse(line)));
      if (records.length >= linesAtOnce) flush();
    }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined;
    throw error;
  }
  flush();
  return read === expected ? read : undefined;
}

function countIn(head: unknown, day: number): number {
  const { v, day: of, records } = head as Record<string, unknown>;
  if (v !== version || of !== dayText(day) || typeof records !== "number")
    throw new TypeError("unknown header");
  return records;
}

function toRecord(value: unknown): UsageRecord {
  const record = value as UsageRecord;
  const { timestamp, sku, amount, units, pricePerUnitUsd, currency } = record;
  const words = [timestamp, sku, currency].every((word) => typeof word === "string");
  const numbers = [amount, units, pricePerUnitUsd].every((number) => typeof number === "number");
  if (!words || !numbers || Number.isNaN(Date.parse(timestamp))) throw new TypeError("not a usage record");
  return record;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );
}
