import * as vscode from "vscode";
import { resultScheme } from "../../shared/names/ids.ts";

/** Where text is inserted: a document, with the cursors or selections in it. */
export type InsertTarget = Pick<vscode.TextEditor, "document" | "selections">;

/** Remembers the text editor in which the user wrote last, because a page of ours takes the focus and may cover it. */
export class LastEditor implements vscode.Disposable {
  /** It keeps its selections when it is covered. */
  #last: vscode.TextEditor | undefined;
  readonly #subscriptions: vscode.Disposable;

  constructor() {
    this.#last = shownEditor();
    this.#subscriptions = vscode.Disposable.from(
      vscode.window.onDidChangeActiveTextEditor((editor) => this.#update(editor)),
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.#update(textEditor)),
    );
  }

  /** Undefined if its document was closed, and no other one is shown. */
  get target(): InsertTarget | undefined {
    this.#update(vscode.window.activeTextEditor);
    return this.#last && isOpen(this.#last.document) ? this.#last : shownEditor();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #update(editor: vscode.TextEditor | undefined): void {
    if (editor && isWritten(editor)) this.#last = editor;
  }
}

/** The active editor; else one that is visible beside what has the focus. */
function shownEditor(): vscode.TextEditor | undefined {
  const { activeTextEditor, visibleTextEditors } = vscode.window;
  const editors = activeTextEditor ? [activeTextEditor, ...visibleTextEditors] : visibleTextEditors;
  return editors.find(isWritten);
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
