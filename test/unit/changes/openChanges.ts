import assert from "node:assert/strict";
import type { EditorChangesDeps } from "../../../src/changes/engine/editorChanges.ts";
import type { PendingChanges } from "../../../src/changes/engine/pendingChanges.ts";
import { loadWithEditor } from "./editorModel.ts";
import { disk } from "./modelDisk.ts";

type Create = (deps: EditorChangesDeps) => PendingChanges;
const { createEditorChanges } = await loadWithEditor<{ readonly createEditorChanges: Create }>(
  "src/changes/engine/editorChanges.ts",
);

const killable = await loadWithEditor<{ readonly createEditorChanges: Create }>(
  "src/changes/engine/editorChanges.ts",
  true,
);

/** The changes of a window in a process of its own, which can be killed. */
export function openKillableChanges(
  blobs: string,
  stateFile: string,
): {
  readonly changes: PendingChanges;
  readonly kill: () => void;
  /** Kills it before its access to the disk after so many more. Resolves then. */
  readonly killAfter: (accesses: number) => Promise<void>;
} {
  let isAlive = true;
  let left = Number.POSITIVE_INFINITY;
  const killed = Promise.withResolvers<void>();
  const isThere = () => {
    if (left-- === 0) {
      isAlive = false;
      killed.resolve();
    }
    return isAlive;
  };
  const run = <Value>(work: () => Value) => disk.process.run(isThere, work);
  const report = (error: unknown) => isAlive && assert.fail(String(error));
  // The killed window was in this process.
  const hasEnded = () => true;
  const changes = run(() => killable.createEditorChanges({ blobs, stateFile, report, hasEnded }));
  const inProcess = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(_, name) {
        const member: unknown = Reflect.get(part, name, part);
        if (name === "writer" || name === "programs") return inProcess(member as object);
        return typeof member !== "function"
          ? member
          : (...given: readonly unknown[]) => run(() => Reflect.apply(member, part, given) as unknown);
      },
    });
  return {
    changes: inProcess(changes),
    killAfter(accesses) {
      left = accesses;
      return killed.promise;
    },
    kill() {
      isAlive = false;
      try {
        // Its timers and listeners end with it; what it would write now is not written.
        run(() => changes.dispose());
      } catch (error) {
        assert.equal((error as Error).message, "killed");
      }
    },
  };
}

/** The changes of a new window over the editor of the test. */
export function openChanges(
  blobs: string,
  stateFile: string,
  report = (error: unknown): void => assert.fail(String(error)),
): PendingChanges {
  return createEditorChanges({ blobs, stateFile, report, hasEnded: () => true });
}
