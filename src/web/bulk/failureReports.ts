import * as vscode from "vscode";
import { commands, resultScheme } from "../../shared/names/ids.ts";
import { type FailedRow, failureTable } from "./failureTable.ts";

/** The failures of one batch. */
interface Failures {
  /** `Pages not read`. */
  readonly title: string;
  readonly rows: readonly FailedRow[];
  /** Undefined if a retry can't help. */
  readonly retry?: () => unknown;
}

const folder = "/failed/";

/** Documents with tables of failures and a retry code lens. They are lost when the window closes. */
export class FailureReports {
  readonly #reports = new Map<string, Failures>();
  #count = 0;

  async show(failures: Failures): Promise<void> {
    this.#count += 1;
    const id = String(this.#count);
    this.#reports.set(id, failures);
    const path = `${folder}${id}/${failures.title}.md`;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: resultScheme, path }));
    await vscode.window.showTextDocument(document, { preview: false });
  }

  /** Undefined if the URI is not that of a table. */
  textOf(uri: vscode.Uri): string | undefined {
    if (this.#idOf(uri) === undefined) return undefined;
    const failures = this.#failuresAt(uri);
    return failures
      ? failureTable(failures.title, failures.rows)
      : "This table was lost when its window was closed.\n";
  }

  lensesOf(uri: vscode.Uri): vscode.CodeLens[] {
    const failures = this.#failuresAt(uri);
    if (!failures?.retry) return [];
    const title = "$(refresh) Retry Failed";
    const command = { command: commands.webRetryFailed, title, arguments: [this.#idOf(uri)] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  async retry(id: unknown): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const chosen = typeof id === "string" ? id : active && this.#idOf(active);
    const failures = this.#reports.get(chosen ?? "");
    if (!failures?.retry || chosen === undefined) return;
    this.#reports.delete(chosen);
    await this.#close(chosen);
    await failures.retry();
  }

  #idOf(uri: vscode.Uri): string | undefined {
    return uri.path.startsWith(folder) ? uri.path.split("/")[2] : undefined;
  }

  #failuresAt(uri: vscode.Uri): Failures | undefined {
    return this.#reports.get(this.#idOf(uri) ?? "");
  }

  async #close(id: string): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const shown = tabs.filter(
      ({ input }) => input instanceof vscode.TabInputText && this.#idOf(input.uri) === id,
    );
    await vscode.window.tabGroups.close(shown);
  }
}
