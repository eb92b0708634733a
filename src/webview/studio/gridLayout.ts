/** Layout of the gallery: square cells in rows. Lengths are CSS pixels. */
export interface GridLayout {
  readonly columns: number;
  readonly rows: number;
  /** Height of a cell including the gap. */
  readonly stepPx: number;
  readonly cellPx: number;
  readonly tallPx: number;
}

const gapPx = 8;
const wideFromPx = 420;
/** Rows rendered above and below the visible ones. */
const spareRows = 1;

export function gridLayoutOf(widthPx: number, size: number): GridLayout {
  const wantedPx = widthPx < wideFromPx ? 96 : 144;
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (wantedPx + gapPx)));
  const cellPx = Math.max(1, Math.floor((widthPx - gapPx * (columns - 1)) / columns));
  const stepPx = cellPx + gapPx;
  const rows = Math.ceil(size / columns);
  return { columns, rows, stepPx, cellPx, tallPx: Math.max(0, rows * stepPx - gapPx) };
}

/** The range of rendered pictures at a scroll position: `to` is exclusive. */
export function visiblePictures(
  { columns, rows, stepPx }: GridLayout,
  size: number,
  scrollTopPx: number,
  heightPx: number,
): { readonly from: number; readonly to: number; readonly atPx: number } {
  const last = Math.max(0, rows - 1);
  const first = Math.min(last, Math.max(0, Math.floor(scrollTopPx / stepPx) - spareRows));
  const end = Math.min(rows, Math.ceil((scrollTopPx + heightPx) / stepPx) + spareRows);
  return {
    from: first * columns,
    to: Math.min(size, Math.max(end, first + 1) * columns),
    atPx: first * stepPx,
  };
}

/** The index that a key moves to; undefined for other keys. */
export function moveTo(
  key: string,
  index: number,
  { columns }: GridLayout,
  size: number,
  rowsInView: number,
): number | undefined {
  const page = Math.max(1, rowsInView) * columns;
  const moves: Readonly<Record<string, number>> = {
    ArrowRight: index + 1,
    ArrowLeft: index - 1,
    ArrowDown: index + columns,
    ArrowUp: index - columns,
    PageDown: index + page,
    PageUp: index - page,
    Home: 0,
    End: size - 1,
  };
  const target = moves[key];
  return target === undefined || size === 0 ? undefined : Math.max(0, Math.min(size - 1, target));
}

/** The scroll position that shows a picture completely; undefined if it is visible. */
export function scrollFor(
  index: number,
  { columns, stepPx, cellPx }: GridLayout,
  scrollTopPx: number,
  heightPx: number,
): number | undefined {
  const topPx = Math.floor(index / columns) * stepPx;
  if (topPx < scrollTopPx) return topPx;
  const bottomPx = topPx + cellPx;
  return bottomPx > scrollTopPx + heightPx ? bottomPx - heightPx : undefined;
}
