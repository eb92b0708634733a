/** An element with a position on the page. */
interface Placed {
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
}

/** The items of a sorted column that intersect `view`, found by binary search. */
export function visibleItems<Item extends Placed>(column: ArrayLike<Item>, view: Placed): Item[] {
  const { top, bottom } = view.getBoundingClientRect();
  const seen: Item[] = [];
  for (let index = firstBelow(column, top); index < column.length; index++) {
    const item = column[index];
    if (!item || item.getBoundingClientRect().top >= bottom) break;
    seen.push(item);
  }
  return seen;
}

/** Index of the first item that ends below `top`. */
function firstBelow(column: ArrayLike<Placed>, top: number): number {
  let [from, to] = [0, column.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const isBelow = (column[middle]?.getBoundingClientRect().bottom ?? 0) > top;
    if (isBelow) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** The item closest to the middle of `view`. Undefined if no item is visible. */
export function closest<Item extends Placed>(items: Iterable<Item>, view: Placed): Item | undefined {
  const middle = middleOf(view);
  let best: { readonly item: Item; readonly distance: number } | undefined;
  for (const item of items) {
    const distance = Math.abs(middleOf(item) - middle);
    if (!best || distance < best.distance) best = { item, distance };
  }
  return best?.item;
}

function middleOf(item: Placed): number {
  const { top, bottom } = item.getBoundingClientRect();
  return (top + bottom) / 2;
}
