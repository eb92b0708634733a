import type { ComponentChildren, JSX } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.ts";

interface MenuChoice {
  readonly label: string;
  /** The scope of the choice, shown below it. */
  readonly detail?: string | undefined;
  readonly onPick: () => void;
}

export interface SplitButtonProps {
  readonly children: ComponentChildren;
  readonly className?: string;
  readonly keyShortcuts?: string | undefined;
  readonly menuLabel: string;
  readonly choices: readonly MenuChoice[];
  readonly onClick: () => void;
}

/** Pixels between the button and its menu, and between the menu and the edge of the page. */
const gap = 4;

/** A button for the default action, with a menu of others. */
export function SplitButton(props: SplitButtonProps): JSX.Element {
  const { children, className = "", keyShortcuts, menuLabel, choices, onClick } = props;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const menuId = useId();
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = () => {
    menu.current?.hidePopover();
    opener.current?.focus();
  };
  const open = () => {
    if (!menu.current || !opener.current) return;
    menu.current.showPopover();
    place(menu.current, opener.current);
    items()[0]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next !== undefined) all.at(next % all.length)?.focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") menu.current?.hidePopover();
    // Keys that the menu handles must not reach the page.
    if (next === undefined && event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <span class="split-button">
      <button
        type="button"
        class={`button split-main ${className}`}
        aria-keyshortcuts={keyShortcuts}
        onClick={onClick}
      >
        {children}
      </button>
      <button
        ref={opener}
        type="button"
        class={`button split-more ${className}`}
        aria-label={menuLabel}
        title={menuLabel}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={menuId}
        onClick={() => (isOpen ? close() : open())}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          open();
        }}
      >
        <Icon name="down" />
      </button>
      {/* A popover is in the top layer, so the overflow of a turn does not clip it. */}
      <div
        ref={menu}
        id={menuId}
        class="menu"
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={menuLabel}
        onToggle={({ newState }) => setOpen(newState === "open")}
        onKeyDown={onKeyDown}
      >
        {choices.map(({ label, detail, onPick }) => (
          <button
            key={label}
            type="button"
            role="menuitem"
            class="menu-item"
            tabIndex={-1}
            onClick={() => {
              close();
              onPick();
            }}
          >
            {label}
            {detail !== undefined && <span class="menu-detail">{detail}</span>}
          </button>
        ))}
      </div>
    </span>
  );
}

/** Below the button if there is room, else above it; always within the page. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = menu.getBoundingClientRect();
  const below = at.bottom + gap;
  const top = below + height <= innerHeight - gap ? below : at.top - gap - height;
  menu.style.setProperty("top", `${Math.max(gap, Math.min(top, innerHeight - height - gap))}px`);
  menu.style.setProperty("left", `${Math.max(gap, Math.min(at.right - width, innerWidth - width - gap))}px`);
}
