import { useCallback, useEffect, useState } from "preact/hooks";

/** Browsers limit elements to about 33 million pixels: the scroll bar of a taller list moves several pixels at once. */
const maxSheetPx = 20_000_000;

/** Heights of a list, in pixels. */
export interface ListLayout {
  /** A row with the gap below it. */
  readonly rowPx: number;
  /** All rows. */
  readonly heightPx: number;
}

/** A scroll box of which only the visible rows are in the DOM. They are children of a sheet with the height of the list. */
export interface VirtualList<Layout extends ListLayout> {
  /** The `ref` of the scroll box. */
  readonly scroller: (element: HTMLElement | null) => void;
  readonly layout: Layout;
  readonly sheetPx: number;
  /** The visible part of the list. It changes once per row, so scrolling doesn't render each pixel. */
  readonly fromPx: number;
  readonly toPx: number;
  /** Number of complete rows in view, at least 1. */
  readonly rowsInView: number;
  /** The position on the sheet of an offset in the list. */
  toSheet(offsetPx: number): number;
  onScroll(): void;
  /** Scrolls as little as possible to show this part of the list. */
  reveal(topPx: number, bottomPx: number): void;
  toStart(): void;
}

/** `layoutFor` is called with the width of the scroll box. */
export function useVirtualList<Layout extends ListLayout>(
  layoutFor: (widthPx: number) => Layout,
): VirtualList<Layout> {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [box, setBox] = useState({ width: 600, height: 600 });
  const [topPx, setTopPx] = useState(0);
  const layout = layoutFor(box.width);
  const { rowPx, heightPx } = layout;
  const sheetPx = Math.min(heightPx, maxSheetPx);
  /** Pixels of the list per pixel of the scroll bar. */
  const speed = sheetPx === heightPx ? 1 : (heightPx - box.height) / (sheetPx - box.height);
  const fromPx = Math.max(0, Math.min(topPx, heightPx - box.height));

  useEffect(() => {
    if (!element) return undefined;
    const sizes = new ResizeObserver(() => {
      // A hidden list has no size, so it keeps the last one.
      if (element.clientWidth > 0) setBox({ width: element.clientWidth, height: element.clientHeight });
    });
    sizes.observe(element);
    return () => sizes.disconnect();
  }, [element]);
  const onScroll = () => setTopPx(Math.floor(((element?.scrollTop ?? 0) * speed) / rowPx) * rowPx);
  useEffect(onScroll, [rowPx]);
  const scrollTo = (offsetPx: number) => {
    if (element) element.scrollTop = offsetPx / speed;
    onScroll();
  };
  return {
    scroller: useCallback(setElement, []),
    layout,
    sheetPx,
    fromPx,
    toPx: fromPx + box.height + rowPx,
    rowsInView: Math.max(1, Math.floor(box.height / rowPx)),
    toSheet: (offsetPx) => offsetPx - fromPx + fromPx / speed,
    onScroll,
    reveal(topPx, bottomPx) {
      const shownPx = (element?.scrollTop ?? 0) * speed;
      scrollTo(offsetToShow(topPx, bottomPx, shownPx, box.height));
    },
    toStart: () => scrollTo(0),
  };
}

/** The scroll position nearest to `shownPx` that shows all of a part of the list. */
export function offsetToShow(topPx: number, bottomPx: number, shownPx: number, heightPx: number): number {
  return Math.min(topPx, Math.max(shownPx, bottomPx - heightPx));
}

/** Indexes of the rows between two offsets and of some more on both sides; `to` is exclusive. */
export function rowsBetween(
  { rowPx, count }: { readonly rowPx: number; readonly count: number },
  fromPx: number,
  toPx: number,
  spare = 0,
): { readonly from: number; readonly to: number } {
  return {
    from: Math.max(0, Math.floor(fromPx / rowPx) - spare),
    to: Math.min(count, Math.ceil(toPx / rowPx) + spare),
  };
}
