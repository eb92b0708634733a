import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** In pixels: the margin of a popup and its minimum height. With less room above the prompt, it covers the prompt. */
const [gap, least] = [4, 220];

/**
 * Keeps a popup of the composer within the page, however small or zoomed: it uses the room above what it belongs to, or the
 * whole page if that is not enough, and scrolls.
 */
export function usePopupRoom(popup: RefObject<HTMLElement | null>, mayCover: boolean): void {
  useLayoutEffect(() => {
    const element = popup.current;
    // The prompt's box, or the composer with the line of the task.
    const anchor = element?.offsetParent;
    if (!element || !anchor) return undefined;
    const place = () => {
      const { top, bottom } = anchor.getBoundingClientRect();
      const covers = mayCover && top - 2 * gap < least;
      const end = covers ? innerHeight - gap : top - gap;
      element.classList.toggle("covers", covers);
      element.style.setProperty("--room", `${Math.max(end - gap, 0)}px`);
      // `bottom` is relative to the padding box of the anchor.
      element.style.setProperty("bottom", `${bottom - anchor.clientTop - end}px`);
    };
    place();
    const sizes = new ResizeObserver(place);
    sizes.observe(anchor);
    window.addEventListener("resize", place);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", place);
    };
  }, []);
}
