/** A part of a document: UTF-16 offsets, the end is not part of it. */
export interface SentencePlace {
  readonly from: number;
  readonly to: number;
}

/** An edit: so many units from an offset on are replaced by so many others. */
export interface OffsetEdit {
  readonly offset: number;
  readonly removed: number;
  readonly inserted: number;
}

/** Where a place is after an edit. One that the edit cuts into grows or shrinks with it; one that is gone is empty. */
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
