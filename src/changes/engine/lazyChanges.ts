import type { Disposable, Memento } from "vscode";
import { Lazy } from "../../platform/lazy.ts";
import type { PendingChanges } from "./pendingChanges.ts";

/**
 * The one instance of the pending changes, which the chat and the review share. It is created by the first `load`, so
 * that activation does not pay for it.
 */
export interface LazyChanges extends Disposable {
  /** True if hunks were pending, a change was staged, a rewind could be undone, or a program ran, when the window was closed or reloaded. */
  readonly wasPending: boolean;
  /** Rejects if the stored state can't be read; the next call tries again. */
  load(): Promise<PendingChanges>;
  /** Calls the listener when the instance was created, and at once if it exists. */
  onDidLoad(listener: (changes: PendingChanges) => void): Disposable;
}

const pendingKey = "changes.pending";

/** Notes in the Memento of the workspace whether hunks are pending. */
export function createLazyChanges(
  state: Pick<Memento, "get" | "update">,
  create: () => Promise<PendingChanges>,
): LazyChanges {
  let loaded: PendingChanges | undefined;
  let isDisposed = false;
  const listeners = new Set<(changes: PendingChanges) => void>();
  const noteState = (changes: PendingChanges) => {
    const { isPending } = changes;
    if (state.get(pendingKey, false) !== isPending) void state.update(pendingKey, isPending);
  };
  const pending = new Lazy(async () => {
    const changes = await create();
    if (isDisposed) return changes;
    loaded = changes;
    // Not before: the stored hunks are read after the creation.
    changes.onDidChange(() => noteState(changes));
    for (const listener of [...listeners]) listener(changes);
    return changes;
  });
  return {
    wasPending: state.get(pendingKey, false),
    load: () => pending.get(),
    onDidLoad(listener) {
      listeners.add(listener);
      if (loaded) listener(loaded);
      return { dispose: () => void listeners.delete(listener) };
    },
    dispose() {
      isDisposed = true;
      pending.dispose();
    },
  };
}
