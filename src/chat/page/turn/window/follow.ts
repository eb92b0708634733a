/** Scrolls to the end while the content grows, until the user scrolls away. */
export interface Follower {
  /** Scrolls to the end and follows it. */
  toEnd(): void;
  dispose(): void;
}

/** Distance in pixels that counts as the end, because zoomed pages have fractional positions. */
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
    // Shrinking content changes the position, but the user did not scroll up.
    lastTop = scroller.scrollTop;
  };
  // Input events take effect at once; the final position after the scroll.
  const leave = (event: WheelEvent) => {
    if (event.deltaY < 0 && scroller.scrollTop > 0) set(false);
  };
  const leaveByKey = (event: KeyboardEvent) => {
    if (["ArrowUp", "PageUp", "Home"].includes(event.key) && scroller.scrollTop > 0) set(false);
  };
  // Only a move down to the end follows again. The first pixels of a smooth scroll up are near the end, too, and so is a
  // position that shrinking content has moved.
  const scrolled = () => {
    const moved = scroller.scrollTop - lastTop;
    lastTop = scroller.scrollTop;
    if (moved < -1 && !isAtEnd()) set(false);
    else if (moved > 0 && isAtEnd()) set(true);
  };
  const grown = new ResizeObserver(() => {
    if (scroller.scrollHeight <= scroller.clientHeight) set(true);
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
