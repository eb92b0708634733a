import { useEffect, useState } from "preact/hooks";
import type { SortColumn, UsageRow } from "../../shared/usageProtocol.ts";
import { indexAfterKey } from "../ui/listbox.ts";
import { rowsBetween, useVirtualList } from "../ui/virtualList.ts";
import type { UsageModel } from "./usageModel.ts";

/** The style sheet has the same height. */
const rowPx = 24;
const spareRows = 3;

const columns: readonly {
  readonly sort: SortColumn;
  readonly label: string;
  readonly cell: (row: UsageRow) => string;
  readonly isNumber?: boolean;
}[] = [
  { sort: "time", label: "Time (UTC)", cell: ({ time }) => time },
  { sort: "sku", label: "Product", cell: ({ sku }) => sku },
  { sort: "units", label: "Units", cell: ({ units }) => units, isNumber: true },
  { sort: "amount", label: "Spent", cell: ({ amount }) => amount, isNumber: true },
  { sort: "currency", label: "Currency", cell: ({ currency }) => currency },
  { sort: "tokens", label: "Tokens", cell: ({ tokens }) => tokens, isNumber: true },
  { sort: "duration", label: "Took", cell: ({ duration }) => duration, isNumber: true },
  { sort: "notes", label: "Notes", cell: ({ notes }) => notes },
];

/** All records of the range. */
export function Records({ model }: { readonly model: UsageModel }) {
  return (
    <section class="panel records" aria-label="Records">
      <RecordsHead model={model} />
      <RecordsGrid model={model} />
    </section>
  );
}

function RecordsHead({ model }: { readonly model: UsageModel }) {
  const { text, model: modelId } = model.query.value;
  return (
    <header>
      <h2>Records</h2>
      <input
        type="search"
        placeholder="Filter by product, notes or request id"
        aria-label="Filter records"
        value={text}
        onInput={({ currentTarget }) => model.search({ text: currentTarget.value })}
      />
      {modelId !== undefined && (
        <button type="button" class="chip" onClick={() => model.search({ model: undefined })}>
          {modelId} ✕
        </button>
      )}
      <span class="quiet" role="status">
        {model.found.value.size.toLocaleString("en-US")} records
      </span>
    </header>
  );
}

/** The grid has the focus; aria-activedescendant names the active row. Only the visible rows are in the DOM. */
function RecordsGrid({ model }: { readonly model: UsageModel }) {
  const { size, query } = model.found.value;
  const [active, setActive] = useState(0);
  const list = useVirtualList(() => ({ rowPx, heightPx: size * rowPx }));
  const { from, to } = rowsBetween({ rowPx, count: size }, list.fromPx, list.toPx, spareRows);
  useEffect(() => model.want(from, to), [from, to, query]);
  useEffect(() => {
    setActive(0);
    list.toStart();
  }, [query]);

  const open = (index: number) => {
    const requestId = model.rowAt(index)?.requestId;
    if (requestId) model.bridge.post("request", { requestId });
  };
  const onKeyDown = (event: KeyboardEvent) => {
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
    "aria-label": "Usage records",
    "aria-rowcount": size + 1,
    "aria-activedescendant": `record-${active}`,
    onKeyDown,
  } as const;
  const indexes = Array.from({ length: Math.max(0, to - from) }, (_, offset) => from + offset);
  return (
    <div class="grid" {...grid}>
      <HeadRow model={model} />
      <div ref={list.scroller} class="scroller" {...roles.rowgroup} onScroll={list.onScroll}>
        <div class="sheet" style={{ height: `${list.sheetPx}px` }}>
          <div class="window" style={{ transform: `translateY(${list.toSheet(from * rowPx)}px)` }}>
            {indexes.map((index, place) => (
              <RecordRow
                // By position, so that scrolling reuses the elements.
                key={place}
                index={index}
                row={model.rowAt(index)}
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

/** The titles of the columns; a click sorts by the column. */
function HeadRow({ model }: { readonly model: UsageModel }) {
  const { sort: sorted, isDescending } = model.query.value;
  const sortBy = (sort: SortColumn) =>
    model.search({
      sort,
      isDescending: sort === sorted ? !isDescending : sort === "time" || sort === "amount",
    });
  return (
    <div class="row head" {...roles.row} {...rowIndex(1)}>
      {columns.map(({ sort, label, isNumber }) => (
        <span
          key={sort}
          class={isNumber ? "number" : ""}
          {...columnHeader(sorted === sort ? isDescending : undefined)}
        >
          <button type="button" class="link" onClick={() => sortBy(sort)}>
            {label}
            {sorted === sort && (isDescending ? " ↓" : " ↑")}
          </button>
        </span>
      ))}
    </div>
  );
}

/** Undefined if the records are sorted by another column. */
function columnHeader(isDescending: boolean | undefined) {
  const sort = isDescending === undefined ? "none" : isDescending ? "descending" : "ascending";
  return { role: "columnheader", "aria-sort": sort } as const;
}

interface RecordRowProps {
  readonly index: number;
  /** Undefined until it is loaded. */
  readonly row: UsageRow | undefined;
  readonly isActive: boolean;
  readonly onPick: () => void;
}

function RecordRow({ index, row, isActive, onPick }: RecordRowProps) {
  const attributes = { ...roles.row, ...rowIndex(index + 2), id: `record-${index}`, onClick: onPick };
  return (
    <div class={`row${isActive ? " active" : ""}${row?.requestId ? " opens" : ""}`} {...attributes}>
      {columns.map(({ sort, cell, isNumber }) => (
        <span key={sort} {...roles.gridcell} class={isNumber ? "number" : ""}>
          {row ? cell(row) : "…"}
        </span>
      ))}
    </div>
  );
}
