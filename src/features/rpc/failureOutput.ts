import * as vscode from "vscode";

/** The editor wraps no text of an output. */
function wrapped(text: string): string {
  const lines = text.split("\n").map((line) => line.replace(/(.{1,95})(?: +|$)/g, "$1\n").trimEnd());
  return lines.join("\n");
}

/** A sentence in place of a result. */
export function failureOutput(sentence: string): vscode.NotebookCellOutput {
  return new vscode.NotebookCellOutput([vscode.NotebookCellOutputItem.stderr(wrapped(sentence))]);
}

/** Ends a run that was not begun. */
export async function endWith(execution: vscode.NotebookCellExecution, sentence: string): Promise<void> {
  execution.start(Date.now());
  await execution.replaceOutput(failureOutput(sentence));
  execution.end(false, Date.now());
}
