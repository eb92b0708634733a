// Checks which files a rewind asked about and restored.
import assert from "node:assert/strict";
import type { FileChange, Rewound } from "../../../src/changes/engine/pendingChanges.ts";
import { type All, asShown, isSame, nameOf, namesIn, type Seen, seenIn } from "./seenFiles.ts";

/** Changes of the agent in one call, with the file before and after it. */
export interface Made {
  readonly change: FileChange;
  readonly name: string;
  readonly before: Seen;
  readonly after: Seen;
}

/** A rewind that can be undone, with the files before and after it. */
export interface Undo {
  readonly rewound: Rewound;
  readonly before: All;
  readonly after: All;
  readonly wasRestorable: boolean;
  readonly made: readonly Made[];
}

/** Files before and after a rewind, what was to be rewound, and what it asked. Returns the names of restored files. */
export function checkRewind(run: {
  readonly before: All;
  readonly after: All;
  readonly plan: ReadonlyMap<string, { readonly first: Made; readonly last: Made }>;
  readonly asked: readonly string[];
  readonly done: Rewound | undefined;
  /** False if others may have changed modes. */
  readonly hasModes: boolean;
}): ReadonlySet<string> {
  const { before, after, plan, asked, done, hasModes } = run;
  const known = new Map(
    [...plan].filter(([, { first, last }]) => last.after.disk !== "?" && first.before.unsaved !== "?"),
  );
  for (const [name, { first, last }] of known) {
    const now = seenIn(before, name);
    const isOther = !isSame(now, last.after) && !isSame(now, first.before);
    assert.equal(asked.includes(name), isOther, `${name} is asked about`);
  }
  const changed = new Set(done?.changes.map(nameOf));
  for (const name of namesIn(before, after)) {
    const planned = known.get(name);
    if (!changed.has(name)) assert.deepEqual(seenIn(after, name), seenIn(before, name), `${name} stays`);
    // Until a watcher tells the editor of a newer file, its save is refused: the rewind stops there and says so.
    else if (planned && !done?.failure?.startsWith(`${name} could not be saved`)) {
      const { first, last } = planned;
      const now = seenIn(after, name);
      const isBack = isSame(now, first.before) || isSame(asShown(now), asShown(first.before));
      if (hasModes) assert.equal(now.mode, first.before.mode, `mode of ${name}`);
      assert.ok(isBack, `${name} is as it was: ${JSON.stringify([now, first.before])}`);
      // Unsaved text is unsaved again, unless the user has saved it since.
      if (before[name]?.disk === last.after.disk) assert.deepEqual(asShown(now), asShown(first.before));
    }
  }
  return changed;
}
