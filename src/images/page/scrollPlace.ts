/** The centre of the visible part, as fractions of width and height. */
export function placeOf(frame: Element): readonly [number, number] {
  const { scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight } = frame;
  return [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight];
}

/** Puts a place into the centre of the visible part. */
export function scrollTo(frame: Element, [across, down]: readonly [number, number]): void {
  const left = Math.round(across * frame.scrollWidth - frame.clientWidth / 2);
  const top = Math.round(down * frame.scrollHeight - frame.clientHeight / 2);
  // Setting the position fires a scroll event of the other frame; a threshold ends the loop.
  if (Math.abs(frame.scrollLeft - left) > 1) frame.scrollLeft = left;
  if (Math.abs(frame.scrollTop - top) > 1) frame.scrollTop = top;
}
