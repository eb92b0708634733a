/** The selected rows of a list, by id, as lists of the editor select with keys and mouse. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Index of the row that keys move from. */
  readonly active: number;
  /** Index of the row that a range begins with. */
  readonly anchor: number;
}

export interface Modifiers {
  readonly shiftKey: boolean;
  /** Also Cmd. */
  readonly ctrlKey: boolean;
}

export const nothingSelected: Selection = { ids: new Set(), active: 0, anchor: 0 };

/** A click selects a row; with Ctrl it adds or removes one, with Shift it selects all from the anchor to it. */
export function afterClick(
  selection: Selection,
  ids: readonly string[],
  index: number,
  { shiftKey, ctrlKey }: Modifiers,
): Selection {
  const id = ids[index];
  if (id === undefined) return selection;
  if (shiftKey) return range(selection, ids, index, ctrlKey);
  if (!ctrlKey) return { ids: new Set([id]), active: index, anchor: index };
  return toggled(selection, id, index);
}

/** Moves to a row: with Shift the range follows, with Ctrl the selection stays. */
export function afterMove(
  selection: Selection,
  ids: readonly string[],
  index: number,
  { shiftKey, ctrlKey }: Modifiers,
): Selection {
  if (ctrlKey && !shiftKey) return { ...selection, active: index };
  return afterClick(selection, ids, index, { shiftKey, ctrlKey: false });
}

/** Space adds the active row to the selection, or removes it. */
export function afterSpace(selection: Selection, ids: readonly string[]): Selection {
  const id = ids[selection.active];
  return id === undefined ? selection : toggled(selection, id, selection.active);
}

export function allSelected(selection: Selection, ids: readonly string[]): Selection {
  return { ...selection, ids: new Set(ids) };
}

/** The selection of a list that changed: rows that are gone are not selected. */
export function afterChange(selection: Selection, ids: readonly string[]): Selection {
  const last = Math.max(0, ids.length - 1);
  const there = new Set(ids);
  return {
    ids: new Set([...selection.ids].filter((id) => there.has(id))),
    active: Math.min(selection.active, last),
    anchor: Math.min(selection.anchor, last),
  };
}

function toggled({ ids }: Selection, id: string, index: number): Selection {
  const next = new Set(ids);
  if (!next.delete(id)) next.add(id);
  return { ids: next, active: index, anchor: index };
}

function range(
  { ids: before, anchor }: Selection,
  ids: readonly string[],
  index: number,
  adds: boolean,
): Selection {
  const [from, to] = anchor < index ? [anchor, index] : [index, anchor];
  const between = ids.slice(from, to + 1);
  return { ids: new Set(adds ? [...before, ...between] : between), active: index, anchor };
}
