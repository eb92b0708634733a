import * as vscode from "vscode";
import { contexts } from "../../shared/names/ids.ts";
import { type ProposedEdit, sidesOf } from "./edit.ts";
import { EditPreview } from "./editPreview.ts";
import { shiftRange } from "./text/trackedRange.ts";

/** The edits that are requested or reviewed, each with its diff. Their ranges follow changes of the documents. */
export class OpenEdits implements vscode.Disposable {
  readonly #edits = new Map<string, ProposedEdit>();
  readonly preview = new EditPreview((id) => {
    const edit = this.#edits.get(id);
    return edit && sidesOf(edit);
  });
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    this.#subscriptions = vscode.Disposable.from(
      this.preview,
      this.preview.onDidClose((id) => {
        const edit = this.#edits.get(id);
        if (edit) this.remove(edit);
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        for (const edit of this.#edits.values()) {
          if (edit.document.uri.toString() !== document.uri.toString()) continue;
          for (const change of contentChanges) edit.range = shiftRange(edit.range, change);
          if (contentChanges.length > 0) this.preview.refresh(edit.id, false);
        }
      }),
    );
  }

  /** The edit of the active diff. */
  get active(): ProposedEdit | undefined {
    return this.#edits.get(this.preview.active() ?? "");
  }

  add(edit: ProposedEdit): void {
    this.#edits.set(edit.id, edit);
  }

  has({ id }: ProposedEdit): boolean {
    return this.#edits.has(id);
  }

  /** Aborts the request of an edit and removes it. */
  remove(edit: ProposedEdit): void {
    this.#edits.delete(edit.id);
    edit.abort.abort();
    this.updateContext();
  }

  /** Removes an edit and closes its diff. */
  async close(edit: ProposedEdit): Promise<void> {
    this.remove(edit);
    await this.preview.close(edit.id);
  }

  /** Aborts all running requests. */
  stop(): void {
    for (const edit of this.#edits.values()) if (edit.state === "writing") edit.abort.abort();
  }

  /** Updates the `when` context of the commands after the state of an edit has changed. */
  updateContext(): void {
    const isRunning = [...this.#edits.values()].some(({ state }) => state === "writing");
    void vscode.commands.executeCommand("setContext", contexts.editRunning, isRunning);
  }

  dispose(): void {
    for (const edit of this.#edits.values()) edit.abort.abort();
    this.#edits.clear();
    this.#subscriptions.dispose();
  }
}
