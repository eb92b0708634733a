import * as vscode from "vscode";

/** Texts in memory. Open editors keep dropped ones. */
const mostStored = 50;

/** Read-only virtual documents, so that closing them does not ask to save. */
export class TextDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #scheme: string;
  readonly #column: vscode.ViewColumn;
  readonly #provider: vscode.Disposable;
  #count = 0;

  /** `scheme` is of this list alone. */
  constructor(scheme: string, column: vscode.ViewColumn) {
    this.#scheme = scheme;
    this.#column = column;
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: ({ query }) => this.#texts.get(query),
    });
  }

  /** Opens a text. The file ending in the name sets its language. */
  async show(name: string, text: string): Promise<void> {
    const query = String(++this.#count);
    this.#texts.set(query, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > mostStored) this.#texts.delete(oldest);
    const uri = vscode.Uri.from({ scheme: this.#scheme, path: `/${name}`, query });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: this.#column });
  }

  dispose(): void {
    this.#provider.dispose();
  }
}
