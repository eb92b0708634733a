import { useEffect, useState } from "preact/hooks";
import { indexAfterKey } from "../listbox.ts";
import { rowsBetween, useVirtualList } from "../virtualList.ts";

/** The style sheet has the same height. */
const rowPx = 24;
const spareRows = 3;

export interface GridColumn<Row, Sort extends string = string> {
  readonly id: Sort;
  readonly label: string;
  readonly cell: (row: Row) => string;
  readonly isNumber?: boolean;
}

/** The rows of a query. Another query starts at the top. */
interface GridRows<Row> {
  readonly query: number;
  readonly size: number;
  /** Loads these rows; `to` is exclusive. */
  want(from: number, to: number): void;
  /** Undefined until it is loaded. */
  rowAt(index: number): Row | undefined;
}

interface Props<Row, Sort extends string> {
  readonly label: string;
  /** Prefix of the element ids of rows. */
  readonly rowId: string;
  readonly columns: readonly GridColumn<Row, Sort>[];
  readonly rows: GridRows<Row>;
  readonly opens: (row: Row) => boolean;
  readonly onOpen: (row: Row) => void;
  /** Undefined if the order is fixed. */
  readonly order?: {
    readonly sort: Sort;
    readonly isDescending: boolean;
    readonly onSort: (sort: Sort) => void;
  };
}

/**
 * A list of which only the visible rows are in the DOM. The page sets the widths of the columns (`--columns`) and of all
 * together (`--grid-width`). The grid has the focus; aria-activedescendant names the active row.
 */
export function Grid<Row, Sort extends string>(props: Props<Row, Sort>) {
  const { label, rowId, columns, rows, opens, onOpen } = props;
  const { size, query } = rows;
  const [active, setActive] = useState(0);
  const list = useVirtualList(() => ({ rowPx, heightPx: size * rowPx }));
  const { from, to } = rowsBetween({ rowPx, count: size }, list.fromPx, list.toPx, spareRows);
  useEffect(() => rows.want(from, to), [from, to, query]);
  useEffect(() => {
    setActive(0);
    list.toStart();
  }, [query]);

  const open = (index: number) => {
    const row = rows.rowAt(index);
    if (row && opens(row)) onOpen(row);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // A key on a column's button sorts.
    if (event.target !== event.currentTarget && event.key === "Enter") return;
    const target = indexAfterKey(event.key, active, { count: size, rowsPerPage: list.rowsInView - 1 });
    if (target !== undefined) {
      setActive(target);
      list.reveal(target * rowPx, (target + 1) * rowPx);
    } else if (event.key === "Enter") open(active);
    else return;
    event.preventDefault();
  };
  const grid = {
    role: "grid",
    tabIndex: 0,
    "aria-label": label,
    "aria-rowcount": size + 1,
    "aria-activedescendant": `${rowId}-${active}`,
    onKeyDown,
  } as const;
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  return (
    <div class="grid" {...grid}>
      <HeadRow {...props} />
      <div ref={list.scroller} class="scroller" {...roles.rowgroup} onScroll={list.onScroll}>
        <div class="sheet" style={{ height: `${list.sheetPx}px` }}>
          <div class="window" style={{ transform: `translateY(${list.toSheet(from * rowPx)}px)` }}>
            {indexes.map((index, place) => (
              <GridRow
                // By position, so that scrolling reuses the elements.
                key={place}
                id={`${rowId}-${index}`}
                index={index}
                columns={columns}
                row={rows.rowAt(index)}
                opens={opens}
                isActive={index === active}
                onPick={() => {
                  setActive(index);
                  open(index);
                }}
              />
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

/** ARIA roles of a grid, because its rows are plain elements that are added and removed by scrolling. */
const roles = {
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  gridcell: { role: "gridcell" },
} as const;

function rowIndex(index: number) {
  return { "aria-rowindex": index };
}

/** The titles of the columns; a click sorts by the column if the order can change. */
function HeadRow<Row, Sort extends string>({ columns, order }: Props<Row, Sort>) {
  return (
    <div class="row head" {...roles.row} {...rowIndex(1)}>
      {columns.map(({ id, label, isNumber }) => (
        <span
          key={id}
          class={isNumber ? "number" : ""}
          {...columnHeader(order?.sort === id ? order.isDescending : undefined)}
        >
          {order ? (
            <button type="button" class="link" onClick={() => order.onSort(id)}>
              {label}
              {order.sort === id && (order.isDescending ? " ↓" : " ↑")}
            </button>
          ) : (
            label
          )}
        </span>
      ))}
    </div>
  );
}

/** Undefined if the rows are not sorted by this column. */
function columnHeader(isDescending: boolean | undefined) {
  const sort = isDescending === undefined ? "none" : isDescending ? "descending" : "ascending";
  return { role: "columnheader", "aria-sort": sort } as const;
}

interface GridRowProps<Row> {
  readonly id: string;
  readonly index: number;
  readonly columns: readonly GridColumn<Row>[];
  /** Undefined until it is loaded. */
  readonly row: Row | undefined;
  readonly opens: (row: Row) => boolean;
  readonly isActive: boolean;
  readonly onPick: () => void;
}

function GridRow<Row>({ id, index, columns, row, opens, isActive, onPick }: GridRowProps<Row>) {
  const attributes = { ...roles.row, ...rowIndex(index + 2), id, onClick: onPick };
  return (
    <div class={`row${isActive ? " active" : ""}${row && opens(row) ? " opens" : ""}`} {...attributes}>
      {columns.map(({ id: column, cell, isNumber }) => (
        <span key={column} {...roles.gridcell} class={isNumber ? "number" : ""}>
          {row ? cell(row) : "…"}
        </span>
      ))}
    </div>
  );
}
