import { useEffect, useRef } from "preact/hooks";
import { indexAfterKey } from "../../webview/ui/listbox.ts";
import { rowsBetween, useVirtualList, type VirtualList } from "../../webview/ui/virtualList.ts";
import type { ResultAction, ResultRow } from "../protocol/resultsProtocol.ts";
import type { ResultsModel } from "./resultsModel.ts";
import { afterClick, afterMove, afterSpace, allSelected, type Modifiers } from "./selection.ts";

const mostOpened = 10;
/** The style sheet has the same height. */
const rowPx = 92;
const spareRows = 3;

interface Props {
  readonly model: ResultsModel;
}

/** The stored results with their beginnings, and what can be done with the selected ones. */
export function ResultsApp({ model }: Props) {
  const rows = model.rows.value;
  if (!rows)
    return (
      <main>
        <p class="quiet" role="status">
          Reading results…
        </p>
      </main>
    );
  return (
    <main>
      <h1>Web & Documents</h1>
      <search class="controls">
        <input
          type="search"
          placeholder="Filter by title, site or text"
          aria-label="Filter results"
          value={model.filter.value}
          onInput={({ currentTarget }) => model.search(currentTarget.value)}
        />
        <button type="button" class="button" onClick={() => model.bridge.post("search", {})}>
          Search the Web…
        </button>
      </search>
      {rows.length === 0 ? (
        <p class="empty">
          No results are stored. Searches, pages and documents that were read are kept here, and opening one
          again is free.
        </p>
      ) : (
        <>
          <Actions model={model} />
          <ResultList model={model} />
        </>
      )}
    </main>
  );
}

interface Action {
  readonly action: ResultAction;
  readonly label: string;
  readonly takes: (row: ResultRow) => boolean;
  /** Of more rows it would do too much at once. */
  readonly most?: number;
}

const isOwn = ({ kind }: ResultRow) => kind !== "hit";
const hasAddress = (row: ResultRow) => row.hasAddress;
const actions: readonly Action[] = [
  { action: "open", label: "Open", takes: () => true, most: mostOpened },
  { action: "chat", label: "Send to Chat", takes: () => true },
  { action: "cite", label: "Cite…", takes: hasAddress },
  { action: "read", label: "Read Pages", takes: ({ kind, hasAddress: has }) => kind === "hit" && has },
  { action: "browse", label: "Open in Browser", takes: hasAddress, most: 1 },
  { action: "save", label: "Save…", takes: () => true },
  { action: "remove", label: "Remove…", takes: isOwn },
];

/** Buttons of the selection. One is disabled if it takes none of the selected rows. */
function Actions({ model }: Props) {
  const { selected } = model;
  const size = model.found.value.length;
  const count = (number: number) => number.toLocaleString("en-US");
  return (
    <div class="actions" role="toolbar" aria-label="Actions on the selected results">
      {actions.map(({ action, label, takes, most = Infinity }) => {
        const rows = selected.filter(takes);
        const price = action === "read" && rows.length > 0 ? ` (${model.readPrice.value} each)` : "";
        return (
          <button
            key={action}
            type="button"
            class="button"
            disabled={rows.length === 0 || rows.length > most}
            onClick={() => model.act(action, rows)}
          >
            {label}
            {price}
          </button>
        );
      })}
      <span class="quiet" role="status">
        {selected.length === 0
          ? `${count(size)} ${size === 1 ? "result" : "results"}`
          : `${count(selected.length)} of ${count(size)} selected`}
      </span>
    </div>
  );
}

function modifiersOf(event: MouseEvent | KeyboardEvent): Modifiers {
  return { shiftKey: event.shiftKey, ctrlKey: event.ctrlKey || event.metaKey };
}

/** The keys of a list of the editor. True if the key did something. */
function handleKey(
  event: KeyboardEvent,
  model: ResultsModel,
  list: VirtualList<{ rowPx: number; heightPx: number }>,
) {
  const ids = model.ids.value;
  const selection = model.selection.value;
  const modifiers = modifiersOf(event);
  const target = indexAfterKey(event.key, selection.active, {
    count: ids.length,
    rowsPerPage: list.rowsInView,
  });
  if (target !== undefined) {
    model.select(afterMove(selection, ids, target, modifiers));
    list.reveal(target * rowPx, (target + 1) * rowPx);
    return true;
  }
  if (event.key === " ") model.select(afterSpace(selection, ids));
  else if (event.key === "a" && modifiers.ctrlKey) model.select(allSelected(selection, ids));
  else if (event.key === "Enter") model.act("open", activeOr(model));
  else if (event.key === "Delete") model.act("remove", model.selected.filter(isOwn));
  else return false;
  return true;
}

/** Enter opens the selected rows, else the active one. */
function activeOr(model: ResultsModel): readonly ResultRow[] {
  const selected = model.selected.slice(0, mostOpened);
  const active = model.found.value[model.selection.value.active];
  return selected.length > 0 ? selected : active ? [active] : [];
}

function ResultList({ model }: Props) {
  const rows = model.found.value;
  const { active, ids } = model.selection.value;
  const box = useRef<HTMLElement | null>(null);
  const list = useVirtualList(() => ({ rowPx, heightPx: rows.length * rowPx }));
  const { from, to } = rowsBetween({ rowPx, count: rows.length }, list.fromPx, list.toPx, spareRows);
  const shown = model.shown.value;
  useEffect(() => {
    const index = shown === undefined ? -1 : model.ids.value.indexOf(shown);
    if (index < 0) return;
    list.reveal(index * rowPx, (index + 1) * rowPx);
    model.shown.value = undefined;
    box.current?.focus();
  }, [shown, rows]);
  const listbox = {
    role: "listbox",
    tabIndex: 0,
    "aria-label": "Stored results",
    "aria-multiselectable": true,
    "aria-activedescendant": rows.length > 0 ? `result-${active}` : undefined,
    onKeyDown: (event: KeyboardEvent) => {
      if (handleKey(event, model, list)) event.preventDefault();
    },
  } as const;
  return (
    <div
      ref={(element) => {
        box.current = element;
        list.scroller(element);
      }}
      class="scroller"
      onScroll={list.onScroll}
      {...listbox}
    >
      <div class="sheet" role="presentation" style={{ height: `${list.sheetPx}px` }}>
        <div
          class="window"
          role="presentation"
          style={{ transform: `translateY(${list.toSheet(from * rowPx)}px)` }}
        >
          {rows.slice(from, to).map((row, offset) => (
            <ResultItem
              key={row.id}
              row={row}
              index={from + offset}
              size={rows.length}
              isSelected={ids.has(row.id)}
              isActive={from + offset === active}
              model={model}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

interface ItemProps extends Props {
  readonly row: ResultRow;
  readonly index: number;
  readonly size: number;
  readonly isSelected: boolean;
  readonly isActive: boolean;
}

const kindNames: Readonly<Record<ResultRow["kind"], string>> = {
  search: "Search",
  hit: "Result",
  page: "Page",
  document: "Document",
};

function ResultItem({ row, index, size, isSelected, isActive, model }: ItemProps) {
  const { kind, title, facts, excerpt } = row;
  const option = {
    role: "option",
    id: `result-${index}`,
    "aria-selected": isSelected,
    "aria-posinset": index + 1,
    "aria-setsize": size,
    onClick: (event: MouseEvent) =>
      model.select(afterClick(model.selection.value, model.ids.value, index, modifiersOf(event))),
    onDblClick: () => model.act("open", [row]),
  } as const;
  return (
    <div
      class={`item ${kind}${isSelected ? " selected" : ""}${isActive ? " active" : ""}`}
      title={title}
      {...option}
    >
      <p class="title">{title}</p>
      <p class="facts">
        {kindNames[kind]} · {facts}
      </p>
      {excerpt !== "" && <p class="excerpt">{excerpt}</p>}
    </div>
  );
}
