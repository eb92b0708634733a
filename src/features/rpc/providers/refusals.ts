import * as vscode from "vscode";
import type { RpcLine } from "../../../shared/rpcOutput.ts";
import type { RpcController } from "../controller.ts";

/** Marks the lines that the service refused in the last run, until their cell is changed or run again. */
export function registerRefusals({ onDidRun }: Pick<RpcController, "onDidRun">): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("inference-rpc-refused");
  return vscode.Disposable.from(
    collection,
    onDidRun(({ cell, output }) => {
      const lines = output?.lines ?? [];
      collection.set(
        cell.document.uri,
        lines.flatMap((line) => toDiagnostics(cell.document, line)),
      );
    }),
    // The URIs of cells can be reused by the next notebook.
    vscode.workspace.onDidCloseNotebookDocument((notebook) => {
      for (const { document } of notebook.getCells()) collection.delete(document.uri);
    }),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (collection.has(document.uri)) collection.delete(document.uri);
    }),
  );
}

function toDiagnostics(document: vscode.TextDocument, { line, outcome }: RpcLine): vscode.Diagnostic[] {
  if (outcome.kind !== "unsent" || !outcome.refused || line >= document.lineCount) return [];
  const diagnostic = new vscode.Diagnostic(document.lineAt(line).range, outcome.reason);
  diagnostic.source = "Inference RPC";
  return [diagnostic];
}
