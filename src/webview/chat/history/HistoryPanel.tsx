import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { IconButton } from "../icons.ts";
import { HistoryItem } from "./HistoryItem.tsx";
import { historyLayoutOf, rowHeight } from "./historyLayout.ts";
import type { HistoryList, HistoryStore } from "./historyStore.ts";

/** All conversations, in an overlay: search by typing, arrow keys to move, Enter to open. */
export function HistoryPanel({ history }: { readonly history: HistoryStore }): JSX.Element {
  const panel = useRef<HTMLElement>(null);
  const list = history.list.value;
  const [chosen, setActive] = useState(0);
  const active = Math.max(0, Math.min(chosen, list.total - 1));
  const { scroller, view, onScroll } = useView();
  const layout = historyLayoutOf(list.total, list.folders);
  const things = layout.between(view.top - margin, view.top + view.height + margin);
  const indexes = things.flatMap((thing) => (thing.kind === "row" ? [thing.index] : []));
  const from = indexes[0] ?? 0;
  const to = (indexes.at(-1) ?? 0) + 1;
  useEffect(() => history.need(from, to), [from, to]);
  useLayoutEffect(() => panel.current?.querySelector("input")?.focus(), []);

  const goTo = (index: number) => {
    const next = Math.max(0, Math.min(list.total - 1, index));
    setActive(next);
    const box = scroller.current;
    if (!box) return;
    const top = layout.topOf(next);
    // The first row is shown together with its heading.
    if (top < box.scrollTop) box.scrollTop = next === 0 ? 0 : top;
    else if (top + rowHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = top + rowHeight - box.clientHeight;
    onScroll();
  };
  const inList = () =>
    panel.current?.querySelector(".history-list")?.contains(document.activeElement) ?? false;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || (event.target instanceof Element && event.target.closest(".history-rename")))
      return;
    const step = steps[event.key];
    if (event.key === "Escape") history.hide();
    else if (step !== undefined) {
      goTo(inList() ? active + step : active);
      wantsFocus.current = true;
    } else if (event.key === "Enter" && !inList()) {
      const row = list.rows.get(0);
      if (row) history.open(row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const wantsFocus = useRef(false);
  useLayoutEffect(() => {
    const row = panel.current?.querySelector<HTMLElement>(`[data-index="${active}"] .history-open`);
    // The focused element may have been removed by deleting or renaming.
    const isLost = document.hasFocus() && document.activeElement === document.body;
    if (!wantsFocus.current && !isLost) return;
    wantsFocus.current = !row;
    // A row that is not loaded yet gets the focus later.
    if (row) row.focus({ preventScroll: true });
    else if (list.total === 0) panel.current?.querySelector("input")?.focus();
  });
  return (
    <section class="history" aria-label="Conversations" ref={panel} onKeyDown={onKeyDown}>
      <div class="history-bar">
        <input
          type="search"
          aria-label="Search conversations"
          placeholder="Search conversations"
          value={history.query.value}
          onInput={({ currentTarget }) => {
            history.search(currentTarget.value);
            setActive(0);
            if (scroller.current) scroller.current.scrollTop = 0;
          }}
        />
        <IconButton
          name="import"
          label="Import Conversations…"
          onClick={() => history.ask({ ask: "import" })}
        />
        <IconButton name="close" label="Back to the Chat (Escape)" onClick={() => history.hide()} />
      </div>
      <Note list={list} />
      <div class="history-scroller" ref={scroller} onScroll={onScroll}>
        <ul class="history-list" aria-label="Conversations" style={{ height: `${layout.height}px` }}>
          {things.map((thing) =>
            thing.kind === "heading" ? (
              <li
                key={`heading ${thing.title}`}
                class="history-heading"
                role="presentation"
                style={{ top: `${thing.top}px` }}
              >
                <h2>{thing.title}</h2>
              </li>
            ) : (
              <HistoryItem
                key={list.rows.get(thing.index)?.id ?? thing.index}
                history={history}
                row={list.rows.get(thing.index)}
                index={thing.index}
                total={list.total}
                top={thing.top}
                isActive={thing.index === active}
                onFocus={() => setActive(thing.index)}
              />
            ),
          )}
        </ul>
      </div>
      <Removed history={history} />
    </section>
  );
}

/** Pixels rendered above and below the viewport, so that scrolling shows no gaps. */
const margin = 300;
const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

/** The visible part of the list. */
function useView() {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 800 });
  const onScroll = () => {
    const box = scroller.current;
    if (box) setView({ top: box.scrollTop, height: box.clientHeight });
  };
  useEffect(() => {
    onScroll();
    window.addEventListener("resize", onScroll);
    return () => window.removeEventListener("resize", onScroll);
  }, []);
  return { scroller, view, onScroll };
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
