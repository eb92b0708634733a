import * as vscode from "vscode";

/** The text of a file in an editor with unsaved changes, also if it has not been saved at all. Undefined without one. */
export function unsavedText(uri: vscode.Uri): string | undefined {
  return vscode.workspace.textDocuments
    .find((document) => document.isDirty && isOf(document, uri))
    ?.getText();
}

/** Reports each change of the unsaved text of a file, and its end, for files whose path is of interest. */
export function onUnsavedChange(
  isWanted: (document: vscode.TextDocument) => boolean,
  listener: () => void,
): vscode.Disposable {
  const tell = (document: vscode.TextDocument) => {
    if (isWanted(document)) listener();
  };
  const { workspace } = vscode;
  return vscode.Disposable.from(
    workspace.onDidChangeTextDocument(({ document }) => tell(document)),
    workspace.onDidCloseTextDocument(tell),
  );
}

/** True if a document shows this file, or is an untitled one that will be saved as it. */
export function isOf(document: vscode.TextDocument, uri: vscode.Uri): boolean {
  const { scheme, path } = document.uri;
  return document.uri.toString() === uri.toString() || (scheme === "untitled" && path === uri.path);
}
