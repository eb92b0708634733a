import { type ListLayout, rowsBetween } from "../../../webview/ui/virtualList.ts";
import type { HistoryFolder } from "../../protocol/chatHistory.ts";

/** In pixels; the style sheet has the same value. */
export const rowHeight = 46;
export const headingHeight = 28;

/** A heading or a row, with its position. */
type PlacedRow =
  | { readonly kind: "heading"; readonly title: string; readonly top: number }
  | { readonly kind: "row"; readonly index: number; readonly top: number };

/** Positions of all rows of a list, in folders with headings. */
export interface HistoryLayout extends ListLayout {
  topOf(index: number): number;
  /** Items between two offsets. */
  between(top: number, bottom: number): PlacedRow[];
}

interface Stretch {
  readonly title: string | undefined;
  readonly top: number;
  /** Offset of its first row. */
  readonly rowsTop: number;
  readonly first: number;
  readonly count: number;
}

export function historyLayoutOf(total: number, folders: readonly HistoryFolder[]): HistoryLayout {
  const stretches: Stretch[] = [];
  let top = 0;
  let first = 0;
  for (const { title, count } of folders.length > 0 ? folders : [{ title: undefined, count: total }]) {
    const rowsTop = top + (title === undefined ? 0 : headingHeight);
    stretches.push({ title, top, rowsTop, first, count });
    top = rowsTop + count * rowHeight;
    first += count;
  }
  return {
    rowPx: rowHeight,
    heightPx: top,
    topOf(index) {
      const stretch = stretches.findLast((one) => one.first <= index);
      return stretch ? stretch.rowsTop + (index - stretch.first) * rowHeight : 0;
    },
    between: (from, to) => stretches.flatMap((stretch) => placed(stretch, from, to)),
  };
}

function placed({ title, top, rowsTop, first, count }: Stretch, from: number, to: number): PlacedRow[] {
  const things: PlacedRow[] = [];
  if (title !== undefined && rowsTop > from && top < to) things.push({ kind: "heading", title, top });
  const rows = rowsBetween({ rowPx: rowHeight, count }, from - rowsTop, to - rowsTop);
  for (let row = rows.from; row < rows.to; row++) {
    things.push({ kind: "row", index: first + row, top: rowsTop + row * rowHeight });
  }
  return things;
}
