import * as vscode from "vscode";
import { exactText } from "../../shared/exactJson.ts";
import { type RpcOutput, rpcOutputMime } from "../../shared/rpcOutput.ts";
import { outputText } from "./run/output.ts";

/** An output in three forms: ours, plain text and JSON. */
export function toCellOutput(output: RpcOutput): vscode.NotebookCellOutput {
  const results = output.lines.map(({ outcome, network, method }) => ({ network, method, ...outcome }));
  const { text } = vscode.NotebookCellOutputItem;
  return new vscode.NotebookCellOutput(
    [
      text(exactText(output), rpcOutputMime),
      text(outputText(output), "text/plain"),
      text(exactText(results, 2), "application/json"),
    ],
    { runId: output.runId },
  );
}
