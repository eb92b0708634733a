import * as vscode from "vscode";
import { gapAroundMark, gapBetween } from "./insertion/gaps.ts";
import { behindMarks, insertionPoint } from "./insertion/insertionPoint.ts";

/** A replacement in a document. An empty range inserts. */
export interface DocumentChange {
  readonly range: vscode.Range;
  readonly text: string;
  /** True if no cursor goes behind it. */
  readonly isAside?: true;
}

export interface ChangeOptions {
  /** False if the user stays in a view that makes more changes to the same document. */
  readonly takesFocus?: boolean;
  /** Column of the editor; default is the one that shows the document already. */
  readonly viewColumn?: vscode.ViewColumn | undefined;
  /** A file that is created with the change and removed by the same undo. */
  readonly file?: { readonly uri: vscode.Uri; readonly data: Uint8Array } | undefined;
}

/**
 * Applies all changes of an action: one undo reverts them, and the document gets the focus with the cursor after the
 * new text, so that the user continues to type there. False if the document is read-only.
 */
export async function changeDocument(
  document: vscode.TextDocument,
  changes: readonly DocumentChange[],
  { viewColumn, file, takesFocus = true }: ChangeOptions = {},
): Promise<boolean> {
  const ordered = [...changes].sort((a, b) => a.range.start.compareTo(b.range.start));
  const edit = new vscode.WorkspaceEdit();
  if (file) edit.createFile(file.uri, { contents: file.data });
  for (const { range, text } of ordered) edit.replace(document.uri, range, text);
  const ends = endsOf(document, ordered);
  const isDone = await Promise.resolve(vscode.workspace.applyEdit(edit)).catch(() => false);
  if (isDone && takesFocus) await focusDocument(document, ends, viewColumn);
  return isDone;
}

/** Applies an edit of an action. If the editor refuses it, such as for a read-only notebook, a message says so. */
export async function applyOrWarn(edit: vscode.WorkspaceEdit): Promise<void> {
  if (await vscode.workspace.applyEdit(edit)) return;
  void vscode.window.showWarningMessage(
    "Nothing was changed, because the editor refused it: the document is read-only or has just changed. Try again.",
  );
}

export interface InsertOptions extends ChangeOptions {
  /** True for a mark that stands close behind a word. */
  readonly isClose?: boolean;
  /** More changes of the same action. */
  readonly also?: readonly DocumentChange[];
}

/** Characters on both sides of a cursor that are looked at: a word, a link or a formula is rarely longer. */
const nearby = 4_000;

/**
 * The offsets behind the text of each selection at which text can be inserted, not within a word or a link. `isClose`: a mark
 * may stand between a word and its footnote.
 */
export function offsetsBehind(
  document: vscode.TextDocument,
  selections: readonly vscode.Range[],
  isClose: boolean,
): readonly number[] {
  return selections.map((selection) => {
    const end = document.offsetAt(selection.start) + document.getText(selection).trimEnd().length;
    const from = Math.max(0, end - nearby);
    const around = new vscode.Range(document.positionAt(from), document.positionAt(end + nearby));
    const start = document.offsetAt(around.start);
    const [text, language] = [document.getText(around), document.languageId];
    const point = insertionPoint(text, end - start, language);
    return start + (isClose ? point : behindMarks(text, point, language));
  });
}

/**
 * Inserts after each selection and never replaces it, because the selection may be the context of the question. Adds a
 * space where words would be glued together, or a line break before several lines.
 */
export function insertAfter(
  document: vscode.TextDocument,
  selections: readonly vscode.Range[],
  text: string,
  { isClose = false, also = [], ...options }: InsertOptions = {},
): Promise<boolean> {
  const gapOf = isClose ? gapAroundMark : gapBetween;
  const offsets = offsetsBehind(document, selections, isClose);
  const changes = selections.map((selection, index) => {
    const hasText = document.getText(selection).trim() !== "";
    const at = document.positionAt(offsets[index] ?? document.offsetAt(selection.end));
    const line = document.lineAt(at.line).text;
    const gap = text.includes("\n") && hasText ? "\n" : gapOf(line.slice(0, at.character), text);
    return {
      range: new vscode.Range(at, at),
      text: `${gap}${text}${gapOf(text, line.slice(at.character))}`,
    };
  });
  return changeDocument(document, [...changes, ...also], options);
}

/** Offsets after each new text, once all of them are inserted. */
function endsOf(document: vscode.TextDocument, ordered: readonly DocumentChange[]): number[] {
  const eol = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  let grown = 0;
  return ordered.flatMap(({ range, text, isAside }) => {
    const start = document.offsetAt(range.start);
    const inserted = text.replace(/\r\n|\r|\n/g, eol).length;
    const end = start + grown + inserted;
    grown += inserted - (document.offsetAt(range.end) - start);
    return isAside ? [] : [end];
  });
}

async function focusDocument(
  document: vscode.TextDocument,
  ends: readonly number[],
  viewColumn: vscode.ViewColumn | undefined,
): Promise<void> {
  if (await focusCell(document)) return;
  const cursors = ends.map((end) => document.positionAt(end));
  const selections = cursors.map((cursor) => new vscode.Selection(cursor, cursor));
  const [selection] = selections;
  // Set together with the focus because the next key may arrive in between.
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    viewColumn: viewColumn ?? columnOf(document),
    ...(selection ? { selection } : {}),
  });
  if (selections.length > 1) editor.selections = selections;
}

/** A cell is shown in its notebook. As a text document it would open a second time. */
async function focusCell(document: vscode.TextDocument): Promise<boolean> {
  for (const notebook of vscode.workspace.notebookDocuments) {
    const cell = notebook.getCells().find((one) => one.document === document);
    if (!cell) continue;
    const shown = vscode.window.visibleNotebookEditors.find((one) => one.notebook === notebook);
    await vscode.window.showNotebookDocument(notebook, {
      selections: [new vscode.NotebookRange(cell.index, cell.index + 1)],
      ...(shown?.viewColumn ? { viewColumn: shown.viewColumn } : {}),
    });
    await vscode.commands.executeCommand("notebook.cell.edit");
    return true;
  }
  return false;
}

/** The group that shows it, else the one beside. */
function columnOf(document: vscode.TextDocument): vscode.ViewColumn {
  const { activeTextEditor, visibleTextEditors, tabGroups } = vscode.window;
  const visible = [activeTextEditor, ...visibleTextEditors].find((one) => one?.document === document);
  if (visible?.viewColumn) return visible.viewColumn;
  const shows = ({ input }: vscode.Tab) =>
    input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString();
  return tabGroups.all.find(({ tabs }) => tabs.some(shows))?.viewColumn ?? vscode.ViewColumn.Beside;
}
