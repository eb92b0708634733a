import * as vscode from "vscode";
import { type SentencePlace, shifted } from "./text/shiftSentences.ts";

/**
 * Marks the sentence that is heard, wherever its document is open. The editor goes along while the marked sentence is in
 * sight: whoever scrolls away from it is left where they are.
 */
export interface Highlight extends vscode.Disposable {
  /** Begins with a text; its places follow what is edited from now on. */
  follow(uri: vscode.Uri | undefined, places: readonly SentencePlace[]): void;
  show(index: number): void;
  /** Brings the marked sentence into sight; the editor goes along again. */
  comeBack(): Promise<void>;
  /** Whether a sentence is marked where nobody sees it. */
  readonly isAway: boolean;
  clear(): void;
}

/** `onAway` is called when `isAway` has changed. */
export function createHighlight(onAway: () => void): Highlight {
  const decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    border: "1px solid",
    borderColor: new vscode.ThemeColor("editor.wordHighlightStrongBorder"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  let followed: { readonly uri: vscode.Uri; places: readonly SentencePlace[] } | undefined;
  let shown: number | undefined;
  let isAway = false;
  /** The sentence is on its way into sight: until it is there, the old view is nobody's wish. */
  let isComing = false;
  const rangeIn = ({ document }: vscode.TextEditor): vscode.Range | undefined => {
    const place = shown === undefined ? undefined : followed?.places[shown];
    if (!place || place.to <= place.from || document.uri.toString() !== followed?.uri.toString())
      return undefined;
    return new vscode.Range(document.positionAt(place.from), document.positionAt(place.to));
  };
  const isSeen = () =>
    vscode.window.visibleTextEditors.some((editor) => {
      const range = rangeIn(editor);
      return range !== undefined && editor.visibleRanges.some((seen) => seen.intersection(range));
    });
  const look = () => {
    const place = shown === undefined ? undefined : followed?.places[shown];
    const seen = place === undefined || place.to <= place.from || isSeen();
    if (seen) isComing = false;
    const next = !seen && !isComing;
    if (next === isAway) return;
    isAway = next;
    onAway();
  };
  const draw = (goesAlong: boolean) => {
    for (const editor of vscode.window.visibleTextEditors) {
      const range = rangeIn(editor);
      editor.setDecorations(decoration, range ? [range] : []);
      if (!range || !goesAlong) continue;
      isComing = true;
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
    look();
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!followed || document.uri.toString() !== followed.uri.toString()) return;
      for (const { rangeOffset: offset, rangeLength: removed, text } of contentChanges) {
        const edit = { offset, removed, inserted: text.length };
        followed.places = followed.places.map((place) => shifted(place, edit));
      }
      draw(false);
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => draw(false)),
    vscode.window.onDidChangeTextEditorVisibleRanges(look),
  );
  return {
    follow(uri, places) {
      shown = undefined;
      isComing = false;
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
      listening.dispose();
      decoration.dispose();
    },
  };
}
