import * as vscode from "vscode";
import { type Place, shifted } from "./text/shiftSentences.ts";

/** Marks the sentence that is heard, wherever its document is open. */
export interface Highlight extends vscode.Disposable {
  /** Begins with a text; its places follow what is edited from now on. */
  follow(uri: vscode.Uri | undefined, places: readonly Place[]): void;
  show(index: number): void;
  clear(): void;
}

export function createHighlight(): Highlight {
  const decoration = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor("editor.wordHighlightStrongBackground"),
    border: "1px solid",
    borderColor: new vscode.ThemeColor("editor.wordHighlightStrongBorder"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.wordHighlightStrongForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  let followed: { readonly uri: string; places: readonly Place[] } | undefined;
  let shown: number | undefined;
  const draw = (isNew: boolean) => {
    const place = shown === undefined ? undefined : followed?.places[shown];
    for (const editor of vscode.window.visibleTextEditors) {
      const { document } = editor;
      const isHere =
        place !== undefined && place.to > place.from && document.uri.toString() === followed?.uri;
      const range = isHere
        ? new vscode.Range(document.positionAt(place.from), document.positionAt(place.to))
        : undefined;
      editor.setDecorations(decoration, range ? [range] : []);
      if (range && isNew) editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    }
  };
  const listening = vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (!followed || document.uri.toString() !== followed.uri) return;
      for (const { rangeOffset: offset, rangeLength: removed, text } of contentChanges) {
        const edit = { offset, removed, inserted: text.length };
        followed.places = followed.places.map((place) => shifted(place, edit));
      }
      draw(false);
    }),
    vscode.window.onDidChangeVisibleTextEditors(() => draw(false)),
  );
  return {
    follow(uri, places) {
      shown = undefined;
      followed = uri && { uri: uri.toString(), places };
      draw(false);
    },
    show(index) {
      const isNew = shown !== index;
      shown = index;
      draw(isNew);
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
