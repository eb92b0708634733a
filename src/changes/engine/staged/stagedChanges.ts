import * as vscode from "vscode";
import { reviewScheme } from "../../../shared/names/ids.ts";
import type { ChangedFile } from "../changedFile.ts";
import type { StagedChange } from "./stagedChange.ts";

/** The changes of this window whose text is not in its document yet. They end with the window. */
export class StagedChanges implements vscode.Disposable {
  readonly #all = new Map<string, StagedChange>();
  readonly #changed = new vscode.EventEmitter<StagedChange>();
  readonly #listening: vscode.Disposable;
  /** Fires with a change whose text, place or hunks differ, and with one that was dropped. */
  readonly onDidChange = this.#changed.event;
  readonly #counted = new vscode.EventEmitter<void>();
  /** Fires when there is one more or less. */
  readonly onDidCount = this.#counted.event;

  constructor() {
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length === 0) return;
      for (const change of this.#all.values()) {
        if (change.proposal.uri.toString() !== document.uri.toString()) continue;
        change.follow(contentChanges);
        this.#changed.fire(change);
      }
    });
  }

  /** Those that can be decided, in the order in which they were staged. */
  get files(): readonly ChangedFile[] {
    return [...this.#all.values()].filter(({ isReady }) => isReady).map(({ file }) => file);
  }

  get isEmpty(): boolean {
    return this.#all.size === 0;
  }

  has({ id }: StagedChange): boolean {
    return this.#all.has(id);
  }

  /** The change of a document that shows one of its sides. */
  of({ scheme, query }: vscode.Uri): StagedChange | undefined {
    return scheme === reviewScheme ? this.#all.get(query) : undefined;
  }

  add(change: StagedChange): void {
    this.#all.set(change.id, change);
    this.#counted.fire();
  }

  /** Tells that its text or its state has changed. */
  touch(change: StagedChange): void {
    if (this.has(change)) this.#changed.fire(change);
  }

  drop(change: StagedChange): void {
    if (!this.#all.delete(change.id)) return;
    change.proposal.onDropped?.();
    this.#changed.fire(change);
    this.#counted.fire();
  }

  dispose(): void {
    for (const change of [...this.#all.values()]) this.drop(change);
    for (const part of [this.#listening, this.#changed, this.#counted]) part.dispose();
  }
}
