import type { RefObject } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

export interface KeyMoves {
  readonly count: number;
  /** Items per row of a grid. */
  readonly columns?: number;
  /** Without it, Page Up and Page Down do nothing. */
  readonly rowsPerPage?: number;
  /** The first item follows the last. */
  readonly wraps?: boolean;
  /** The focus is in a text box, where Home and End move the cursor. */
  readonly isTyping?: boolean;
}

/** The index that a key moves to. Undefined for other keys and empty lists. */
export function indexAfterKey(key: string, index: number, moves: KeyMoves): number | undefined {
  const { count, columns, rowsPerPage, wraps = false, isTyping = false } = moves;
  const row = columns ?? 1;
  const targets: Readonly<Record<string, number | false | undefined>> = {
    ArrowDown: index + row,
    ArrowUp: index - row,
    ArrowRight: columns !== undefined && index + 1,
    ArrowLeft: columns !== undefined && index - 1,
    PageDown: rowsPerPage !== undefined && index + rowsPerPage * row,
    PageUp: rowsPerPage !== undefined && index - rowsPerPage * row,
    Home: !isTyping && 0,
    End: !isTyping && count - 1,
  };
  const target = targets[key];
  if (target === undefined || target === false || count === 0) return undefined;
  return wraps ? (target + count) % count : Math.max(0, Math.min(count - 1, target));
}

export interface ListboxOptions extends KeyMoves {
  /** Index of the active option. */
  readonly active: number;
  readonly onMove: (index: number) => void;
}

export interface OptionAttributes {
  readonly role: "option";
  readonly id: string;
  readonly "aria-selected": boolean;
  readonly onClick: () => void;
  readonly onMouseDown: ((event: MouseEvent) => void) | undefined;
}

/** Attributes and keys of a listbox. The focus stays in one element, which refers to the active option. */
export interface Listbox {
  /** A list with this `ref` scrolls to the active option. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Of the list, for `aria-controls` of the element with the focus. */
  readonly id: string;
  /** Of the active option, for its `aria-activedescendant`. */
  readonly activeId: string | undefined;
  option(index: number, onPick: () => void): OptionAttributes;
  /** True if the key has moved to another option. */
  handle(event: KeyboardEvent): boolean;
}

export function useListbox({ active, onMove, ...moves }: ListboxOptions): Listbox {
  const ref = useRef<HTMLDivElement>(null);
  const id = useId();
  const idOf = (index: number) => `${id}-${index}`;
  useEffect(() => {
    ref.current?.querySelector(`#${CSS.escape(idOf(active))}`)?.scrollIntoView({ block: "nearest" });
  }, [active, moves.count]);
  return {
    ref,
    id,
    activeId: active < moves.count ? idOf(active) : undefined,
    option: (index, onPick) => ({
      role: "option",
      id: idOf(index),
      "aria-selected": index === active,
      onClick: onPick,
      // The text box must keep the focus.
      onMouseDown: moves.isTyping ? (event) => event.preventDefault() : undefined,
    }),
    handle(event) {
      const target = indexAfterKey(event.key, active, moves);
      if (target === undefined) return false;
      event.preventDefault();
      onMove(target);
      return true;
    },
  };
}
