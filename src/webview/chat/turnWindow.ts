import { createHeldTurns, isSelected } from "./heldTurns.ts";
import { closest, inSight } from "./inSight.ts";

/** A group of turns that can be drawn, and taken out of the page: its place stays, as high as it was. */
export interface WindowedGroup {
  readonly isDrawn: boolean;
  /** It stays, wherever the reader is. */
  readonly isLast: boolean;
  show(isDrawn: boolean): void;
}

/**
 * Has drawn what is near to what is seen, and what is far from it taken out of the page: a conversation costs by what
 * is seen of it, not by its length. What is in sight is drawn in the frame that shows it, all else a group a frame.
 */
export interface TurnWindow {
  /** Begins to look after a group that is in the page, until the returned function is called. */
  watch(element: HTMLElement, group: WindowedGroup): () => void;
  dispose(): void;
}

/** Heights of the window. Between the two all stays as it is, or going to and fro would draw and clear all the time. */
const [near, far] = ["200% 0px", "400% 0px"];
/** Groups that are taken out in one frame. */
const mostTakenOut = 4;

export function createTurnWindow(scroller: HTMLElement): TurnWindow {
  const groups = new Map<Element, WindowedGroup>();
  const toDraw = new Set<Element>();
  /** Drawn or not. */
  const distant = new Set<Element>();
  let frame: number | undefined;
  /** Since the last step: scrolling comes before it in its frame. */
  let hasDrawn = false;

  const schedule = () => {
    frame ??= requestAnimationFrame(step);
  };
  const isUndrawn = (element: Element) => groups.get(element)?.isDrawn === false;
  const draw = (element: Element) => {
    toDraw.delete(element);
    if (isUndrawn(element)) groups.get(element)?.show(true);
  };
  const drawInSight = () => {
    const seen = inSight(scroller.getElementsByClassName("turn-group"), scroller).filter(isUndrawn);
    for (const element of seen) draw(element);
    hasDrawn ||= seen.length > 0;
  };
  const canGo = (element: Element) =>
    !isUndrawn(element) && !groups.get(element)?.isLast && !held.isHeld(element);
  const takeOut = () => {
    const free = [...distant].filter(canGo);
    for (const element of free.slice(0, mostTakenOut)) groups.get(element)?.show(false);
    if (free.length > mostTakenOut) schedule();
  };
  const step = () => {
    frame = undefined;
    drawInSight();
    const next = closest(toDraw, scroller);
    if (!next) takeOut();
    else if (!hasDrawn) draw(next);
    hasDrawn = false;
    if (next) schedule();
  };
  const want = (set: Set<Element>, element: Element, isWanted: boolean) => {
    if (isWanted) set.add(element);
    else set.delete(element);
    schedule();
  };
  /** What is selected is copied as a whole; what no longer is may go. */
  const select = () => {
    for (const element of groups.keys()) if (isUndrawn(element) && isSelected(element)) toDraw.add(element);
    schedule();
  };
  const held = createHeldTurns(scroller, select);
  const observers = [
    observe(scroller, near, (element, isIn) => want(toDraw, element, isIn && isUndrawn(element))),
    observe(scroller, far, (element, isIn) => want(distant, element, !isIn)),
  ];
  scroller.addEventListener("scroll", drawInSight, { passive: true });
  return {
    watch(element, group) {
      groups.set(element, group);
      for (const observer of observers) observer.observe(element);
      return () => {
        for (const observer of observers) observer.unobserve(element);
        for (const known of [groups, toDraw, distant]) known.delete(element);
      };
    },
    dispose() {
      if (frame !== undefined) cancelAnimationFrame(frame);
      for (const observer of observers) observer.disconnect();
      held.dispose();
      scroller.removeEventListener("scroll", drawInSight);
    },
  };
}

/** Tells of each element that comes within this margin of what is seen, and that goes. */
function observe(
  root: HTMLElement,
  rootMargin: string,
  tell: (element: Element, isIn: boolean) => void,
): IntersectionObserver {
  const hear = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) tell(target, isIntersecting);
  };
  return new IntersectionObserver(hear, { root, rootMargin });
}
