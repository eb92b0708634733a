/**
 * Sorts rows by their keys in ascending order; stable, NaN last. Processes sixteen bits at a time and yields after each
 * pass: a million rows take about 100 ms in total.
 */
export async function radixOrder(keys: Float64Array, pause: () => Promise<void>): Promise<Uint32Array> {
  let from = columnsOf(keys);
  for (let digit = 0; digit < 4; digit++) {
    await pause();
    from = sortedBy(from, digit);
  }
  return from.row;
}

/** Keys as two words each, with their rows. They are moved together, so that each pass reads sequentially. */
interface Columns {
  readonly low: Uint32Array;
  readonly high: Uint32Array;
  readonly row: Uint32Array;
}

/** One stable pass over half a word. Skipped if all rows have the same value there. */
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

/**
 * Maps the bits of floats so that they compare as integers: negative ones inverted, positive ones with the sign bit
 * set.
 */
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
