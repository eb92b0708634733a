/** Turns that are laid out and unmounted together. */
export interface GroupedTurns {
  /** Stable while any of its turns is in the group. */
  readonly key: string;
  readonly ids: readonly string[];
}

const groupLength = 2;

/**
 * Groups turns, so that the cost of a page of messages depends on the number of groups. Unchanged groups are the same
 * objects as in `before`: new turns at either end change only the outermost groups.
 */
export function groupTurns(before: readonly GroupedTurns[], ids: readonly string[]): readonly GroupedTurns[] {
  const known = before.flatMap((group) => group.ids);
  const from = known[0] === undefined ? -1 : ids.indexOf(known[0]);
  if (from < 0 || !known.every((id, index) => ids[from + index] === id)) return added([], ids);
  return added(preceded(ids.slice(0, from), before), ids.slice(from + known.length));
}

function added(groups: readonly GroupedTurns[], ids: readonly string[]): readonly GroupedTurns[] {
  if (ids.length === 0) return groups;
  const last = groups.at(-1);
  const room = last ? Math.max(0, groupLength - last.ids.length) : 0;
  const joined = ids.slice(0, room);
  const filled =
    last && joined.length > 0 ? groups.with(-1, { ...last, ids: [...last.ids, ...joined] }) : groups;
  const [first, rest] = [ids.slice(room, room + groupLength), ids.slice(room + groupLength)];
  const next = first[0] === undefined ? filled : [...filled, { key: first[0], ids: first }];
  return added(next, rest);
}

function preceded(ids: readonly string[], groups: readonly GroupedTurns[]): readonly GroupedTurns[] {
  const last = ids.at(-1);
  if (last === undefined) return groups;
  const [first, ...others] = groups;
  const room = first ? Math.max(0, groupLength - first.ids.length) : 0;
  const split = Math.max(0, ids.length - room);
  if (first && split < ids.length)
    return preceded(ids.slice(0, split), [{ ...first, ids: [...ids.slice(split), ...first.ids] }, ...others]);
  const start = Math.max(0, ids.length - groupLength);
  return preceded(ids.slice(0, start), [{ key: last, ids: ids.slice(start) }, ...groups]);
}
