import type { ComponentChildren, JSX, RefObject } from "preact";
import { useId, useRef, useState } from "preact/hooks";
import { indexAfterKey } from "../../webview/ui/listbox.ts";
import { Icon, type IconName } from "./icons.ts";

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
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

/** Pixels between the button and its menu, and between the menu and the edge of the page. */
const gap = 4;

/** A button for the default action, with a menu of others. */
export function SplitButton(props: SplitButtonProps): JSX.Element {
  const { children, className = "", keyShortcuts, menuLabel, choices, disabled = false, onClick } = props;
  const menu = useMenu();
  const openBelow = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    menu.open();
  };
  return (
    <span class="split-button">
      <button
        type="button"
        class={`button split-main ${className}`}
        aria-keyshortcuts={keyShortcuts}
        disabled={disabled}
        onClick={onClick}
        onKeyDown={openBelow}
      >
        {children}
      </button>
      <button
        ref={menu.opener}
        type="button"
        class={`button split-more ${className}`}
        aria-label={menuLabel}
        title={menuLabel}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen}
        aria-controls={menu.id}
        onClick={() => (menu.isOpen ? menu.close() : menu.open())}
        onKeyDown={openBelow}
      >
        <Icon name="down" />
      </button>
      <MenuPopover menu={menu} label={menuLabel} choices={choices} />
    </span>
  );
}

interface MenuButtonProps {
  readonly name: IconName;
  readonly label: string;
  readonly choices: readonly MenuChoice[];
}

/** An icon that opens a menu. */
export function MenuButton({ name, label, choices }: MenuButtonProps): JSX.Element {
  const menu = useMenu();
  return (
    <>
      <button
        ref={menu.opener}
        type="button"
        class="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={menu.isOpen}
        aria-controls={menu.id}
        onClick={() => (menu.isOpen ? menu.close() : menu.open())}
      >
        <Icon name={name} />
      </button>
      <MenuPopover menu={menu} label={label} choices={choices} />
    </>
  );
}

/** State of a menu and the button that opens it. */
interface Menu {
  readonly id: string;
  readonly isOpen: boolean;
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly popover: RefObject<HTMLDivElement | null>;
  open(): void;
  /** Closes the menu and focuses its button. */
  close(): void;
  onToggle(event: { readonly newState: string }): void;
  onKeyDown(event: KeyboardEvent): void;
}

function useMenu(): Menu {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const popover = useRef<HTMLDivElement>(null);
  const items = () => [...(popover.current?.querySelectorAll<HTMLElement>("[role=menuitem]") ?? [])];
  const close = () => {
    popover.current?.hidePopover();
    opener.current?.focus();
  };
  return {
    id: useId(),
    isOpen,
    opener,
    popover,
    close,
    open() {
      if (!popover.current || !opener.current) return;
      popover.current.showPopover();
      place(popover.current, opener.current);
      items()[0]?.focus();
    },
    onToggle: ({ newState }) => setOpen(newState === "open"),
    onKeyDown(event) {
      const all = items();
      const at = all.indexOf(document.activeElement as HTMLElement);
      const target = indexAfterKey(event.key, at, { count: all.length, wraps: true });
      if (target !== undefined) all[target]?.focus();
      else if (event.key === "Escape") close();
      else {
        if (event.key === "Tab") popover.current?.hidePopover();
        return;
      }
      // Keys that the menu handles must not reach the page.
      event.preventDefault();
      event.stopPropagation();
    },
  };
}

interface MenuPopoverProps {
  readonly menu: Menu;
  readonly label: string;
  readonly choices: readonly MenuChoice[];
}

/** A popover is in the top layer, so the overflow of a turn does not clip it. */
function MenuPopover({ menu, label, choices }: MenuPopoverProps): JSX.Element {
  return (
    <div
      ref={menu.popover}
      id={menu.id}
      class="menu"
      popover="auto"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onToggle={menu.onToggle}
      onKeyDown={menu.onKeyDown}
    >
      {choices.map(({ label: choice, detail, onPick }) => (
        <button
          key={choice}
          type="button"
          role="menuitem"
          class="menu-item"
          tabIndex={-1}
          onClick={() => {
            menu.close();
            onPick();
          }}
        >
          {choice}
          {detail !== undefined && <span class="menu-detail">{detail}</span>}
        </button>
      ))}
    </div>
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
