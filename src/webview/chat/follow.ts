/** Keeps the end of a scrolling element in sight while its content grows, until the reader goes elsewhere. */
export interface Follower {
  /** Goes to the end and stays there. */
  toEnd(): void;
  dispose(): void;
}

/** Closer to the end than this many pixels counts as being there; zoomed pages stop at fractions. */
const nearPx = 24;

export function createFollower(
  scroller: HTMLElement,
  content: HTMLElement,
  onFollow: (follows: boolean) => void,
): Follower {
  let follows = true;
  const isAtEnd = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < nearPx;
  const set = (next: boolean) => {
    if (next === follows) return;
    follows = next;
    onFollow(follows);
  };
  let lastTop = scroller.scrollTop;
  const toEnd = () => {
    scroller.scrollTop = scroller.scrollHeight;
    // Content that shrinks takes the position along, and that is not the reader going up.
    lastTop = scroller.scrollTop;
  };
  // What the reader does decides at once; where the scrolling ends up decides when it has.
  const leave = (event: WheelEvent) => {
    if (event.deltaY < 0 && scroller.scrollTop > 0) set(false);
  };
  const leaveByKey = (event: KeyboardEvent) => {
    if (["ArrowUp", "PageUp", "Home"].includes(event.key)) set(false);
  };
  const scrolled = () => {
    if (scroller.scrollTop < lastTop - 1 && !isAtEnd()) set(false);
    else if (isAtEnd()) set(true);
    lastTop = scroller.scrollTop;
  };
  const grown = new ResizeObserver(() => {
    if (follows) toEnd();
  });
  grown.observe(content);
  grown.observe(scroller);
  scroller.addEventListener("wheel", leave, { passive: true });
  scroller.addEventListener("keydown", leaveByKey);
  scroller.addEventListener("scroll", scrolled, { passive: true });
  return {
    toEnd() {
      set(true);
      toEnd();
    },
    dispose() {
      grown.disconnect();
      scroller.removeEventListener("wheel", leave);
      scroller.removeEventListener("keydown", leaveByKey);
      scroller.removeEventListener("scroll", scrolled);
    },
  };
}
