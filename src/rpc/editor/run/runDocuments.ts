import * as vscode from "vscode";
import { exactJsonText } from "../../../shared/text/json/exactJson.ts";
import type { LineOutcome } from "../../run/round.ts";
import type { History, PastRun } from "./history.ts";

const scheme = "inference-rpc-result";

/** Complete results and runs as virtual documents. */
export function registerRunDocuments(history: History): vscode.Disposable {
  return vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: (uri) => contentOf(history, uri),
  });
}

/** Opens one result of a run in an editor; with an empty key the complete run. */
export async function showResult(history: History, runId: string, key: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(uriOf(history, runId, key));
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

export async function showComparison(
  history: History,
  before: PastRun,
  now: PastRun,
  title: string,
): Promise<void> {
  const [left, right] = [before, now].map(({ output }) => uriOf(history, output.runId, ""));
  await vscode.commands.executeCommand("vscode.diff", left, right, title);
}

/** Named after the method, because tabs show the name. */
function uriOf(history: History, runId: string, key: string): vscode.Uri {
  const lines = history.find(runId)?.run.output.lines ?? [];
  const line = lines.find((one) => one.key === key);
  const name = line?.name ?? line?.method ?? "run";
  return vscode.Uri.from({
    scheme,
    path: `/${name.replaceAll(/\W/g, "_")}.json`,
    query: JSON.stringify([runId, key]),
  });
}

function contentOf(history: History, { query }: vscode.Uri): string {
  const [runId, key] = JSON.parse(query) as [string, string];
  const found = history.find(runId);
  if (!found)
    return "This run is no longer stored, because only the last 20 runs of a cell are. Run the cell again.";
  const isCut = (one: LineOutcome | undefined) => one?.kind === "result" && one.cut === true;
  const shown = key ? [found.run.outcomes.get(key)] : [...found.run.outcomes.values()];
  const note = shown.some(isCut)
    ? "// Cut off, because runs of earlier windows are stored up to a limit. Run the cell again to see all of it.\n"
    : "";
  return note + exactJsonText(key ? plainOutcome(found.run.outcomes.get(key)) : wholeRun(found.run), 2);
}

function wholeRun({ output, outcomes }: PastRun): unknown {
  return output.lines.map(({ key, network, source }) => ({ network, request: source, ...outcomes.get(key) }));
}

function plainOutcome(outcome: LineOutcome | undefined): unknown {
  return outcome?.kind === "result" ? outcome.value : (outcome ?? null);
}
