/**
 * All rows in rising order of their keys, rows of one key in the order they had; NaN last. Sixteen bits at a time, with
 * a pause after each so that others get their turn: a million rows take some 100 ms in all.
 */
export async function radixOrder(keys: Float64Array, pause: () => Promise<void>): Promise<Uint32Array> {
  let from = columnsOf(keys);
  for (let digit = 0; digit < 4; digit++) {
    await pause();
    from = sortedBy(from, digit);
  }
  return from.row;
}

/** Keys as two words each, and the rows that they belong to. They move together, so that each pass reads in a line. */
interface Columns {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly row: Uint32Array;
}

/** One stable pass over one half of one word; nothing moves where all rows have the same there. */
function sortedBy(from: Columns, digit: number): Columns {
  const size = from.row.length;
  const word = digit < 2 ? from.low : from.high;
  const shift = (digit % 2) * 16;
  const starts = new Uint32Array(65_537);
  for (let i = 0; i < size; i++) {
    const place = (((word[i] as number) >>> shift) & 0xffff) + 1;
    starts[place] = (starts[place] as number) + 1;
  }
  if (starts.includes(size, 1)) return from;
  for (let place = 1; place < starts.length; place++) {
    starts[place] = (starts[place] as number) + (starts[place - 1] as number);
  }
  const to = { low: new Uint32Array(size), high: new Uint32Array(size), row: new Uint32Array(size) };
  for (let i = 0; i < size; i++) {
    const place = ((word[i] as number) >>> shift) & 0xffff;
    const at = starts[place] as number;
    to.low[at] = from.low[i] as number;
    to.high[at] = from.high[i] as number;
    to.row[at] = from.row[i] as number;
    starts[place] = at + 1;
  }
  return to;
}

/** The bits of each number so that they compare as whole numbers do: negative ones turned over, positive ones raised. */
function columnsOf(keys: Float64Array): Columns {
  const size = keys.length;
  const words = new Uint32Array(keys.buffer, keys.byteOffset, size * 2);
  const columns = { low: new Uint32Array(size), high: new Uint32Array(size), row: new Uint32Array(size) };
  for (let i = 0; i < size; i++) {
    const low = words[i * 2] as number;
    const high = words[i * 2 + 1] as number;
    const isTold = !Number.isNaN(keys[i]);
    const isTurned = high >>> 31 === 1;
    columns.low[i] = !isTold ? 0xffffffff : isTurned ? ~low : low;
    columns.high[i] = !isTold ? 0xffffffff : isTurned ? ~high : high ^ 0x80000000;
    columns.row[i] = i;
  }
  return columns;
}
