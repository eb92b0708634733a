import type { ComponentChildren, JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import { missingInCsv } from "../../output/rpcOutputMessage.ts";
import { cutFieldText } from "../data/fields/fieldText.ts";
import { counted, grouped } from "../data/fields/numbers.ts";
import {
  type Column,
  countCutValues,
  filterTexts,
  matchingRows,
  type Order,
  ordered,
  toCsv,
} from "../data/tableRows.ts";
import { useDrawing, useStored } from "../drawing.ts";
import { Paged } from "./Paged.tsx";
import { type Sorting, TableFrame } from "./TableFrame.tsx";

interface Props<Row> {
  /** Names the table within its output. */
  readonly name: string;
  readonly label: string;
  readonly rows: readonly Row[];
  /** The number of rows of the complete result. */
  readonly whole: number;
  /** Hidden columns are last. */
  readonly columns: readonly Column<Row>[];
  /** The title of the first column, which counts the rows. Undefined if the rows have none. */
  readonly counter?: string;
  readonly atOnce?: number;
  /** The number of rows from which there is a filter, default 2. */
  readonly filteredFrom?: number;
  /** The table row; `at` is the index in `rows`. */
  readonly draw: (row: Row, at: number) => ComponentChildren;
}

/** A table with filter, order and CSV. They apply to all rows, not only to the drawn ones. */
export function DataTable<Row>(props: Props<Row>): JSX.Element {
  const { name, label, rows, whole, columns, counter, atOnce = 25, filteredFrom = 2, draw } = props;
  const [filter, setFilter] = useStored(`${name}#filter`, "");
  const [order, setOrder] = useStored<Order | undefined>(`${name}#order`, undefined);
  const shown = useArranged(props, filter, order);
  const sorting: readonly (Sorting | undefined)[] = [
    ...(counter === undefined ? [] : [undefined]),
    ...columns.map((_, at) => ({
      state: stateOf(order, at),
      onClick: () => setOrder(nextOrder(order, at)),
    })),
  ];
  const visible = columns.filter(({ hidden }) => !hidden);
  const isAll = shown.length === rows.length;
  return (
    <>
      {rows.length >= filteredFrom && (
        <Toolbar {...props} filter={filter} onFilter={setFilter} shown={shown} />
      )}
      <Paged
        name={name}
        items={shown}
        atOnce={atOnce}
        whole={isAll ? whole : shown.length}
        frame={(drawn) => (
          <TableFrame
            label={label}
            head={[
              ...(counter === undefined ? [] : [counter]),
              ...visible.map((column) => cutFieldText(column.title ?? column.name, 60)),
            ]}
            {...(rows.length > 1 ? { sorting } : {})}
          >
            {drawn}
          </TableFrame>
        )}
        draw={(at) => draw(rows[at] as Row, at)}
      />
    </>
  );
}

/** The indexes of the rows that match the filter, in the chosen order. */
function useArranged<Row>(
  { rows, columns }: Props<Row>,
  filter: string,
  order: Order | undefined,
): readonly number[] {
  const writing = useDrawing();
  const isFiltered = filter.trim() !== "";
  const texts = useMemo(
    () => (isFiltered ? filterTexts(rows, columns, writing) : []),
    [rows, columns, isFiltered, writing.radix],
  );
  const found = useMemo(
    () => (isFiltered ? matchingRows(texts, filter) : rows.map((_, at) => at)),
    [texts, filter, rows, isFiltered],
  );
  return useMemo(() => {
    const column = order && columns[order.column];
    return column ? ordered(found, rows, column, order.descending) : found;
  }, [found, rows, columns, order?.column, order?.descending]);
}

function stateOf(order: Order | undefined, column: number): Sorting["state"] {
  if (order?.column !== column) return "none";
  return order.descending ? "descending" : "ascending";
}

/** Ascending, descending, then the original order. */
function nextOrder(order: Order | undefined, column: number): Order | undefined {
  if (order?.column !== column) return { column, descending: false };
  return order.descending ? undefined : { column, descending: true };
}

interface ToolbarProps<Row> extends Props<Row> {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly shown: readonly number[];
}

function Toolbar<Row>(props: ToolbarProps<Row>): JSX.Element {
  const { label, rows, whole, columns, filter, onFilter, shown } = props;
  const writing = useDrawing();
  const { post } = writing;
  const [message, setMessage] = useState<string>();
  const count = counted(shown.length, "row");
  const csv = () => {
    const written = shown.map((at) => rows[at] as Row);
    const cutValues = countCutValues(written, columns, writing);
    const extent = { rows: written.length, cutRows: whole - rows.length, cutValues };
    return { csv: toCsv(written, columns, writing), extent };
  };
  const copy = async () => {
    try {
      const { csv: copied, extent } = csv();
      await navigator.clipboard.writeText(copied);
      setMessage(`Copied ${count} as CSV.${missingInCsv(extent)}`);
    } catch {
      setMessage("The clipboard refused the copy. Save the rows as CSV instead.");
    }
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a frame and a legend
    <div class="table-tools" role="group" aria-label={`Tools of ${label}`}>
      <input
        type="search"
        class="filter"
        placeholder="Filter rows"
        aria-label={`Filter ${label}`}
        maxLength={200}
        value={filter}
        onInput={({ currentTarget }) => {
          setMessage(undefined);
          onFilter(currentTarget.value);
        }}
      />
      <button type="button" class="button" onClick={() => void copy()}>
        Copy as CSV
      </button>
      {post && (
        <button type="button" class="button" onClick={() => post({ type: "saveCsv", name: label, ...csv() })}>
          Save as CSV…
        </button>
      )}
      <span class="quiet" role="status">
        {message ?? (filter.trim() === "" ? "" : foundText(shown.length, rows.length, whole))}
      </span>
    </div>
  );
}

function foundText(found: number, here: number, whole: number): string {
  const all = counted(here, "row");
  return `${grouped(BigInt(found))} of ${whole > here ? `the first ${all} (of ${grouped(BigInt(whole))})` : all}`;
}
