/** A part of a document: UTF-16 offsets, the end is exclusive. */
export interface SentencePlace {
  readonly from: number;
  readonly to: number;
}

/** An edit: replaces a number of units at an offset by another number. */
export interface OffsetEdit {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/** A place after an edit. An edit inside it changes its length; a deleted place is empty. */
export function shifted(
  { from, to }: SentencePlace,
  { offset, removed, inserted }: OffsetEdit,
): SentencePlace {
  const end = offset + removed;
  const delta = inserted - removed;
  if (end <= from) return { from: from + delta, to: to + delta };
  if (offset >= to) return { from, to };
  const start = Math.min(from, offset);
  if (offset <= from && end >= to) return { from: start, to: start };
  return { from: offset <= from ? offset + inserted : from, to: Math.max(to + delta, offset) };
}
