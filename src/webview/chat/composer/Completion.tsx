import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../icons.ts";
import { usePopupRoom } from "./usePopupRoom.ts";

/** One row, with the action for selecting it. */
export interface Suggestion {
  readonly key: string;
  readonly icon?: IconName;
  readonly name: string;
  readonly detail?: string | undefined;
  take(): void;
}

export interface CompletionProps {
  readonly listId: string;
  readonly label: string;
  readonly items: readonly Suggestion[];
  readonly active: number;
}

/** Suggestions for the typed text. The focus stays in the prompt, which refers to the active row. */
export function CompletionList({ listId, label, items, active }: CompletionProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  usePopupRoom(list, false);
  useEffect(() => list.current?.children[active]?.scrollIntoView({ block: "nearest" }), [active, items]);
  return (
    <div ref={list} class="completion" role="listbox" tabIndex={0} id={listId} aria-label={label}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the box, which points here by aria-activedescendant
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box hears the keys
        <div
          key={item.key}
          id={`${listId}-${index}`}
          class={index === active ? "picker-row active" : "picker-row"}
          role="option"
          aria-selected={index === active}
          // Before the click takes the focus from the prompt.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => item.take()}
        >
          {item.icon && <Icon name={item.icon} />}
          <bdi class="completion-name">{item.name}</bdi>
          {item.detail !== undefined && <bdi class="completion-detail ellipsis">{item.detail}</bdi>}
        </div>
      ))}
    </div>
  );
}
