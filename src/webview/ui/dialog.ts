import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

export interface DialogOptions {
  readonly onClose: () => void;
  /** Selector of the element that gets the focus when the dialog opens, and again when `content` changes. */
  readonly focus: string;
  readonly content?: unknown;
  /** The button that opens the dialog is in its parent element; a press outside of that closes the dialog. */
  readonly closesOutside?: boolean;
}

export interface Dialog<Of extends HTMLElement> {
  readonly ref: RefObject<Of | null>;
  /** Closes the dialog if the key is Escape: returns true, and the key does nothing else. */
  handle(event: KeyboardEvent): boolean;
}

/** A non-modal dialog within the page. The rest of the page stays usable. */
export function useDialog<Of extends HTMLElement>(options: DialogOptions): Dialog<Of> {
  const { onClose, focus, content, closesOutside = false } = options;
  const ref = useRef<Of>(null);
  useLayoutEffect(() => {
    const target = ref.current?.matches(focus) ? ref.current : ref.current?.querySelector<HTMLElement>(focus);
    target?.focus();
  }, [content]);
  useEffect(() => {
    if (!closesOutside) return undefined;
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !ref.current?.parentElement?.contains(target)) onClose();
    };
    document.addEventListener("pointerdown", onPress);
    return () => document.removeEventListener("pointerdown", onPress);
  }, []);
  return {
    ref,
    handle(event) {
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented) return false;
      event.preventDefault();
      event.stopPropagation();
      onClose();
      return true;
    },
  };
}
