import * as vscode from "vscode";
import { commands } from "../../shared/ids.ts";

/** Keys, usage and limits of the account, and the budgets. */
export function registerAccount(): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand(commands.budgetEdit, () =>
      vscode.commands.executeCommand("workbench.action.openSettings", "inference.budget"),
    ),
  );
}
