/** Offsets into a text; the end is not part of it. */
export interface TrackedRange {
  readonly start: number;
  readonly end: number;
}

/** One replacement in a text, as the editor reports it. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * Where a range is after a change. One that does not touch it moves it along; one that does is taken into it, so that
 * the range's text is no longer the one it began with.
 */
export function shiftRange({ start, end }: TrackedRange, change: TextChange): TrackedRange {
  const changeEnd = change.rangeOffset + change.rangeLength;
  const grown = change.text.length - change.rangeLength;
  if (changeEnd <= start) return { start: start + grown, end: end + grown };
  if (change.rangeOffset >= end) return { start, end };
  return { start: Math.min(start, change.rangeOffset), end: Math.max(end, changeEnd) + grown };
}
