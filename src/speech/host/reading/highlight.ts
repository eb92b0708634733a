import * as vscode from "vscode";
import { type SentencePlace, shifted } from "../text/shiftSentences.ts";

/**
 * Marks the current sentence in the editors of its document. The editor scrolls with it while the marked sentence is
 * visible. After the user scrolls away, it stays where it is.
 * `onAway` is called when `isAway` has changed.
 */
export class Highlight implements vscode.Disposable {
  readonly #onAway: () => void;
  readonly #decoration = createDecoration();
  #followed: { readonly uri: vscode.Uri; places: readonly SentencePlace[] } | undefined;
  #shown: number | undefined;
  #isAway = false;
  /** Until a reveal ends, the old visible range does not mean that the user scrolled away. */
  #isRevealing = false;
  readonly #subscriptions: vscode.Disposable;

  constructor(onAway: () => void) {
    this.#onAway = onAway;
    this.#subscriptions = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (!this.#followed || document.uri.toString() !== this.#followed.uri.toString()) return;
        for (const { rangeOffset: offset, rangeLength: removed, text } of contentChanges) {
          const edit = { offset, removed, inserted: text.length };
          this.#followed.places = this.#followed.places.map((place) => shifted(place, edit));
        }
        this.#draw(false);
      }),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw(false)),
      vscode.window.onDidChangeTextEditorVisibleRanges(() => this.#update()),
    );
  }

  /** Starts with a text; its places follow later edits. */
  follow(uri: vscode.Uri | undefined, places: readonly SentencePlace[]): void {
    this.#shown = undefined;
    this.#isRevealing = false;
    this.#followed = uri && { uri, places };
    this.#draw(false);
  }

  show(index: number): void {
    const isNew = this.#shown !== index;
    this.#shown = index;
    this.#draw(isNew && !this.#isAway);
  }

  /** Reveals the marked sentence; the editor scrolls with it again. */
  async comeBack(): Promise<void> {
    if (!this.#followed) return;
    if (!vscode.window.visibleTextEditors.some((editor) => this.#rangeIn(editor)))
      await vscode.window.showTextDocument(this.#followed.uri, { preserveFocus: true });
    this.#draw(true);
  }

  /** True if the marked sentence is not visible. */
  get isAway(): boolean {
    return this.#isAway;
  }

  clear(): void {
    this.#shown = undefined;
    this.#draw(false);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#decoration.dispose();
  }

  #rangeIn({ document }: vscode.TextEditor): vscode.Range | undefined {
    const place = this.#shown === undefined ? undefined : this.#followed?.places[this.#shown];
    if (!place || place.to <= place.from || document.uri.toString() !== this.#followed?.uri.toString())
      return undefined;
    return new vscode.Range(document.positionAt(place.from), document.positionAt(place.to));
  }

  #isInView(): boolean {
    return vscode.window.visibleTextEditors.some((editor) => {
      const range = this.#rangeIn(editor);
      return range !== undefined && editor.visibleRanges.some((visible) => visible.intersection(range));
    });
  }

  #update(): void {
    const place = this.#shown === undefined ? undefined : this.#followed?.places[this.#shown];
    const isVisible = place === undefined || place.to <= place.from || this.#isInView();
    if (isVisible) this.#isRevealing = false;
    const next = !isVisible && !this.#isRevealing;
    if (next === this.#isAway) return;
    this.#isAway = next;
    this.#onAway();
  }

  #draw(scrolls: boolean): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const range = this.#rangeIn(editor);
      editor.setDecorations(this.#decoration, range ? [range] : []);
      if (!range || !scrolls) continue;
      this.#isRevealing = true;
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    this.#update();
  }
}

function createDecoration(): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    border: "1px solid",
    borderColor: new vscode.ThemeColor("editor.wordHighlightStrongBorder"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
}
