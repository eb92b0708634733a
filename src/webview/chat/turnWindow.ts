import { createPinnedTurns, isSelected } from "./pinnedTurns.ts";
import { closest, visibleItems } from "./visibility.ts";

/** A group of turns that can be drawn, and taken out of the page: its place stays, as high as it was. */
interface WindowedGroup {
  readonly isDrawn: boolean;
  /** It stays, wherever the reader is. */
  readonly isLast: boolean;
  show(isDrawn: boolean): void;
}

/**
 * Has drawn what is near to what is seen, and what is far from it taken out of the page: a conversation costs by what
 * is seen of it, not by its length. What is in sight is drawn in the frame that shows it, all else a group, or a chunk
 * of a long answer, a frame.
 */
export interface TurnWindow {
  /** Begins to look after a group that is in the page, until the returned function is called. */
  watch(element: HTMLElement, group: WindowedGroup): () => void;
  dispose(): void;
}

/** Screens beyond what is seen. Between the two all stays as it is, or going to and fro would draw and clear all the time. */
const [near, far] = [2, 4];
/** Groups that are taken out in one frame. */
const mostTakenOut = 4;
/**
 * Parts of a long answer that are not laid out, in parts that are (`markdown.css`). They would be as they are seen, and
 * what is read would jump by what they are higher than was guessed.
 */
const unlaidChunks = ":is(.markdown, .chunk:only-child, .laid-out) > .chunk:not(:only-child, .laid-out)";

/** Asks where a few groups are when something moves: a browser that watches a thousand of them asks all, each frame. */
export function createTurnWindow(scroller: HTMLElement): TurnWindow {
  const groups = new Map<Element, WindowedGroup>();
  const column = scroller.getElementsByClassName("turn-group");
  let frame: number | undefined;
  /** Since the last step: scrolling comes before it in its frame. */
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
  /** What is selected is copied as a whole. */
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

/** What is seen, and so many screens above and below it. */
function grown(scroller: HTMLElement, screens: number): { readonly top: number; readonly bottom: number } {
  const { top, bottom } = scroller.getBoundingClientRect();
  const more = (bottom - top) * screens;
  return { top: top - more, bottom: bottom + more };
}
