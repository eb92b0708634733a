import type { FileChange, LastRewind, Rewound } from "../pendingChanges.ts";
import type { KeptRewind, RewoundRecord } from "./changeRecord.ts";
import { firstChanges } from "./rewoundRecords.ts";

/**
 * The rewind that can be undone after one more, so that no content that a rewind has replaced gets out of
 * reach: a rewind without changes leaves the last one, an undo takes the place of what it has undone, and a rewind that is
 * repeated after a failure adds to what was done before it.
 */
export function lastRewindAfter(
  last: KeptRewind | undefined,
  call: LastRewind,
  done: Rewound,
  rewound: ReadonlyMap<string, RewoundRecord>,
): KeptRewind | undefined {
  if (done.changes.length === 0) return last;
  const next = nextRewind(last, call, done);
  // The changes of the last rewind that are still to be undone began with its records.
  const kept = new Set(last?.changes);
  const first = firstChanges(next.changes);
  const uris = new Set([...Object.keys(last?.pending ?? {}), ...rewound.keys()]);
  const records = [...uris].flatMap((uri) => {
    const change = first.get(uri);
    const now = rewound.get(uri);
    // A file that was moved, and has its former content all the time, has none.
    const former = change && kept.has(change) ? last?.pending?.[uri] : now;
    return former?.record ? [[uri, { ...former, left: now?.left ?? former.left }] as const] : [];
  });
  return records.length > 0 ? { ...next, pending: Object.fromEntries(records) } : next;
}

function nextRewind(
  last: LastRewind | undefined,
  call: LastRewind,
  { changes, kept, failure }: Rewound,
): LastRewind {
  const { of } = call;
  const partial = failure === undefined ? {} : { isPartial: true };
  if (last?.of !== of) return { of, changes, ...partial };
  const uris = new Set(changes.map(({ uri }) => uri));
  if (isUndo(call, last)) {
    const isComplete = failure === undefined && kept.length === 0;
    const left = last.changes.filter(({ uri }) => !uris.has(uri));
    if (!isComplete) return { of, changes: [...left, ...changes], ...partial };
    return { of, changes, ...(last.isUndo ? {} : { isUndo: true }) };
  }
  if (!last.isPartial) return { of, changes, ...partial };
  // Both can be undone by one step only if nothing was changed in between.
  const continued = new Set(changes.map(startOf));
  const earlier = last.changes.filter((change) => !uris.has(change.uri) || continued.has(endOf(change)));
  return { of, changes: [...earlier, ...changes], ...partial };
}

/** True for a call that takes back changes of the last rewind. */
export function isUndo(call: LastRewind, last: LastRewind | undefined): last is KeptRewind {
  const known = new Set(last?.of === call.of ? last.changes.map(keyOf) : []);
  return call.changes.length > 0 && call.changes.every((change) => known.has(keyOf(change)));
}

function keyOf(change: FileChange): string {
  return `${startOf(change)}${endOf(change)}`;
}

function startOf({ uri, before, savedBefore }: FileChange): string {
  return JSON.stringify([uri, before, savedBefore]);
}

function endOf({ uri, after, savedAfter }: FileChange): string {
  return JSON.stringify([uri, after, savedAfter]);
}
