import * as vscode from "vscode";
import { commands, resultScheme } from "../../shared/ids.ts";
import { type FailedRow, failureTable } from "./failureTable.ts";

/** What failed of many, with the way to try that again. */
interface Failures {
  /** `Pages that could not be scraped`. */
  readonly title: string;
  readonly rows: readonly FailedRow[];
  /** Undefined where trying again can't help. */
  readonly retry?: () => unknown;
}

/** Tables of what failed, each a document with a button above it. They last as long as the window. */
export interface FailureReports {
  show(failures: Failures): Promise<void>;
  /** The text of the table at this address; undefined where it is none. */
  textOf(uri: vscode.Uri): string | undefined;
  lensesOf(uri: vscode.Uri): vscode.CodeLens[];
  retry(id: unknown): Promise<void>;
}

const folder = "/failed/";

export function createFailureReports(): FailureReports {
  const boards = new Map<string, Failures>();
  let count = 0;
  const idOf = (uri: vscode.Uri) => (uri.path.startsWith(folder) ? uri.path.split("/")[2] : undefined);
  const failuresAt = (uri: vscode.Uri) => boards.get(idOf(uri) ?? "");
  const close = async (id: string) => {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(({ input }) => input instanceof vscode.TabInputText && idOf(input.uri) === id);
    await vscode.window.tabGroups.close(shown);
  };
  return {
    async show(failures) {
      count += 1;
      const id = String(count);
      boards.set(id, failures);
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
        : "This table was lost with its window.\n";
    },
    lensesOf(uri) {
      const failures = failuresAt(uri);
      if (!failures?.retry) return [];
      const title = "$(refresh) Retry Failed";
      const command = { command: commands.failuresRetry, title, arguments: [idOf(uri)] };
      return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
    },
    async retry(id) {
      const active = vscode.window.activeTextEditor?.document.uri;
      const chosen = typeof id === "string" ? id : active && idOf(active);
      const failures = boards.get(chosen ?? "");
      if (!failures?.retry || chosen === undefined) return;
      boards.delete(chosen);
      await close(chosen);
      await failures.retry();
    },
  };
}
