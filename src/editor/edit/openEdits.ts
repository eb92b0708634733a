import * as vscode from "vscode";
import type { StagedDiffs } from "../../changes/review/stagedDiffs.ts";
import { contexts } from "../../shared/names/ids.ts";
import type { ProposedEdit } from "./edit.ts";

/** The edits that are requested or reviewed, each with its diff. */
export class OpenEdits implements vscode.Disposable {
  readonly #staged: StagedDiffs;
  readonly #edits = new Set<ProposedEdit>();

  constructor(staged: StagedDiffs) {
    this.#staged = staged;
  }

  /** The edit of the active diff. */
  get active(): ProposedEdit | undefined {
    const { active } = this.#staged;
    return [...this.#edits].find(({ staged }) => staged === active);
  }

  add(edit: ProposedEdit): void {
    this.#edits.add(edit);
    this.#staged.changes.add(edit.staged);
  }

  has(edit: ProposedEdit): boolean {
    return this.#edits.has(edit);
  }

  /** Opens the diff, or reveals it. */
  show({ staged }: ProposedEdit): Promise<void> {
    return this.#staged.show(staged);
  }

  /** Shows the text of an edit that has changed. */
  refresh({ staged }: ProposedEdit): void {
    this.#staged.changes.touch(staged);
  }

  /** Aborts the request of an edit, removes it and closes its diff. */
  close({ staged }: ProposedEdit): void {
    this.#staged.changes.drop(staged);
  }

  /** Its change was dropped. */
  forget(edit: ProposedEdit): void {
    this.#edits.delete(edit);
    edit.abort.abort();
    this.updateContext();
  }

  /** Aborts all running requests. */
  stop(): void {
    for (const edit of this.#edits) if (edit.state === "writing") edit.abort.abort();
  }

  /** Updates the `when` context of the commands after the state of an edit has changed. */
  updateContext(): void {
    const isRunning = [...this.#edits].some(({ state }) => state === "writing");
    void vscode.commands.executeCommand("setContext", contexts.editRunning, isRunning);
  }

  dispose(): void {
    for (const edit of [...this.#edits]) this.close(edit);
  }
}
