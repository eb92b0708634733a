import { latin1, viewOf } from "../bytes.ts";

/** TIFF 6.0, tag 274. 1 is upright, 3 upside down, 6 and 8 a quarter turn; 2, 4, 5 and 7 are mirrored, too. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A box of an ISO base media file: its content is `[start, end)`. */
interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/** No file has this many boxes before its pixels; a damaged one may seem to. */
const maxBoxes = 10_000;

/** The boxes in a part of a file. A damaged one ends the list. */
function boxesIn(bytes: Uint8Array, from: number, to: number): Box[] {
  const view = viewOf(bytes);
  const boxes: Box[] = [];
  let offset = from;
  while (offset + 8 <= to && boxes.length < maxBoxes) {
    let size = view.getUint32(offset);
    let head = 8;
    if (size === 1 && offset + 16 <= to) {
      size = Number(view.getBigUint64(offset + 8));
      head = 16;
    }
    if (size === 0) size = to - offset;
    if (size < head || offset + size > to) break;
    boxes.push({ type: latin1(bytes, offset + 4, offset + 8), start: offset + head, end: offset + size });
    offset += size;
  }
  return boxes;
}

/**
 * How the properties `irot` and `imir` of the main picture of an AVIF or HEIC file turn it (ISO/IEC 23008-12). Its EXIF
 * data says the same once more, and is not used.
 */
export function isobmffOrientation(bytes: Uint8Array): Orientation {
  const meta = boxesIn(bytes, 0, bytes.length).find(({ type }) => type === "meta");
  if (!meta) return 1;
  // Version and flags.
  const inMeta = boxesIn(bytes, meta.start + 4, meta.end);
  const primary = inMeta.find(({ type }) => type === "pitm");
  const properties = inMeta.find(({ type }) => type === "iprp");
  if (!primary || !properties) return 1;
  const inProperties = boxesIn(bytes, properties.start, properties.end);
  const container = inProperties.find(({ type }) => type === "ipco");
  const associations = inProperties.find(({ type }) => type === "ipma");
  if (!container || !associations) return 1;
  const own = ownProperties(bytes, associations, idAt(bytes, primary));
  const all = boxesIn(bytes, container.start, container.end).filter((_, index) => own.has(index + 1));
  const firstByte = (name: string) => {
    const box = all.find(({ type }) => type === name);
    return box && bytes[box.start];
  };
  return orientationOf((firstByte("irot") ?? 0) & 3, firstByte("imir"));
}

/** The id in a box with version and flags: 16 bits in version 0, else 32. */
function idAt(bytes: Uint8Array, { start, end }: Box): number {
  const isShort = bytes[start] === 0;
  if (start + 4 + (isShort ? 2 : 4) > end) return -1;
  return isShort ? viewOf(bytes).getUint16(start + 4) : viewOf(bytes).getUint32(start + 4);
}

/** The numbers, from 1, of the properties of an item. */
function ownProperties(bytes: Uint8Array, { start, end }: Box, item: number): ReadonlySet<number> {
  if (start + 8 > end) return new Set();
  const view = viewOf(bytes);
  const [hasLongIds, hasLongNumbers] = [bytes[start] !== 0, ((bytes[start + 3] ?? 0) & 1) === 1];
  const [idBytes, numberBytes] = [hasLongIds ? 4 : 2, hasLongNumbers ? 2 : 1];
  let offset = start + 8;
  for (let left = view.getUint32(start + 4); left > 0 && offset + idBytes < end; left--) {
    const id = hasLongIds ? view.getUint32(offset) : view.getUint16(offset);
    const first = offset + idBytes + 1;
    const fitting = Math.floor((end - first) / numberBytes);
    const count = Math.min(bytes[first - 1] ?? 0, fitting);
    if (id === item) return new Set(propertyNumbers(view, first, count, hasLongNumbers));
    offset = first + count * numberBytes;
  }
  return new Set();
}

/** The highest bit says that a property is essential. */
function propertyNumbers(view: DataView, first: number, count: number, isLong: boolean): number[] {
  return Array.from({ length: count }, (_, index) =>
    isLong ? view.getUint16(first + index * 2) & 0x7fff : view.getUint8(first + index) & 0x7f,
  );
}

/** `turns` are quarter turns to the left; the axis of a mirror is 0 for top and bottom, 1 for left and right. */
function orientationOf(turns: number, axis: number | undefined): Orientation {
  const plain: readonly Orientation[] = [1, 8, 3, 6];
  const topBottom: readonly Orientation[] = [4, 5, 2, 7];
  const leftRight: readonly Orientation[] = [2, 7, 4, 5];
  const turned = axis === undefined ? plain : (axis & 1) === 0 ? topBottom : leftRight;
  return turned[turns] ?? 1;
}
