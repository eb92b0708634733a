import { type ListLayout, rowsBetween } from "../ui/virtualList.ts";

/** Layout of the gallery: square cells in rows. Lengths are CSS pixels. */
export interface GridLayout extends ListLayout {
  readonly columns: number;
  readonly rows: number;
  /** Width and height of a cell. */
  readonly cellPx: number;
}

const gapPx = 8;
const wideFromPx = 420;
/** Rows rendered above and below the visible ones. */
const spareRows = 1;

export function gridLayoutOf(widthPx: number, size: number): GridLayout {
  const wantedPx = widthPx < wideFromPx ? 96 : 144;
  const columns = Math.max(1, Math.floor((widthPx + gapPx) / (wantedPx + gapPx)));
  const cellPx = Math.max(1, Math.floor((widthPx - gapPx * (columns - 1)) / columns));
  const rowPx = cellPx + gapPx;
  const rows = Math.ceil(size / columns);
  return { columns, rows, rowPx, cellPx, heightPx: Math.max(0, rows * rowPx - gapPx) };
}

/** The range of rendered pictures between two offsets: `to` is exclusive. */
export function visiblePictures(
  { columns, rows, rowPx }: GridLayout,
  size: number,
  fromPx: number,
  toPx: number,
): { readonly from: number; readonly to: number; readonly atPx: number } {
  const { from: first, to: end } = rowsBetween({ rowPx, count: rows }, fromPx, toPx, spareRows);
  return { from: first * columns, to: Math.min(size, end * columns), atPx: first * rowPx };
}
