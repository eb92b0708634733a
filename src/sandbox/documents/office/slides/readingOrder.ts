/** Where something is, in any unit of length. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

interface Placed<Item> {
  readonly box: Box;
  /** It, and what follows it without a position of its own. */
  readonly items: Item[];
}

type Axis = "horizontal" | "vertical";

/** Larger slides are drawings, whose texts have no order. */
const maxPlaced = 200;

/**
 * Shapes of a slide are stored from the back to the front. That order is kept if a person could read the slide in it,
 * as in columns. Else they are read in rows, and in columns where there are no rows. Items without a position stay
 * behind the one before them.
 */
export function inReadingOrder<Item extends { readonly box: Box | undefined }>(
  items: readonly Item[],
): readonly Item[] {
  const first: Item[] = [];
  const placed: Placed<Item>[] = [];
  for (const item of items) {
    const last = placed.at(-1);
    if (item.box) placed.push({ box: item.box, items: [item] });
    else (last?.items ?? first).push(item);
  }
  if (placed.length > maxPlaced || isReadable(placed.map(({ box }) => box))) return items;
  return [...first, ...inRows(placed).flatMap((each) => each.items)];
}

function isReadable(boxes: readonly Box[]): boolean {
  return boxes.every((box, index) => boxes.slice(0, index).every((before) => !isBefore(box, before, boxes)));
}

/** True if a person reads `one` before `other` in any case. */
function isBefore(one: Box, other: Box, all: readonly Box[]): boolean {
  const [isRow, isColumn] = [isBeside(one, other, "vertical"), isBeside(one, other, "horizontal")];
  if (isRow && isColumn) return false;
  if (isRow) return center(one, "horizontal") < center(other, "horizontal");
  const isAbove = center(one, "vertical") < center(other, "vertical");
  if (isColumn || !isAbove || center(one, "horizontal") < center(other, "horizontal")) return isAbove;
  // What is at the lower left is read first only if it ends a column that begins beside the other.
  return !all.some(
    (third) =>
      third !== one &&
      third !== other &&
      isBeside(third, one, "vertical") &&
      isBeside(third, other, "horizontal"),
  );
}

function inRows<Item>(placed: readonly Placed<Item>[]): readonly Placed<Item>[] {
  for (const axis of ["vertical", "horizontal"] as const) {
    const groups = groupsOn(placed, axis);
    if (groups.length > 1) return groups.flatMap(inRows);
  }
  // They overlap: the one behind the others comes first.
  const [first, ...others] = placed.toSorted(
    (one, other) => one.box.top - other.box.top || one.box.left - other.box.left,
  );
  return first ? [first, ...inRows(others)] : [];
}

/** Rows on the vertical axis, columns on the other. */
function groupsOn<Item>(placed: readonly Placed<Item>[], axis: Axis): readonly Placed<Item>[][] {
  let groups: Placed<Item>[][] = [];
  const sorted = placed.toSorted((one, other) => range(one.box, axis)[0] - range(other.box, axis)[0]);
  for (const item of sorted) {
    const index = groups.findIndex((group) => group.some(({ box }) => isBeside(box, item.box, axis)));
    if (index < 0) groups.push([item]);
    else groups = [...groups.slice(0, index), [...groups.slice(index).flat(), item]];
  }
  return groups;
}

/** True if half of the smaller one is within the range of the other: people don't align by the pixel. */
function isBeside(one: Box, other: Box, axis: Axis): boolean {
  const [[start, end], [otherStart, otherEnd]] = [range(one, axis), range(other, axis)];
  const common = Math.min(end, otherEnd) - Math.max(start, otherStart);
  return common >= Math.min(end - start, otherEnd - otherStart) / 2;
}

function range({ left, top, width, height }: Box, axis: Axis): readonly [number, number] {
  return axis === "vertical" ? [top, top + height] : [left, left + width];
}

function center(box: Box, axis: Axis): number {
  const [start, end] = range(box, axis);
  return (start + end) / 2;
}
