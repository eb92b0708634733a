import * as vscode from "vscode";
import type { Connection } from "../../session/connection.ts";
import type { Session } from "../../session/session.ts";
import { commands } from "../../shared/ids.ts";

/** Shows which service answers; a click switches. */
export function registerConnectionStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("inference.connection", vscode.StatusBarAlignment.Right, 50);
  item.name = "Inference Connection";
  item.command = commands.connectionSwitch;
  const show = (connection: Connection | undefined) => {
    item.text = textOf(connection);
    item.tooltip = tooltipOf(connection);
    item.accessibilityInformation = { label: `Inference connection: ${connection?.name ?? "none"}` };
    item.show();
  };
  show(session.active);
  return vscode.Disposable.from(item, session.onDidChangeActive(show));
}

function textOf(connection: Connection | undefined): string {
  if (!connection) return "$(plug) No connection";
  return connection.kind === "sandbox" ? "$(beaker) Sandbox" : `$(plug) ${connection.name}`;
}

function tooltipOf(connection: Connection | undefined): string {
  if (!connection) return "Inference: choose a service or the sandbox";
  if (connection.kind === "sandbox")
    return "Inference: the local sandbox answers. No key, no cost. Click to switch.";
  return `Inference: ${connection.baseUrl} answers. Click to switch.`;
}
