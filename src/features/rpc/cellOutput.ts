import * as vscode from "vscode";
import { exactJsonText } from "../../shared/exactJson.ts";
import { type RpcOutput, rpcOutputMime } from "../../shared/rpcOutput.ts";
import { outputText } from "./run/shortText.ts";

/** An output in three forms: ours, plain text and JSON. */
export function toCellOutput(output: RpcOutput): vscode.NotebookCellOutput {
  const results = output.lines.map(({ outcome, network, method }) => ({ network, method, ...outcome }));
  const { text } = vscode.NotebookCellOutputItem;
  return new vscode.NotebookCellOutput(
    [
      text(exactJsonText(output), rpcOutputMime),
      text(outputText(output), "text/plain"),
      text(exactJsonText(results, 2), "application/json"),
    ],
    { runId: output.runId },
  );
}

/** Whether all that a run asked has a result. */
export function isFine({ lines, problem }: RpcOutput): boolean {
  return problem === undefined && lines.every(({ outcome }) => outcome.kind === "result");
}
