import * as vscode from "vscode";

const scheme = "inference-rpc-text";
/** Texts in memory. Open editors keep dropped ones. */
const mostStored = 50;

/** Read-only virtual documents, so that closing them does not ask to save. */
export class TextDocuments implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => this.#texts.get(query),
  });
  #count = 0;

  /** Opens a text beside the notebook. The file ending in the name sets its language. */
  async show(name: string, text: string): Promise<void> {
    const query = String(++this.#count);
    this.#texts.set(query, text);
    for (const oldest of this.#texts.keys()) if (this.#texts.size > mostStored) this.#texts.delete(oldest);
    const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }

  dispose(): void {
    this.#provider.dispose();
  }
}
