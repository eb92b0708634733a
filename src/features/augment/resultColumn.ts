import * as vscode from "vscode";
import { resultScheme } from "../../shared/ids.ts";

/**
 * Where a result is shown: where it is open already, else beside the text that is being worked on, and with other
 * results once there are some.
 */
export function resultColumn(uri: vscode.Uri): vscode.ViewColumn {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const shows = (tab: vscode.Tab) =>
    tab.input instanceof vscode.TabInputText && tab.input.uri.toString() === uri.toString();
  const open = all.find(({ tabs }) => tabs.some(shows));
  if (open) return open.viewColumn;
  const { activeTab } = activeTabGroup;
  return !activeTab || isResult(activeTab) ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
}

function isResult({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputText && [resultScheme, "untitled"].includes(input.uri.scheme);
}
