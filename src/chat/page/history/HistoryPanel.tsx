import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { useDialog } from "../../../webview/ui/dialog.ts";
import { indexAfterKey } from "../../../webview/ui/listbox.ts";
import { useVirtualList, type VirtualList } from "../../../webview/ui/virtualList.ts";
import { IconButton } from "../icons.ts";
import { HistoryItem } from "./HistoryItem.tsx";
import { type HistoryLayout, historyLayoutOf, rowHeight } from "./historyLayout.ts";
import type { HistoryList, HistoryStore } from "./historyStore.ts";

/** Rows that Page Up and Page Down move by. */
const rowsPerPage = 8;

/** All conversations, in an overlay: search by typing, arrow keys to move, Enter to open. */
export function HistoryPanel({ history }: { readonly history: HistoryStore }): JSX.Element {
  const dialog = useDialog<HTMLElement>({ onClose: () => history.hide(), focus: "input" });
  const list = history.list.value;
  const [chosen, setActive] = useState(0);
  const active = Math.max(0, Math.min(chosen, list.total - 1));
  const view = useVirtualList(() => historyLayoutOf(list.total, list.folders));
  const focusRow = useRowFocus(() => dialog.ref.current, active, list.total === 0);

  const goTo = (index: number) => {
    setActive(index);
    const top = view.layout.topOf(index);
    // The first row is shown together with its heading.
    view.reveal(index === 0 ? 0 : top, top + rowHeight);
    focusRow();
  };
  const inList = () =>
    dialog.ref.current?.querySelector(".history-list")?.contains(document.activeElement) ?? false;
  /** True if the key has a meaning here. */
  const act = (key: string): boolean => {
    const target = indexAfterKey(key, active, { count: list.total, rowsPerPage, isTyping: true });
    if (target !== undefined) {
      goTo(inList() ? target : active);
      return true;
    }
    if (key !== "Enter" || inList()) return false;
    const first = list.rows.get(0);
    if (first) history.open(first);
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || isRenaming(event) || dialog.handle(event) || !act(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <section class="history" aria-label="Conversations" ref={dialog.ref} onKeyDown={onKeyDown}>
      <SearchBar
        history={history}
        onSearch={() => {
          setActive(0);
          view.toStart();
        }}
      />
      <Note list={list} />
      <Rows history={history} view={view} active={active} onFocus={setActive} />
      <Removed history={history} />
    </section>
  );
}

function isRenaming({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest(".history-rename") !== null;
}

/** The returned function focuses the active row, once it is loaded. */
function useRowFocus(panel: () => HTMLElement | null, active: number, isEmpty: boolean): () => void {
  const isWanted = useRef(false);
  const [, render] = useState(0);
  useLayoutEffect(() => {
    const row = panel()?.querySelector<HTMLElement>(`[data-index="${active}"] .history-open`);
    // The focused element may have been removed by deleting or renaming.
    const isLost = document.hasFocus() && document.activeElement === document.body;
    if (!isWanted.current && !isLost) return;
    isWanted.current = !row;
    if (row) row.focus({ preventScroll: true });
    else if (isEmpty) panel()?.querySelector("input")?.focus();
  });
  return () => {
    isWanted.current = true;
    // The active row may be the same as before.
    render((count) => count + 1);
  };
}

interface SearchBarProps {
  readonly history: HistoryStore;
  readonly onSearch: () => void;
}

function SearchBar({ history, onSearch }: SearchBarProps): JSX.Element {
  return (
    <div class="history-bar">
      <input
        type="search"
        aria-label="Search conversations"
        placeholder="Search conversations"
        value={history.query.value}
        onInput={({ currentTarget }) => {
          history.search(currentTarget.value);
          onSearch();
        }}
      />
      <IconButton
        name="import"
        label="Import Conversations…"
        onClick={() => history.ask({ ask: "import" })}
      />
      <IconButton name="close" label="Back to the Chat (Escape)" onClick={() => history.hide()} />
    </div>
  );
}

/** Pixels rendered above and below the viewport, so that scrolling shows no gaps. */
const margin = 300;

interface RowsProps {
  readonly history: HistoryStore;
  readonly view: VirtualList<HistoryLayout>;
  readonly active: number;
  readonly onFocus: (index: number) => void;
}

/** The headings and rows in view. */
function Rows({ history, view, active, onFocus }: RowsProps): JSX.Element {
  const list = history.list.value;
  const placed = view.layout.between(view.fromPx - margin, view.toPx + margin);
  const indexes = placed.flatMap((one) => (one.kind === "row" ? [one.index] : []));
  const from = indexes[0] ?? 0;
  const to = (indexes.at(-1) ?? 0) + 1;
  useEffect(() => history.need(from, to), [from, to]);
  return (
    <div class="history-scroller" ref={view.scroller} onScroll={view.onScroll}>
      <ul class="history-list" aria-label="Conversations" style={{ height: `${view.sheetPx}px` }}>
        {placed.map((one) => {
          const top = view.toSheet(one.top);
          return one.kind === "heading" ? (
            <li
              key={`heading ${one.title}`}
              class="history-heading"
              role="presentation"
              style={{ top: `${top}px` }}
            >
              <h2>{one.title}</h2>
            </li>
          ) : (
            <HistoryItem
              key={list.rows.get(one.index)?.id ?? one.index}
              history={history}
              row={list.rows.get(one.index)}
              index={one.index}
              total={list.total}
              top={top}
              isActive={one.index === active}
              onFocus={() => onFocus(one.index)}
            />
          );
        })}
      </ul>
    </div>
  );
}

/** A note about an empty list, or the number of results. */
function Note({ list: { isThere, isComplete, total, query } }: { readonly list: HistoryList }): JSX.Element {
  const words = () => {
    if (!isThere) return "Loading conversations…";
    const found =
      query.trim() === "" ? "" : total === 1 ? "1 conversation found." : `${total} conversations found.`;
    if (!isComplete) return `${found} Still loading…`;
    if (total > 0) return found;
    return query.trim() === ""
      ? "No conversations yet. Your chats are listed here."
      : `No conversation contains “${query.trim()}”.`;
  };
  return (
    <p class="history-note" role="status">
      {words()}
    </p>
  );
}

function Removed({ history }: { readonly history: HistoryStore }): JSX.Element | null {
  const row = history.removed.value;
  if (!row) return null;
  return (
    <div class="history-removed" role="status">
      <span class="ellipsis">Deleted “{row.title}”</span>
      <button type="button" class="button" onClick={() => history.undo()}>
        Undo
      </button>
    </div>
  );
}
