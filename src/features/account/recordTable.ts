import type { UsageRecord } from "../../api/endpoints/billing.ts";
import { type DayColumns, type Dictionary, recordAt, type Words } from "./dayColumns.ts";
import { radixOrder } from "./radixOrder.ts";
import { productOf } from "./skuProduct.ts";

export type SortColumn = "time" | "sku" | "units" | "amount" | "currency" | "tokens" | "duration" | "notes";

/** Which records, and in which order. */
export interface RecordQuery {
  /** Sought in skus, notes and request ids, whatever the case. */
  readonly text: string;
  readonly model?: string | undefined;
  readonly currency?: string | undefined;
  readonly sort: SortColumn;
  readonly isDescending: boolean;
}

/** The records that fit a query, in its order; each is made when it is looked at. */
export interface RecordView {
  readonly size: number;
  rows(from: number, count: number): readonly UsageRecord[];
}

export interface RecordTable {
  readonly size: number;
  /** Undefined where `isWanted` says that another query has come meanwhile. */
  query(query: RecordQuery, isWanted?: () => boolean): Promise<RecordView | undefined>;
  /** All records of one request, oldest first. */
  ofRequest(requestId: string): readonly UsageRecord[];
}

/** So many rows are looked at before others get their turn, at some 100 ns each. */
const rowsAtOnce = 100_000;

export function createRecordTable(days: readonly DayColumns[], words: Dictionary): RecordTable {
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
  const found = async (query: RecordQuery, isWanted: () => boolean): Promise<Uint32Array | undefined> => {
    const fits = createFilter(query, words);
    const rows = new Uint32Array(size);
    let count = 0;
    let looked = 0;
    for (const [index, block] of blocks.entries()) {
      const fitsRow = fits(block);
      const start = starts[index] ?? 0;
      for (let row = 0; row < block.size; row++) {
        if (fitsRow(row)) rows[count++] = start + row;
        if (++looked % rowsAtOnce === 0) {
          await nextTurn();
          if (!isWanted()) return undefined;
        }
      }
    }
    return rows.subarray(0, count);
  };
  const keysOf = (sort: SortColumn): Float64Array => {
    const keys = new Float64Array(size);
    const rank =
      sort === "sku" ? ranks(words.skus) : sort === "currency" ? ranks(words.currencies) : ranks(words.notes);
    for (const [index, block] of blocks.entries()) keys.set(keyColumn(block, sort, rank), starts[index]);
    return keys;
  };
  const ordered = async (rows: Uint32Array, { sort, isDescending }: RecordQuery) => {
    // Records lie in the order of their time.
    const rising = sort === "time" ? rows : radixOrder(keysOf(sort), rows);
    return isDescending ? rising.slice().reverse() : rising;
  };
  return {
    size,
    async query(query, isWanted = () => true) {
      const rows = await found(query, isWanted);
      if (!rows) return undefined;
      const order = await ordered(rows, query);
      return {
        size: order.length,
        rows: (from, count) => Array.from(order.subarray(from, from + count), recordOf),
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

function keyColumn(block: DayColumns, sort: SortColumn, rank: Float64Array): Float64Array {
  const ranked = (codes: Uint32Array) => Float64Array.from(codes, (code) => rank[code] ?? 0);
  switch (sort) {
    case "time":
      return block.atMs;
    case "units":
      return block.units;
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

/** Each word's place in the alphabet, by its code. */
function ranks({ list }: Words): Float64Array {
  const order = Array.from(list.keys()).sort((a, b) => ((list[a] ?? "") < (list[b] ?? "") ? -1 : 1));
  const places = new Float64Array(list.length);
  for (const [place, code] of order.entries()) places[code] = place;
  return places;
}

/** Words are sought once each, not once a record. */
function createFilter(
  query: RecordQuery,
  words: Dictionary,
): (block: DayColumns) => (row: number) => boolean {
  const text = query.text.trim().toLowerCase();
  const skuFits = flags(
    words.skus.list,
    (sku) => query.model === undefined || productOf(sku).model === query.model,
  );
  const currencyFits = flags(
    words.currencies.list,
    (one) => query.currency === undefined || one === query.currency,
  );
  const skuHas = flags(lowerCased(words.skus.list), (sku) => sku.includes(text));
  const notesHave =
    text === "" ? skuHas : flags(lowerCased(words.notes.list), (notes) => notes.includes(text));
  return (block) => {
    const { sku, currency, notes, request } = block;
    const isIn = (row: number) => skuFits[sku[row] ?? 0] === 1 && currencyFits[currency[row] ?? 0] === 1;
    if (text === "") return isIn;
    const requestHas = flags(lowerCased(block.requestIds), (id) => id.includes(text));
    return (row) =>
      isIn(row) &&
      (skuHas[sku[row] ?? 0] === 1 ||
        notesHave[notes[row] ?? 0] === 1 ||
        requestHas[request[row] ?? 0] === 1);
  };
}

function flags(list: readonly string[], fits: (word: string) => boolean): Uint8Array {
  return Uint8Array.from(list, (word) => (fits(word) ? 1 : 0));
}

const lowered = new WeakMap<readonly string[], readonly string[]>();

/** Lists of words only ever grow. */
function lowerCased(list: readonly string[]): readonly string[] {
  const known = lowered.get(list);
  if (known?.length === list.length) return known;
  const made = list.map((word) => word.toLowerCase());
  lowered.set(list, made);
  return made;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
