import * as vscode from "vscode";
import { isLoopback } from "../session/connection/baseUrl.ts";
import type { Connection } from "../session/connection/connection.ts";
import type { Session } from "../session/session.ts";
import { switchConnection } from "../shared/names/ids.ts";
import { visibleLine } from "../shared/text/html/visibleText.ts";
import { walletText } from "../wallet/walletText.ts";
import type { ConnectionDeps } from "./deps.ts";

/** A connection whose key is the sandbox's was stored by an earlier version. */
export async function followSandboxKeys({ connections, keys, session }: ConnectionDeps): Promise<void> {
  if (!connections.stored().some(({ baseUrl }) => isLoopback(baseUrl))) return;
  const { replaceSandboxConnections } = await import("../session/connection/sandboxKeys.ts");
  const names = await replaceSandboxConnections(connections, keys);
  if (names.length === 0) return;
  session.refresh();
  void vscode.window.showInformationMessage(
    `${names.map(visibleLine).join(", ")}: this was the sandbox, at an address that lasted as long as a window. The sandbox has taken its place. Its money is play money.`,
  );
}

/** Shows the active connection; a click switches to another. */
export function registerConnectionStatus(session: Session): vscode.Disposable {
  const item = vscode.window.createStatusBarItem("inference.connection", vscode.StatusBarAlignment.Right, 50);
  item.name = "Inference Connection";
  item.command = switchConnection;
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
  const name = connection.kind === "sandbox" ? "$(beaker) Sandbox" : `$(plug) ${connection.name}`;
  return connection.wallet ? `${name} $(credit-card)` : name;
}

function tooltipOf(connection: Connection | undefined): string {
  if (!connection) return "Inference: choose a service or the sandbox";
  const { kind, baseUrl, wallet } = connection;
  const payer = wallet ? ` Paid by a wallet: ${walletText(wallet)}.` : "";
  if (kind === "sandbox")
    return `Inference: the local sandbox answers. No key, no cost.${payer} Click to switch.`;
  return `Inference: ${baseUrl} answers.${payer} Click to switch.`;
}
