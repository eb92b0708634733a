import * as vscode from "vscode";
import { resultScheme } from "../../shared/names/ids.ts";

/** Where text is inserted: a document, with the cursors or selections in it. */
export interface InsertTarget {
  readonly document: vscode.TextDocument;
  readonly selections: readonly vscode.Selection[];
}

/** Remembers the text editor in which the user wrote last, because a page of ours takes the focus and may cover it. */
export class LastEditor implements vscode.Disposable {
  #last: InsertTarget | undefined;
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    this.#last = shownTarget();
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#update(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#update(textEditor)),
    );
  }

  /** Undefined if its document was closed, and no other one is shown. */
  get target(): InsertTarget | undefined {
    if (this.#last && isOpen(this.#last.document)) return this.#last;
    return shownTarget();
  }

  #update(editor: vscode.TextEditor | undefined): void {
    if (editor && isWritten(editor)) this.#last = targetOf(editor);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** The active editor; else one that is visible beside what has the focus. */
export function shownTarget(): InsertTarget | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  const editor = editors.find(isWritten);
  return editor && targetOf(editor);
}

function targetOf({ document, selections }: vscode.TextEditor): InsertTarget {
  return { document, selections };
}

/** Not one that shows a result, nor an output channel, which is a text editor, too. */
function isWritten({ document }: vscode.TextEditor): boolean {
  return ![resultScheme, "output"].includes(document.uri.scheme);
}

/** The editor keeps a document for minutes after its tab was closed. */
function isOpen(document: vscode.TextDocument): boolean {
  const uri = document.uri.toString();
  const { visibleTextEditors, tabGroups } = vscode.window;
  if (document.isClosed) return false;
  if (visibleTextEditors.some((editor) => editor.document === document)) return true;
  return tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri),
  );
}
