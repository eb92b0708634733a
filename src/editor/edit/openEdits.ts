import * as vscode from "vscode";
import { contexts } from "../../shared/ids.ts";
import { type ProposedEdit, sidesOf } from "./edit.ts";
import { createEditPreview, type EditPreview } from "./editPreview.ts";
import { shiftRange } from "./trackedRange.ts";

/** The edits that are requested or reviewed, each with its diff. Their ranges follow changes of the documents. */
export interface OpenEdits extends vscode.Disposable {
  readonly preview: EditPreview;
  /** The edit of the active diff. */
  readonly active: ProposedEdit | undefined;
  add(edit: ProposedEdit): void;
  has(edit: ProposedEdit): boolean;
  /** Aborts the request of an edit and removes it. */
  remove(edit: ProposedEdit): void;
  /** Removes an edit and closes its diff. */
  close(edit: ProposedEdit): Promise<void>;
  /** Aborts all running requests. */
  stop(): void;
  /** Updates the `when` context of the commands after the state of an edit has changed. */
  updateContext(): void;
}

export function createOpenEdits(): OpenEdits {
  const edits = new Map<string, ProposedEdit>();
  const preview = createEditPreview((id) => {
    const edit = edits.get(id);
    return edit && sidesOf(edit);
  });
  const subscriptions = vscode.Disposable.from(
    preview,
    preview.onDidClose((id) => {
      const edit = edits.get(id);
      if (edit) open.remove(edit);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      for (const edit of edits.values()) {
        if (edit.document.uri.toString() !== document.uri.toString()) continue;
        for (const change of contentChanges) edit.range = shiftRange(edit.range, change);
        if (contentChanges.length > 0) preview.refresh(edit.id, false);
      }
    }),
  );
  const open: OpenEdits = {
    preview,
    get active() {
      return edits.get(preview.active() ?? "");
    },
    add: (edit) => void edits.set(edit.id, edit),
    has: ({ id }) => edits.has(id),
    remove(edit) {
      edits.delete(edit.id);
      edit.abort.abort();
      open.updateContext();
    },
    async close(edit) {
      open.remove(edit);
      await preview.close(edit.id);
    },
    stop() {
      for (const edit of edits.values()) if (edit.state === "writing") edit.abort.abort();
    },
    updateContext() {
      const isRunning = [...edits.values()].some(({ state }) => state === "writing");
      void vscode.commands.executeCommand("setContext", contexts.editRunning, isRunning);
    },
    dispose() {
      for (const edit of edits.values()) edit.abort.abort();
      edits.clear();
      subscriptions.dispose();
    },
  };
  return open;
}
