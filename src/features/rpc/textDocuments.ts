import * as vscode from "vscode";

/** Texts in editors that are no files: nobody is asked to save them. */
export interface TextDocuments extends vscode.Disposable {
  /** Opens a text beside the notebook; the name's ending says its language. */
  show(name: string, text: string): Promise<void>;
}

const scheme = "inference-rpc-text";
/** An editor that is still open keeps what it shows. */
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
