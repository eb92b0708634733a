import * as vscode from "vscode";

const theme = (id: string) => new vscode.ThemeColor(id);

/** Marks the text that an action will change, in all editors that show it, until it is disposed. */
export function markTarget(document: vscode.TextDocument, range: vscode.Range): vscode.Disposable {
  const type = vscode.window.createTextEditorDecorationType({
    backgroundColor: theme("editor.selectionHighlightBackground"),
    borderColor: theme("focusBorder"),
    borderStyle: "solid",
    borderWidth: coversLines(document, range) ? "0 0 0 3px" : "0 0 1px 0",
    isWholeLine: coversLines(document, range),
    overviewRulerColor: theme("focusBorder"),
    overviewRulerLane: vscode.OverviewRulerLane.Full,
  });
  for (const editor of vscode.window.visibleTextEditors) {
    if (editor.document !== document) continue;
    editor.setDecorations(type, [range]);
    if (editor === vscode.window.activeTextEditor)
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  return type;
}

function coversLines(document: vscode.TextDocument, { start, end }: vscode.Range): boolean {
  return start.character === 0 && end.character === document.lineAt(end.line).text.length;
}

/** `lines 3 to 7 of notes.md`, as a question before a request names what will change. */
export function rangeText({ start, end }: vscode.Range, name: string): string {
  const [first, last] = [start.line + 1, end.line + 1];
  return first === last ? `line ${first} of ${name}` : `lines ${first} to ${last} of ${name}`;
}
