import * as vscode from "vscode";
import { type SentencePlace, shifted } from "./text/shiftSentences.ts";

/**
 * Marks the current sentence in the editors of its document. The editor scrolls with it while the marked sentence is
 * visible. After the user scrolls away, it stays where it is.
 */
export interface Highlight extends vscode.Disposable {
  /** Starts with a text; its places follow later edits. */
  follow(uri: vscode.Uri | undefined, places: readonly SentencePlace[]): void;
  show(index: number): void;
  /** Reveals the marked sentence; the editor scrolls with it again. */
  comeBack(): Promise<void>;
  /** True if the marked sentence is not visible. */
  readonly isAway: boolean;
  clear(): void;
}

/** `onAway` is called when `isAway` has changed. */
export function createHighlight(onAway: () => void): Highlight {
  const decoration = createDecoration();
  let followed: { readonly uri: vscode.Uri; places: readonly SentencePlace[] } | undefined;
  let shown: number | undefined;
  let isAway = false;
  /** Until a reveal ends, the old visible range does not mean that the user scrolled away. */
  let isRevealing = false;
  const rangeIn = ({ document }: vscode.TextEditor): vscode.Range | undefined => {
    const place = shown === undefined ? undefined : followed?.places[shown];
    if (!place || place.to <= place.from || document.uri.toString() !== followed?.uri.toString())
      return undefined;
    return new vscode.Range(document.positionAt(place.from), document.positionAt(place.to));
  };
  const isInView = () =>
    vscode.window.visibleTextEditors.some((editor) => {
      const range = rangeIn(editor);
      return range !== undefined && editor.visibleRanges.some((visible) => visible.intersection(range));
    });
  const update = () => {
    const place = shown === undefined ? undefined : followed?.places[shown];
    const isVisible = place === undefined || place.to <= place.from || isInView();
    if (isVisible) isRevealing = false;
    const next = !isVisible && !isRevealing;
    if (next === isAway) return;
    isAway = next;
    onAway();
  };
  const draw = (scrolls: boolean) => {
    for (const editor of vscode.window.visibleTextEditors) {
      const range = rangeIn(editor);
      editor.setDecorations(decoration, range ? [range] : []);
      if (!range || !scrolls) continue;
      isRevealing = true;
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    update();
  };
  const subscriptions = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!followed || document.uri.toString() !== followed.uri.toString()) return;
      for (const { rangeOffset: offset, rangeLength: removed, text } of contentChanges) {
        const edit = { offset, removed, inserted: text.length };
        followed.places = followed.places.map((place) => shifted(place, edit));
      }
      draw(false);
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => draw(false)),
    vscode.window.onDidChangeTextEditorVisibleRanges(update),
  );
  return {
    follow(uri, places) {
      shown = undefined;
      isRevealing = false;
      followed = uri && { uri, places };
      draw(false);
    },
    show(index) {
      const isNew = shown !== index;
      shown = index;
      draw(isNew && !isAway);
    },
    async comeBack() {
      if (!followed) return;
      if (!vscode.window.visibleTextEditors.some(rangeIn))
        await vscode.window.showTextDocument(followed.uri, { preserveFocus: true });
      draw(true);
    },
    get isAway() {
      return isAway;
    },
    clear() {
      shown = undefined;
      draw(false);
    },
    dispose() {
      subscriptions.dispose();
      decoration.dispose();
    },
  };
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
