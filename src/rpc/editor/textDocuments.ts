import * as vscode from "vscode";

/** Read-only virtual documents, so that closing them does not ask to save. */
export interface TextDocuments extends vscode.Disposable {
  /** Opens a text beside the notebook. The file ending in the name sets its language. */
  show(name: string, text: string): Promise<void>;
}

const scheme = "inference-rpc-text";
/** Texts in memory. Open editors keep dropped ones. */
const mostStored = 50;

export function createTextDocuments(): TextDocuments {
  const texts = new Map<string, string>();
  let count = 0;
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => texts.get(query),
  });
  return {
    async show(name, text) {
      const query = String(++count);
      texts.set(query, text);
      for (const oldest of texts.keys()) if (texts.size > mostStored) texts.delete(oldest);
      const uri = vscode.Uri.from({ scheme, path: `/${name}`, query });
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
    },
    dispose: () => provider.dispose(),
  };
}
