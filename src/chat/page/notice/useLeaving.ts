import { useEffect, useState } from "preact/hooks";
import type { ChatNotice } from "../../protocol/chatState.ts";

/** Milliseconds for a notice to be found and read: at least, and for each character. */
const [leastMs, characterMs] = [8000, 70];

interface Attention {
  onPointerEnter(): void;
  onPointerLeave(): void;
  onFocusIn(): void;
  onFocusOut(): void;
}

/**
 * Calls `leave` once a notice was seen for long enough: the time in which the page is hidden, or in which the pointer or
 * the focus is on the notice, does not count. One that stays is left alone. Returns the handlers for the element of the
 * notice.
 */
export function useLeaving(notice: ChatNotice | null, leave: () => void): Attention {
  const [isHeld, setHeld] = useState(false);
  const [isHidden, setHidden] = useState(document.hidden);
  useEffect(() => {
    const look = () => setHidden(document.hidden);
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, []);
  useEffect(() => {
    if (notice === null) setHeld(false);
    if (notice === null || notice.stays || isHeld || isHidden) return undefined;
    const timer = setTimeout(leave, Math.max(leastMs, notice.text.length * characterMs));
    return () => clearTimeout(timer);
  }, [notice, isHeld, isHidden]);
  return {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocusIn: () => setHeld(true),
    onFocusOut: () => setHeld(false),
  };
}
