/** Offsets into a text; the end is exclusive. */
export interface TrackedRange {
  readonly start: number;
  readonly end: number;
}

/** One replacement in a text, as VS Code reports it. */
export interface TextChange {
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/**
 * A range after a change. A change outside shifts it; a change that touches it is included, so the range's text differs
 * from the original.
 */
export function shiftRange({ start, end }: TrackedRange, change: TextChange): TrackedRange {
  const changeEnd = change.rangeOffset + change.rangeLength;
  const grown = change.text.length - change.rangeLength;
  if (changeEnd <= start) return { start: start + grown, end: end + grown };
  if (change.rangeOffset >= end) return { start, end };
  return { start: Math.min(start, change.rangeOffset), end: Math.max(end, changeEnd) + grown };
}
