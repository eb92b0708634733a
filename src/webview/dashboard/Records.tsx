import { useEffect, useRef, useState } from "preact/hooks";
import type { SortColumn, UsageRow } from "../../shared/usageProtocol.ts";
import { pageRows, type UsageModel } from "./usageModel.ts";

const rowPx = 24;
/** Browsers limit elements to some 33 million pixels; for longer lists a pixel scrolls over several rows. */
const maxPx = 20_000_000;
const spare = 6;

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

/** ARIA roles of a grid, because its rows are plain elements that are added and removed by scrolling. */
const roles = {
  rowgroup: { role: "rowgroup" },
  row: { role: "row" },
  gridcell: { role: "gridcell" },
} as const;

function rowIndex(index: number) {
  return { "aria-rowindex": index };
}

/** Undefined if the records are sorted by another column. */
function columnHeader(isDescending: boolean | undefined) {
  const sort = isDescending === undefined ? "none" : isDescending ? "descending" : "ascending";
  return { role: "columnheader", "aria-sort": sort } as const;
}

/** All records of the range; only the visible ones are in the DOM. */
export function Records({ model }: { readonly model: UsageModel }) {
  const { found, query } = model;
  const { size, pages } = found.value;
  const scroller = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const [first, setFirst] = useState(0);
  const [active, setActive] = useState(0);
  const [visibleRows, setVisibleRows] = useState(20);
  const tall = Math.min(size * rowPx, maxPx);
  /** Pixels per row: less than a row's height if the list would exceed the limit. */
  const step = size === 0 ? rowPx : tall / size;
  const from = Math.max(0, Math.min(first, size - visibleRows));
  const to = Math.min(size, from + visibleRows + spare);

  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const measure = new ResizeObserver(() => setVisibleRows(Math.ceil(element.clientHeight / rowPx)));
    measure.observe(element);
    return () => measure.disconnect();
  }, []);
  useEffect(() => {
    if (sheet.current) sheet.current.style.height = `${tall}px`;
  }, [tall]);
  useEffect(() => model.want(from, to), [from, to, found.value.query]);
  useEffect(() => {
    setActive(0);
    setFirst(0);
    if (scroller.current) scroller.current.scrollTop = 0;
  }, [found.value.query]);

  const reveal = (row: number) => {
    const next = Math.max(0, Math.min(size - 1, row));
    setActive(next);
    const element = scroller.current;
    if (!element) return;
    if (next < from) element.scrollTop = next * step;
    else if (next >= from + visibleRows - 1) element.scrollTop = (next - visibleRows + 2) * step;
  };
  const openRow = (row: UsageRow | undefined) => {
    if (row?.requestId) model.bridge.post("request", { requestId: row.requestId });
  };
  const rowAt = (index: number) => pages.get(Math.floor(index / pageRows))?.[index % pageRows];
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + visibleRows - 1,
      PageUp: active - visibleRows + 1,
      Home: 0,
      End: size - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) reveal(move);
    else if (event.key === "Enter") openRow(rowAt(active));
    else return;
    event.preventDefault();
  };
  const sortBy = (sort: SortColumn) => {
    const { sort: now, isDescending } = query.value;
    model.search({ sort, isDescending: sort === now ? !isDescending : sort === "time" || sort === "amount" });
  };
  // The grid has the focus; aria-activedescendant names the active row.
  const grid = {
    role: "grid",
    tabIndex: 0,
    "aria-label": "Usage records",
    "aria-rowcount": size + 1,
    "aria-activedescendant": `record-${active}`,
    onKeyDown,
  } as const;
  const rowAs = (place: number, row: UsageRow | undefined) => ({
    ...roles.row,
    ...rowIndex(place + 2),
    id: `record-${place}`,
    onClick() {
      setActive(place);
      openRow(row);
    },
  });
  return (
    <section class="panel records" aria-label="Records">
      <header>
        <h2>Records</h2>
        <input
          type="search"
          placeholder="Filter by product, notes or request id"
          aria-label="Filter records"
          value={query.value.text}
          onInput={({ currentTarget }) => model.search({ text: currentTarget.value })}
        />
        {query.value.model !== undefined && (
          <button type="button" class="chip" onClick={() => model.search({ model: undefined })}>
            {query.value.model} ✕
          </button>
        )}
        <span class="quiet" role="status">
          {size.toLocaleString("en-US")} records
        </span>
      </header>
      <div class="grid" {...grid}>
        <div class="row head" {...roles.row} {...rowIndex(1)}>
          {columns.map(({ sort, label, isNumber }) => (
            <span
              key={sort}
              class={isNumber ? "number" : ""}
              {...columnHeader(query.value.sort === sort ? query.value.isDescending : undefined)}
            >
              <button type="button" class="link" onClick={() => sortBy(sort)}>
                {label}
                {query.value.sort === sort && (query.value.isDescending ? " ↓" : " ↑")}
              </button>
            </span>
          ))}
        </div>
        <div
          ref={scroller}
          class="scroller"
          {...roles.rowgroup}
          onScroll={({ currentTarget }) => setFirst(Math.floor(currentTarget.scrollTop / step))}
        >
          <div ref={sheet} class="sheet">
            <Window at={from * step}>
              {Array.from({ length: Math.max(0, to - from) }, (_, index) => {
                const place = from + index;
                const row = rowAt(place);
                return (
                  <div
                    key={index}
                    class={`row${place === active ? " active" : ""}${row?.requestId ? " opens" : ""}`}
                    {...rowAs(place, row)}
                  >
                    {columns.map(({ sort, cell, isNumber }) => (
                      <span key={sort} {...roles.gridcell} class={isNumber ? "number" : ""}>
                        {row ? cell(row) : "…"}
                      </span>
                    ))}
                  </div>
                );
              })}
            </Window>
          </div>
        </div>
      </div>
    </section>
  );
}

/** The visible rows, moved to their position. */
function Window({ at, children }: { readonly at: number; readonly children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current) box.current.style.transform = `translateY(${at}px)`;
  }, [at]);
  return (
    <div ref={box} class="window">
      {children}
    </div>
  );
}
