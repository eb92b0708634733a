import { closest, visibleItems } from "../../visibility.ts";
import { createPinnedTurns, isSelected } from "./pinnedTurns.ts";

/** A group of turns that can be mounted and unmounted; its element keeps its height. */
interface WindowedGroup {
  readonly isDrawn: boolean;
  /** The last group always stays mounted. */
  readonly isLast: boolean;
  show(isDrawn: boolean): void;
}

/**
 * Mounts groups near the viewport and unmounts those far from it: the cost depends on the visible part of a
 * conversation, not on its length. Visible groups are rendered in the frame that shows them, all others one group, or
 * one chunk of a long answer, per frame.
 */
export interface TurnWindow {
  /** Observes a mounted group until the returned function is called. */
  watch(element: HTMLElement, group: WindowedGroup): () => void;
  dispose(): void;
}

/** In screens beyond the viewport. Groups between the two stay unchanged, so small scrolls don't mount and unmount. */
const [near, far] = [2, 4];
/** Groups that are unmounted per frame. */
const mostTakenOut = 4;
/**
 * Chunks of a long answer that are not laid out (`markdown.css`). They would be laid out when they become visible, and
 * the content would jump by the difference to the estimated height.
 */
const unlaidChunks = ":is(.markdown, .chunk:only-child, .laid-out) > .chunk:not(:only-child, .laid-out)";

/** Measures only a few groups after a change: an IntersectionObserver would measure thousands in each frame. */
export function createTurnWindow(scroller: HTMLElement): TurnWindow {
  const groups = new Map<Element, WindowedGroup>();
  const column = scroller.getElementsByClassName("turn-group");
  let frame: number | undefined;
  /** True if something was rendered since the last step; scroll events come first in a frame. */
  let hasDrawn = false;

  const schedule = () => {
    frame ??= requestAnimationFrame(step);
  };
  const isUndrawn = (element: Element) => groups.get(element)?.isDrawn === false;
  const draw = (element: Element) => groups.get(element)?.show(true);
  const drawNext = (element: Element) =>
    isUndrawn(element) ? draw(element) : element.classList.add("laid-out");
  const within = (screens: number) =>
    visibleItems(column, { getBoundingClientRect: () => grown(scroller, screens) });
  const drawVisible = () => {
    const seen = within(0).filter(isUndrawn);
    for (const element of seen) draw(element);
    hasDrawn ||= seen.length > 0;
  };
  const canGo = (element: Element) =>
    !isUndrawn(element) && !groups.get(element)?.isLast && !held.isHeld(element);
  const takeOut = () => {
    const stay = new Set(within(far));
    const free = [...groups.keys()].filter((element) => !stay.has(element) && canGo(element));
    for (const element of free.slice(0, mostTakenOut)) groups.get(element)?.show(false);
    if (free.length > mostTakenOut) schedule();
  };
  /** Selected text is copied completely. */
  const isWanted = (element: Element) => isUndrawn(element) && isSelected(element);
  const step = () => {
    frame = undefined;
    drawVisible();
    const selected = getSelection()?.isCollapsed === false ? [...groups.keys()].filter(isWanted) : [];
    const nearby = within(near);
    const unlaid = nearby.flatMap((group) => [...group.querySelectorAll(unlaidChunks)]);
    const next = closest([...nearby.filter(isUndrawn), ...unlaid, ...selected], scroller);
    if (!next) takeOut();
    else if (!hasDrawn) drawNext(next);
    hasDrawn = false;
    if (next) schedule();
  };
  const scrolled = () => {
    drawVisible();
    schedule();
  };
  const held = createPinnedTurns(scroller, schedule);
  const sizes = new ResizeObserver(schedule);
  for (const element of [scroller, ...scroller.children]) sizes.observe(element);
  scroller.addEventListener("scroll", scrolled, { passive: true });
  return {
    watch(element, group) {
      groups.set(element, group);
      schedule();
      return () => groups.delete(element);
    },
    dispose() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      sizes.disconnect();
      held.dispose();
      scroller.removeEventListener("scroll", scrolled);
    },
  };
}

/** The viewport, extended by a number of screens above and below. */
function grown(scroller: HTMLElement, screens: number): { readonly top: number; readonly bottom: number } {
  const { top, bottom } = scroller.getBoundingClientRect();
  const more = (bottom - top) * screens;
  return { top: top - more, bottom: bottom + more };
}
