import type { FileChange, LastRewind, Rewound } from "./pendingChanges.ts";

/**
 * The rewind that can be undone after one more, so that no content that a rewind has replaced gets out of
 * reach: a rewind without changes leaves the last one, an undo takes the place of what it has undone, and a rewind that is
 * repeated after a failure adds to what was done before it.
 */
export function lastRewindAfter(
  last: LastRewind | undefined,
  call: LastRewind,
  { changes, kept, failure }: Rewound,
): LastRewind | undefined {
  if (changes.length === 0) return last;
  const { of } = call;
  const partial = failure === undefined ? {} : { isPartial: true };
  if (last?.of !== of) return { of, changes, ...partial };
  const isOther = ({ uri }: FileChange) => changes.every((change) => change.uri !== uri);
  if (isUndo(call, last)) {
    const isComplete = failure === undefined && kept.length === 0;
    if (!isComplete) return { of, changes: [...last.changes.filter(isOther), ...changes], ...partial };
    return { of, changes, ...(last.isUndo ? {} : { isUndo: true }) };
  }
  if (!last.isPartial) return { of, changes, ...partial };
  const earlier = last.changes.filter(
    (change) => isOther(change) || changes.some((next) => isContinued(change, next)),
  );
  return { of, changes: [...earlier, ...changes], ...partial };
}

function isUndo(call: LastRewind, last: LastRewind): boolean {
  const known = new Set(last.changes.map(keyOf));
  return call.changes.length > 0 && call.changes.every((change) => known.has(keyOf(change)));
}

function keyOf({ uri, before, savedBefore, after, savedAfter }: FileChange): string {
  return JSON.stringify([uri, before, savedBefore, after, savedAfter]);
}

/** Both can be undone by one step only if nothing was changed in between. */
function isContinued(one: FileChange, next: FileChange): boolean {
  return one.uri === next.uri && one.after === next.before && one.savedAfter === next.savedBefore;
}
