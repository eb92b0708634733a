import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";

/** In pixels: the margin of a popup and its minimum height. With less room above the prompt, it covers the prompt. */
const [gap, least] = [4, 220];

/**
 * Keeps a popup of the composer within the page, however small or zoomed: it uses the room above the prompt, or the
 * whole page if that is not enough, and scrolls.
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
      // `bottom` is relative to the padding box of the composer.
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
