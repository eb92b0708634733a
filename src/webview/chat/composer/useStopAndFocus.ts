import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { ChatPageDeps } from "../chatDeps.ts";

/**
 * Escape stops an answer wherever the focus is in the page, unless something that is open takes the key for itself. The
 * box gets the focus when what had it is gone or disabled, as Continue is once it was pressed: keys would reach nothing.
 */
export function useStopAndFocus(deps: ChatPageDeps, box: RefObject<HTMLTextAreaElement | null>): void {
  const { store, bridge, frames, history } = deps;
  useEffect(() => {
    let last: Element | undefined;
    const came = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    // A reader who clicks beside it has left it. One that is taken out of the page is so only after this event.
    const left = (event: FocusEvent) => {
      if (event.relatedTarget === null)
        queueMicrotask(() => {
          if (document.hasFocus() && last === event.target && canHaveFocus(last)) last = undefined;
        });
    };
    const bringBack = () => {
      if (!last || canHaveFocus(last) || history.isShown.peek() || !document.hasFocus()) return;
      const { activeElement } = document;
      if (activeElement === document.body || activeElement === last) box.current?.focus();
      last = undefined;
    };
    const stop = (event: KeyboardEvent) => {
      if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || event.keyCode === 229)
        return;
      if (store.peek("busy") && !history.isShown.peek()) bridge.post("stop", {});
    };
    const forget = frames.onFlush(bringBack);
    document.addEventListener("focusin", came);
    document.addEventListener("focusout", left);
    document.addEventListener("keydown", stop);
    return () => {
      forget();
      document.removeEventListener("focusin", came);
      document.removeEventListener("focusout", left);
      document.removeEventListener("keydown", stop);
    };
  }, []);
}

function canHaveFocus(element: Element): boolean {
  return element.isConnected && !element.matches(":disabled");
}
