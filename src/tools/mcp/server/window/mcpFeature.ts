import * as vscode from "vscode";
import type { DomainCommands } from "../../../../platform/editor/commands/domainCommands.ts";
import { askModally } from "../../../../platform/editor/dialogs/modal.ts";
import { readBudgets, readMcpEnabled } from "../../../../platform/settings.ts";
import { linkEnvironment } from "../../../../shared/mcpLink.ts";
import { commands, settings } from "../../../../shared/names/ids.ts";
import { SerialQueue } from "../../../../shared/serialQueue.ts";
import { documentsHere } from "../../../files/documentsHere.ts";
import { trustedFiles } from "../../../files/editorFiles.ts";
import { workspaceRoots } from "../../../files/workspaceRoots.ts";
import { createServiceTools } from "../../../serviceTools.ts";
import { createApprovals } from "./approvals.ts";
import { createCallRunner } from "./callRunner.ts";
import { clientConfigurations, type ServerCommand } from "./configurations.ts";
import type { McpDeps } from "./deps.ts";
import { createLinkFolder } from "./linkFolder.ts";
import { type LinkServer, openLinkServer } from "./linkServer.ts";

/** The window's side of the MCP server. */
export interface McpFeature extends vscode.Disposable {
  /** Opens the socket. Never rejects; a failure is shown. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The server for the editor's own MCP clients; none if the socket could not be opened. */
  definitions(): Promise<vscode.McpStdioServerDefinition[]>;
  readonly commands: DomainCommands<"tools">;
}

export function createMcpFeature(deps: McpDeps): McpFeature {
  const { session, log, extensionUri, extensionVersion, globalStorageUri, describeWrite, chain } = deps;
  const script = vscode.Uri.joinPath(extensionUri, "dist", "mcp.js").fsPath;
  const folder = createLinkFolder(vscode.Uri.joinPath(globalStorageUri, "mcp").fsPath, script);
  const tools = createServiceTools({
    budgets: readBudgets,
    session,
    files: trustedFiles,
    documents: documentsHere(session),
    folder: vscode.Uri.joinPath(globalStorageUri, "tools").fsPath,
    describeWrite,
    chain,
  });
  const runCall = createCallRunner({
    session,
    tools,
    approve: createApprovals(deps),
    roots: workspaceRoots,
  });
  let server: LinkServer | undefined;
  const queue = new SerialQueue();
  const open = async () => {
    server ??= await openLinkServer({ folder, tools, describe: describeWindow, runCall, log });
  };
  const start = () =>
    queue.run(open).catch((error: unknown) => {
      log.error(`the MCP server could not be started: ${error}`);
      void vscode.window.showErrorMessage(`The MCP server could not be started. ${error}`);
    });
  const watching = vscode.Disposable.from(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) focusedAtMs = Date.now();
      if (focused) server?.announce();
    }),
    vscode.workspace.onDidChangeWorkspaceFolders(() => server?.announce()),
  );
  const close = () => {
    server?.close();
    server = undefined;
  };
  return {
    start,
    stop: () => queue.run(close),
    async definitions() {
      await start();
      if (!server) return [];
      const env = {
        ELECTRON_RUN_AS_NODE: "1",
        [linkEnvironment.folder]: folder.path,
        [linkEnvironment.window]: server.name,
      };
      const { execPath } = process;
      return [
        new vscode.McpStdioServerDefinition("Inference Workbench", execPath, [script], env, extensionVersion),
      ];
    },
    commands: {
      async [commands.toolsCopyMcpConfiguration]() {
        if (!readMcpEnabled() && !(await turnOn())) return;
        await folder.writeLauncher();
        await pickConfiguration({ command: process.execPath, script: folder.launcher });
      },
    },
    dispose() {
      watching.dispose();
      close();
    },
  };
}

/** Asks whether MCP clients may use the tools at all. The setting starts the server in all windows. */
async function turnOn(): Promise<boolean> {
  const button = "Turn On and Continue";
  const detail = [
    "Programs on this machine, such as Claude Code and Codex, can then search the web, read pages and documents, call chains, and make pictures and speech over the active connection.",
    `You are asked here before a call costs money. This turns on the setting ${settings.toolsMcpEnabled}.`,
  ];
  const answer = await askModally("Let MCP clients use the tools?", { detail: detail.join("\n") }, button);
  if (answer !== button) return false;
  const { Global } = vscode.ConfigurationTarget;
  await vscode.workspace.getConfiguration().update(settings.toolsMcpEnabled, true, Global);
  return true;
}

let focusedAtMs = Date.now();

function describeWindow() {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return { folders: folders.map(({ uri }) => uri.fsPath), focusedAtMs };
}

/** Asks for the client, and copies its configuration. It contains no token and no key. */
async function pickConfiguration(server: ServerCommand): Promise<void> {
  const picked = await vscode.window.showQuickPick([...clientConfigurations], {
    title: "Copy MCP Configuration",
    placeHolder: "The client that is to use the tools of this service",
  });
  if (!picked) return;
  await vscode.env.clipboard.writeText(picked.text(server, process.platform === "win32"));
  void vscode.window.showInformationMessage(
    `The configuration for ${picked.label} was copied. ${picked.detail}.`,
  );
}
