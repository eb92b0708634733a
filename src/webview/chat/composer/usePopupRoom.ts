import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** Pixels around a popup, and those that it is to have at least: with less above the box it covers the box. */
const [gap, least] = [4, 220];

/**
 * Keeps a popup of the composer within the page, however small that is or far it is zoomed: it has the room above the
 * box, or the whole page where that is too little. What does not fit is scrolled within it.
 */
export function usePopupRoom(popup: RefObject<HTMLElement | null>, mayCover: boolean): void {
  useLayoutEffect(() => {
    const element = popup.current;
    const composer = element?.closest<HTMLElement>(".composer");
    if (!element || !composer) return undefined;
    const place = () => {
      const { top, bottom } = composer.getBoundingClientRect();
      const covers = mayCover && top - 2 * gap < least;
      const end = covers ? innerHeight - gap : top - gap;
      element.classList.toggle("covers", covers);
      element.style.setProperty("--room", `${Math.max(end - gap, 0)}px`);
      // From the inner edge of the composer's border.
      element.style.setProperty("bottom", `${bottom - composer.clientTop - end}px`);
    };
    place();
    const sizes = new ResizeObserver(place);
    sizes.observe(composer);
    window.addEventListener("resize", place);
    return () => {
      sizes.disconnect();
      window.removeEventListener("resize", place);
    };
  }, []);
}
