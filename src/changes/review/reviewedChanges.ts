import * as vscode from "vscode";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingChanges } from "../engine/pendingChanges.ts";

/** All that waits for the review: the pending hunks of agents, and staged changes, whose document is a side of their diff. */
export class ReviewedChanges implements vscode.Disposable {
  readonly #changes: PendingChanges;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #listening: vscode.Disposable;
  readonly onDidChange = this.#changed.event;

  constructor(changes: PendingChanges) {
    this.#changes = changes;
    this.#listening = vscode.Disposable.from(
      changes.onDidChange(() => this.#changed.fire()),
      changes.staged.onDidChange(() => this.#changed.fire()),
    );
  }

  get files(): readonly ChangedFile[] {
    return [...this.#changes.files, ...this.#changes.staged.files];
  }

  /** Undefined for a staged change that is still being written. */
  fileOf(uri: vscode.Uri): ChangedFile | undefined {
    const staged = this.#changes.staged.of(uri);
    if (staged) return staged.isReady ? staged.file : undefined;
    return this.#changes.fileOf(uri);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#changed.dispose();
  }
}
