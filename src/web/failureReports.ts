import * as vscode from "vscode";
import { commands, resultScheme } from "../shared/ids.ts";
import { type FailedRow, failureTable } from "./failureTable.ts";

/** The failures of one batch. */
interface Failures {
  /** `Pages not read`. */
  readonly title: string;
  readonly rows: readonly FailedRow[];
  /** Undefined if a retry can't help. */
  readonly retry?: () => unknown;
}

/** Documents with tables of failures and a retry code lens. They are lost when the window closes. */
export interface FailureReports {
  show(failures: Failures): Promise<void>;
  /** Undefined if the URI is not that of a table. */
  textOf(uri: vscode.Uri): string | undefined;
  lensesOf(uri: vscode.Uri): vscode.CodeLens[];
  retry(id: unknown): Promise<void>;
}

const folder = "/failed/";

export function createFailureReports(): FailureReports {
  const reports = new Map<string, Failures>();
  let count = 0;
  const idOf = (uri: vscode.Uri) => (uri.path.startsWith(folder) ? uri.path.split("/")[2] : undefined);
  const failuresAt = (uri: vscode.Uri) => reports.get(idOf(uri) ?? "");
  const close = async (id: string) => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(({ input }) => input instanceof vscode.TabInputText && idOf(input.uri) === id);
    await vscode.window.tabGroups.close(shown);
  };
  return {
    async show(failures) {
      count += 1;
      const id = String(count);
      reports.set(id, failures);
      const path = `${folder}${id}/${failures.title}.md`;
      const document = await vscode.workspace.openTextDocument(
        vscode.Uri.from({ scheme: resultScheme, path }),
      );
      await vscode.window.showTextDocument(document, { preview: false });
    },
    textOf(uri) {
      if (idOf(uri) === undefined) return undefined;
      const failures = failuresAt(uri);
      return failures
        ? failureTable(failures.title, failures.rows)
        : "This table was lost when its window was closed.\n";
    },
    lensesOf(uri) {
      const failures = failuresAt(uri);
      if (!failures?.retry) return [];
      const title = "$(refresh) Retry Failed";
      const command = { command: commands.webRetryFailed, title, arguments: [idOf(uri)] };
      return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
    },
    async retry(id) {
      const active = vscode.window.activeTextEditor?.document.uri;
      const chosen = typeof id === "string" ? id : active && idOf(active);
      const failures = reports.get(chosen ?? "");
      if (!failures?.retry || chosen === undefined) return;
      reports.delete(chosen);
      await close(chosen);
      await failures.retry();
    },
  };
}
