import type { JSX } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { HistoryRow } from "../../protocol/chatHistory.ts";
import { Icon, IconButton } from "../icons.ts";
import type { HistoryStore } from "./historyStore.ts";

export interface HistoryItemProps {
  readonly history: HistoryStore;
  /** Undefined until it is loaded. */
  readonly row: HistoryRow | undefined;
  readonly index: number;
  readonly total: number;
  /** In pixels from the top of the list. */
  readonly top: number;
  readonly isActive: boolean;
  readonly onFocus: () => void;
}

/** One conversation: a click opens it; buttons rename, pin, export and delete it. */
export function HistoryItem({
  history,
  row,
  index,
  total,
  top,
  isActive,
  onFocus,
}: HistoryItemProps): JSX.Element {
  const [isRenaming, setRenaming] = useState(false);
  const className = `history-row${row?.isOpen ? " open" : ""}${isActive ? " active" : ""}`;
  return (
    <li
      class={className}
      aria-setsize={total}
      aria-posinset={index + 1}
      data-index={index}
      style={{ top: `${top}px` }}
      onFocusCapture={onFocus}
    >
      {row && isRenaming && <Rename row={row} history={history} onDone={() => setRenaming(false)} />}
      {row && !isRenaming && (
        <>
          <button
            type="button"
            class="history-open"
            tabIndex={isActive ? 0 : -1}
            aria-current={row.isOpen}
            title={row.title}
            onClick={() => history.open(row)}
            onKeyDown={(event) => {
              if (event.key === "F2") setRenaming(true);
              else if (event.key === "Delete") history.remove(row);
              else return;
              event.preventDefault();
            }}
          >
            <span class="history-title">
              {row.pinned && <Icon name="pin" />}
              <span class="ellipsis">
                <Marked text={row.title} marks={row.titleMarks ?? []} />
              </span>
            </span>
            <span class="history-facts ellipsis">
              {row.snippet ? <Marked text={row.snippet.text} marks={row.snippet.marks} /> : formatFacts(row)}
            </span>
          </button>
          <span class="history-actions">
            <IconButton name="pin" label={row.pinned ? "Unpin" : "Pin"} onClick={() => history.pin(row)} />
            <IconButton name="edit" label="Rename (F2)" onClick={() => setRenaming(true)} />
            <IconButton
              name="export"
              label="Export…"
              onClick={() => history.ask({ ask: "export", id: row.id })}
            />
            <IconButton name="trash" label="Delete (Del)" onClick={() => history.remove(row)} />
          </span>
        </>
      )}
    </li>
  );
}

interface RenameProps {
  readonly row: HistoryRow;
  readonly history: HistoryStore;
  readonly onDone: () => void;
}

/** Enter or blur saves the title, Escape cancels; an empty title restores the first question. */
function Rename({ row, history, onDone }: RenameProps): JSX.Element {
  const box = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  // Before the first paint, so that text typed at once is not overwritten.
  useLayoutEffect(() => {
    // Set once, not as the `value` prop: typed text must survive rendering.
    if (box.current) box.current.value = row.title;
    box.current?.select();
  }, []);
  const finish = (title: string | undefined) => {
    if (isOver.current) return;
    isOver.current = true;
    if (title !== undefined && title.trim() !== row.title) history.rename(row, title.trim());
    onDone();
  };
  return (
    <input
      ref={box}
      class="history-rename"
      aria-label="Name of the conversation"
      placeholder="The first question"
      onKeyDown={(event) => {
        if (event.isComposing) return;
        if (event.key === "Enter") finish(event.currentTarget.value);
        if (event.key === "Escape") finish(undefined);
      }}
      onBlur={({ currentTarget }) => finish(currentTarget.value)}
    />
  );
}

interface MarkedProps {
  readonly text: string;
  readonly marks: readonly (readonly [number, number])[];
}

function Marked({ text, marks }: MarkedProps): JSX.Element {
  let end = 0;
  const parts = marks.map(([from, to]) => {
    const before = text.slice(end, from);
    end = to;
    return [before, <mark key={from}>{text.slice(from, to)}</mark>];
  });
  return (
    <>
      {parts}
      {text.slice(end)}
    </>
  );
}

const time = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const dayOfYear = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric" });

function formatFacts({ updatedAtMs, messageCount, model, workspace }: HistoryRow): string {
  const count = messageCount === 1 ? "1 message" : `${messageCount} messages`;
  return [formatWhen(new Date(updatedAtMs), new Date()), count, workspace, model].filter(Boolean).join(" · ");
}

function formatWhen(then: Date, now: Date): string {
  if (then.toDateString() === now.toDateString()) return time.format(then);
  return (then.getFullYear() === now.getFullYear() ? day : dayOfYear).format(then);
}
