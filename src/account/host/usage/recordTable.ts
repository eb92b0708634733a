import type { UsageRecord } from "../../../api/endpoints/account/billing.ts";
import type { SpentEntry } from "../../../session/spend/spendLines.ts";
import type { SortColumn } from "../../protocol/usageProtocol.ts";
import { type DayColumns, recordAt, type StringTable, type StringTables } from "./days/dayColumns.ts";
import { radixOrder } from "./days/radixOrder.ts";
import { type JoinedCall, RecordCalls, type RecordSpan, signsAt } from "./recordCalls.ts";
import { productOf } from "./skuProduct.ts";

export type { SortColumn };

/** Filter and order of records. */
export interface RecordQuery {
  /** Searched in skus, notes and request ids, case-insensitive. */
  readonly text: string;
  readonly model?: string | undefined;
  readonly currency?: string | undefined;
  /** Only the records of some calls. */
  readonly of?: RecordsOf | undefined;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

/** The records of some calls: by their request ids, and by the numbers of their rows in the table. */
export interface RecordsOf {
  readonly requestIds: ReadonlySet<string>;
  readonly rows: ReadonlySet<number>;
}

/** The records that match a query, in its order. Each is created when it is read. */
export interface RecordView {
  readonly size: number;
  rows(from: number, count: number): readonly UsageRecord[];
  /** As `rows`, with the call of each if it is known. */
  joined(calls: TableCalls, from: number, count: number): readonly JoinedRecord[];
  /** Finds the calls of all records of its table. */
  readonly join: RecordTable["join"];
}

type JoinedRecord = readonly [record: UsageRecord, call: JoinedCall | undefined];

/** The calls of a table's records: by request id, and by row if the record has none. */
export interface TableCalls {
  readonly byId: ReadonlyMap<string, SpentEntry>;
  readonly byRow: ReadonlyMap<number, SpentEntry>;
}

export interface RecordTable {
  readonly size: number;
  /** Undefined if `isNewest` returns false because a newer query has arrived. */
  query(query: RecordQuery, isNewest?: () => boolean): Promise<RecordView | undefined>;
  /** The calls of the ledger that its records are of. */
  join(entries: readonly SpentEntry[]): Promise<TableCalls>;
  /** All records of one request, oldest first. */
  ofRequest(requestId: string): readonly UsageRecord[];
}

/** Number of records that are processed before yielding. */
const rowsAtOnce = 100_000;

const nothingSeen: RecordSpan = { fromMs: 0, toMs: 0, asOfMs: 0 };

/** `span` tells which calls can be joined by time and sum; default none. */
export function createRecordTable(
  days: readonly DayColumns[],
  words: StringTables,
  span = nothingSeen,
): RecordTable {
  const blocks = days.filter(({ size }) => size > 0);
  const starts = [0];
  for (const { size } of blocks) starts.push((starts.at(-1) ?? 0) + size);
  const size = starts.at(-1) ?? 0;
  const blockOf = (row: number) => {
    let [low, high] = [0, blocks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  };
  const recordOf = (row: number): UsageRecord => {
    const block = blockOf(row);
    return recordAt(blocks[block] as DayColumns, row - (starts[block] ?? 0), words);
  };
  /** A match flag for each record. */
  const found = async (query: RecordQuery, isNewest: () => boolean) => {
    const fits = new Uint8Array(size);
    let count = 0;
    let scanned = 0;
    for (const [index, block] of blocks.entries()) {
      const own = fits.subarray(starts[index], starts[index + 1]);
      count += filterBlock(query, block, words, own);
      if (query.of) count -= dropOthers(query.of, block, starts[index] ?? 0, own);
      scanned += block.size;
      if (scanned < rowsAtOnce) continue;
      scanned = 0;
      await nextTurn();
      if (!isNewest()) return undefined;
    }
    return { fits, count };
  };
  const keysOf = (sort: SortColumn): Float64Array => {
    const keys = new Float64Array(size);
    const rank =
      sort === "sku" ? ranks(words.skus) : sort === "currency" ? ranks(words.currencies) : ranks(words.notes);
    for (const [index, block] of blocks.entries()) keys.set(keyColumn(block, sort, rank), starts[index]);
    return keys;
  };
  const orders = new Map<SortColumn, Promise<Uint32Array>>();
  /** All records in the order of a column, cached. Records are stored in the order of their time. */
  const orderBy = (sort: SortColumn): Promise<Uint32Array> => {
    const order = orders.get(sort) ?? radixOrder(keysOf(sort), nextTurn);
    orders.set(sort, order);
    return order;
  };
  const join: RecordTable["join"] = (entries) => joinTable(blocks, words, entries, span);
  return {
    size,
    join,
    async query(query, isNewest = () => true) {
      const chosen = await found(query, isNewest);
      if (!chosen) return undefined;
      const all = query.sort === "time" ? undefined : await orderBy(query.sort);
      const order = rowsIn(all, chosen, query.isDescending);
      return {
        size: order.length,
        join,
        rows: (from, count) => Array.from(order.subarray(from, from + count), recordOf),
        joined: (calls, from, count) =>
          Array.from(order.subarray(from, from + count), (row) => withCall(calls, row, recordOf(row))),
      };
    },
    ofRequest(requestId) {
      return blocks.flatMap((block, index) => {
        const code = block.requestIds.indexOf(requestId);
        if (requestId === "" || code < 0) return [];
        const rows = Array.from(block.request.keys()).filter((row) => block.request[row] === code);
        return rows.map((row) => recordOf((starts[index] ?? 0) + row));
      });
    },
  };
}

/** A table that was read is complete, so the records of a call are known unless it is near an end. */
async function joinTable(
  blocks: readonly DayColumns[],
  words: StringTables,
  entries: readonly SpentEntry[],
  span: RecordSpan,
): Promise<TableCalls> {
  const byId = new Map(entries.flatMap((entry) => (entry.requestId ? [[entry.requestId, entry]] : [])));
  const byRow = new Map<number, SpentEntry>();
  if (entries.length === 0) return { byId, byRow };
  const calls = new RecordCalls<number>(entries, span);
  const take = (isEnd = false) => {
    for (const [row, call] of calls.take(isEnd)) if (call?.by === "timeAndSum") byRow.set(row, call.entry);
  };
  let row = 0;
  for (const block of blocks) {
    for (let index = 0; index < block.size; index++) {
      calls.put(row++, signsAt(block, index, words));
      if (row % rowsAtOnce !== 0) continue;
      take();
      await nextTurn();
    }
    take();
  }
  take(true);
  return { byId, byRow };
}

function withCall(calls: TableCalls, row: number, record: UsageRecord): JoinedRecord {
  return [record, callIn(calls, row, record)];
}

function callIn(
  { byId, byRow }: TableCalls,
  row: number,
  { inferenceDetails }: UsageRecord,
): JoinedCall | undefined {
  const named = byId.get(inferenceDetails?.requestId ?? "");
  if (named) return { entry: named, by: "requestId" };
  const found = byRow.get(row);
  return found && { entry: found, by: "timeAndSum" };
}

/** Removes the flags of records of other calls, and counts them. */
function dropOthers(
  { requestIds, rows }: RecordsOf,
  block: DayColumns,
  start: number,
  fits: Uint8Array,
): number {
  const isNamed = flags(block.requestIds, (id) => requestIds.has(id));
  let count = 0;
  for (let row = 0; row < block.size; row++) {
    if (fits[row] !== 1 || isNamed[block.request[row] as number] === 1 || rows.has(start + row)) continue;
    fits[row] = 0;
    count += 1;
  }
  return count;
}

function keyColumn(block: DayColumns, sort: SortColumn, rank: Float64Array): Float64Array {
  const ranked = (codes: Uint32Array) => {
    const keys = new Float64Array(codes.length);
    for (let row = 0; row < codes.length; row++) keys[row] = rank[codes[row] as number] as number;
    return keys;
  };
  switch (sort) {
    case "time":
      return block.atMs;
    case "units":
      return block.units;
    case "price":
      return block.priceUsd;
    case "amount":
      return block.amount;
    case "duration":
      return block.executionMs;
    case "tokens":
      return block.promptTokens.map((prompt, row) => prompt + (block.completionTokens[row] || 0));
    case "sku":
      return ranked(block.sku);
    case "currency":
      return ranked(block.currency);
    case "notes":
      return ranked(block.notes);
  }
}

/** The rank of each string by its code. */
function ranks({ list }: StringTable): Float64Array {
  const order = Array.from(list.keys()).sort((a, b) => ((list[a] ?? "") < (list[b] ?? "") ? -1 : 1));
  const places = new Float64Array(list.length);
  for (const [place, code] of order.entries()) places[code] = place;
  return places;
}

/** The selected rows in the given order, or in storage order. */
function rowsIn(
  order: Uint32Array | undefined,
  { fits, count }: { readonly fits: Uint8Array; readonly count: number },
  isDescending: boolean,
): Uint32Array {
  const rows = new Uint32Array(count);
  let at = 0;
  for (let place = 0; place < fits.length; place++) {
    const row = order ? (order[place] as number) : place;
    if (fits[row] === 1) rows[at++] = row;
  }
  return isDescending ? rows.reverse() : rows;
}

/**
 * Flags the matching records of a day and counts them. Each string of the table is searched once, not once per record.
 */
function filterBlock(query: RecordQuery, block: DayColumns, words: StringTables, fits: Uint8Array): number {
  const text = query.text.trim().toLowerCase();
  const { sku, currency, notes, request } = block;
  const skuFits = flags(
    words.skus.list,
    (one) => query.model === undefined || productOf(one).model === query.model,
  );
  const currencyFits = flags(
    words.currencies.list,
    (one) => query.currency === undefined || one === query.currency,
  );
  const has = (list: readonly string[]) => flags(lowerCased(list), (word) => word.includes(text));
  const [skuHas, notesHave, requestHas] = [words.skus.list, words.notes.list, block.requestIds].map(has) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  let count = 0;
  for (let row = 0; row < block.size; row++) {
    const isIn =
      skuFits[sku[row] as number] === 1 &&
      currencyFits[currency[row] as number] === 1 &&
      (skuHas[sku[row] as number] === 1 ||
        notesHave[notes[row] as number] === 1 ||
        requestHas[request[row] as number] === 1);
    if (!isIn) continue;
    fits[row] = 1;
    count += 1;
  }
  return count;
}

function flags(list: readonly string[], fits: (word: string) => boolean): Uint8Array {
  const all = new Uint8Array(list.length);
  for (let at = 0; at < list.length; at++) if (fits(list[at] as string)) all[at] = 1;
  return all;
}

const lowered = new WeakMap<readonly string[], readonly string[]>();

/** String tables only grow. */
function lowerCased(list: readonly string[]): readonly string[] {
  const cached = lowered.get(list);
  if (cached?.length === list.length) return cached;
  const made = list.map((word) => word.toLowerCase());
  lowered.set(list, made);
  return made;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
