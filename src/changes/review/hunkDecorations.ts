import * as vscode from "vscode";
import type { ChangedFile } from "../engine/changedFile.ts";
import type { PendingHunk } from "../engine/hunkList.ts";
import { compares } from "./originalFiles.ts";
import { lastLine } from "./places.ts";
import { removedForHover, removedTexts } from "./removedLines.ts";

/** The colours of pending hunks in the editors. */
export interface HunkDecorations extends vscode.Disposable {
  /** Draws the hunks of all visible editors. */
  refresh(): void;
}

/** Lines around the visible ones whose removed text is drawn, too, so that it is there after a short scroll. */
const margin = 30;
const scrollMs = 50;
/** Colours of hunks that only moved are drawn again once the user pauses: the editor itself moves them meanwhile. */
const movedMs = 500;

const theme = (id: string) => new vscode.ThemeColor(id);

/** High-contrast themes have no background for inserted lines, and a border in its place; the others no border. */
const lines = (overview: string): vscode.DecorationRenderOptions => ({
  isWholeLine: true,
  backgroundColor: theme("diffEditor.insertedLineBackground"),
  borderColor: theme("diffEditor.insertedTextBorder"),
  borderStyle: "solid",
  borderWidth: "0 0 0 3px",
  overviewRulerColor: theme(overview),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
});

const bar = (borderWidth: string): vscode.DecorationRenderOptions => ({
  isWholeLine: true,
  borderColor: theme("editorGutter.deletedBackground"),
  borderStyle: "solid",
  borderWidth,
  overviewRulerColor: theme("editorOverviewRuler.deletedForeground"),
  overviewRulerLane: vscode.OverviewRulerLane.Left,
});

/** Each removed text is a CSS rule of the editor, so only those near the visible lines exist. */
const removed = (): vscode.DecorationRenderOptions => ({
  after: {
    // Quieter colours can't be read on the backgrounds of a removed and an inserted line together.
    color: theme("editor.foreground"),
    backgroundColor: theme("diffEditor.removedLineBackground"),
    borderColor: theme("diffEditor.removedTextBorder"),
    border: "1px solid",
    margin: "0 0 0 2em",
  },
});

export function createHunkDecorations(fileOf: (uri: vscode.Uri) => ChangedFile | undefined): HunkDecorations {
  const create = vscode.window.createTextEditorDecorationType;
  const types = {
    added: create(lines("editorOverviewRuler.addedForeground")),
    replaced: create(lines("editorOverviewRuler.modifiedForeground")),
    above: create(bar("2px 0 0 0")),
    below: create(bar("0 0 2px 0")),
    removed: create(removed()),
  };
  /** The file whose hunks each editor shows. */
  const drawn = new WeakMap<vscode.TextEditor, ChangedFile>();
  let scrolling: NodeJS.Timeout | undefined;
  let moving: NodeJS.Timeout | undefined;
  const draw = (editor: vscode.TextEditor): void => {
    const file = isBesideOriginal(editor) ? undefined : fileOf(editor.document.uri);
    // Tabs also change when a file is typed in or saved, which draws nothing new.
    if (file === drawn.get(editor)) return;
    if (file) drawn.set(editor, file);
    else drawn.delete(editor);
    const hunks = file?.hunks ?? [];
    const total = editor.document.lineCount;
    const drawRanges = (type: vscode.TextEditorDecorationType, of: (hunk: PendingHunk) => boolean) =>
      editor.setDecorations(type, hunks.filter(of).map(rangeOf(total)));
    drawRanges(types.added, ({ lineCount, before }) => lineCount > 0 && before.length === 0);
    drawRanges(types.replaced, ({ lineCount, before }) => lineCount > 0 && before.length > 0);
    drawRanges(types.above, ({ lineCount, startLine }) => lineCount === 0 && startLine < total);
    drawRanges(types.below, ({ lineCount, startLine }) => lineCount === 0 && startLine >= total);
    drawRemoved(editor, types.removed, hunks);
  };
  const redraw = () => vscode.window.visibleTextEditors.forEach(draw);
  const refresh = () => {
    let isMoved = false;
    for (const editor of vscode.window.visibleTextEditors) {
      const file = fileOf(editor.document.uri);
      const former = drawn.get(editor);
      if (file && former && file !== former && isOnlyMoved(former, file)) isMoved = true;
      else draw(editor);
    }
    if (!isMoved) return;
    clearTimeout(moving);
    moving = setTimeout(redraw, movedMs);
  };
  const subscriptions = vscode.Disposable.from(
    ...Object.values(types),
    vscode.window.onDidChangeVisibleTextEditors(redraw),
    // The tab of an editor may be known later than the editor.
    vscode.window.tabGroups.onDidChangeTabs(redraw),
    // An editor learns its column after it is visible.
    vscode.window.onDidChangeTextEditorViewColumn(({ textEditor }) => draw(textEditor)),
    vscode.window.onDidChangeTextEditorVisibleRanges(() => {
      scrolling ??= setTimeout(() => {
        scrolling = undefined;
        for (const editor of vscode.window.visibleTextEditors)
          if (drawn.has(editor)) drawRemoved(editor, types.removed, fileOf(editor.document.uri)?.hunks ?? []);
      }, scrollMs);
    }),
  );
  return {
    refresh,
    dispose() {
      clearTimeout(scrolling);
      clearTimeout(moving);
      subscriptions.dispose();
    },
  };
}

/** The same hunks, at other lines. */
function isOnlyMoved(former: ChangedFile, now: ChangedFile): boolean {
  return (
    former.hunks.length === now.hunks.length &&
    former.uri.toString() === now.uri.toString() &&
    former.hunks.every(({ id, lineCount, before }, index) => {
      const other = now.hunks[index];
      return other?.id === id && other.lineCount === lineCount && other.before === before;
    })
  );
}

const rangeOf = (total: number) => (hunk: PendingHunk) => {
  const last = Math.max(0, total - 1);
  return new vscode.Range(Math.min(hunk.startLine, last), 0, Math.min(lastLine(hunk), last), 0);
};

function drawRemoved(
  editor: vscode.TextEditor,
  type: vscode.TextEditorDecorationType,
  hunks: readonly PendingHunk[],
): void {
  const { document, visibleRanges } = editor;
  const isNear = (line: number) =>
    visibleRanges.some(({ start, end }) => line >= start.line - margin && line <= end.line + margin);
  const options = hunks
    .filter((hunk) => isNear(hunk.startLine) || isNear(lastLine(hunk)))
    .flatMap((hunk) => {
      const texts = removedTexts(hunk, document.lineCount).filter(({ line }) => isNear(line));
      const hoverMessage = hoverOf(hunk, document.languageId);
      return texts.map(({ line, text }) => ({
        range: document.lineAt(Math.min(line, document.lineCount - 1)).range,
        hoverMessage,
        renderOptions: { after: { contentText: text } },
      }));
    });
  editor.setDecorations(type, options);
}

function hoverOf({ before }: PendingHunk, languageId: string): vscode.MarkdownString {
  const { text, cut } = removedForHover(before);
  const hover = new vscode.MarkdownString("Removed by the agent:");
  hover.appendCodeblock(text, languageId);
  if (cut > 0) hover.appendText(`${cut} more removed lines are in the diff.`);
  return hover;
}

/** True for a side of a diff, which has colours of its own. */
function isBesideOriginal({ document, viewColumn }: vscode.TextEditor): boolean {
  return vscode.window.tabGroups.all.some(
    ({ activeTab, viewColumn: column }) =>
      activeTab !== undefined &&
      (viewColumn === undefined || viewColumn === column) &&
      compares(activeTab, document.uri),
  );
}
