import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";
import type { ChatPageDeps } from "../store/chatDeps.ts";

/**
 * Escape stops an answer wherever the focus is in the page, unless an open element handles the key. The prompt gets the
 * focus if the focused element was removed or disabled, as Continue is after a click: keys would otherwise be lost.
 */
export function useStopAndFocus(deps: ChatPageDeps, box: RefObject<HTMLTextAreaElement | null>): void {
  const { store, bridge, frames, history } = deps;
  useEffect(() => {
    let last: Element | undefined;
    const came = ({ target }: FocusEvent) => {
      last = target instanceof Element ? target : undefined;
    };
    // A click beside the prompt moves the focus on purpose. An element is removed only after this event.
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
