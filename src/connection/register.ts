import * as vscode from "vscode";
import { tickTour } from "../platform/editor/tour.ts";
import { Lazy } from "../platform/lazy.ts";
import type { Connection } from "../session/connection/connection.ts";
import { sandboxConnection } from "../session/connection/connections.ts";
import { focusChat } from "../session/focusChat.ts";
import type { Session } from "../session/session.ts";
import { commands, contexts, settings } from "../shared/ids.ts";
import type { ConnectionDeps } from "./deps.ts";

/** Sign-in and connection commands. Their implementation is loaded on first use. */
export function registerConnection(deps: ConnectionDeps): vscode.Disposable {
  const { connections, session } = deps;
  const command = (id: string, run: () => Promise<unknown>) => vscode.commands.registerCommand(id, run);
  const showState = () => {
    const { active } = session;
    if (active) tickTour("connected");
    return vscode.commands.executeCommand("setContext", contexts.connection, active?.kind ?? "none");
  };
  void showState();
  const diagnosis = new Lazy(async () => (await import("./showDiagnosis.ts")).createDiagnosis(deps));
  return vscode.Disposable.from(
    registerConnectionStatus(session),
    session.onDidChangeActive(showState),
    command(commands.connectionSignIn, async () => {
      const { signIn } = await import("./signIn.ts");
      if (await signIn(deps)) await focusChat();
    }),
    command(commands.connectionUseSandbox, async () => {
      await connections.setActive(sandboxConnection.id);
      session.refresh();
      await focusChat();
    }),
    command(commands.connectionUseLocalModel, async () =>
      (await import("./localModel.ts")).useLocalModel(deps),
    ),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration(settings.sandboxModelServers)) return;
      await (await import("./localModel.ts")).reportWrongServers();
    }),
    command(commands.connectionSwitch, async () => (await import("./manage.ts")).switchConnection(deps)),
    command(commands.connectionRename, async () => (await import("./manage.ts")).renameConnection(deps)),
    command(commands.connectionChangeUrl, async () => (await import("./manage.ts")).changeBaseUrl(deps)),
    command(commands.connectionSignOut, async () => (await import("./manage.ts")).signOut(deps)),
    command(commands.connectionDiagnose, async () => (await diagnosis.get()).show()),
    diagnosis,
  );
}

/** Shows the active connection; a click switches to another. */
function registerConnectionStatus(session: Session): vscode.Disposable {
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
