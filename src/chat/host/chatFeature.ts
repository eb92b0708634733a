import { homedir } from "node:os";
import { dirname } from "node:path";
import * as vscode from "vscode";
import type { AgentPlaces } from "../../agents/agentPlaces.ts";
import { openAgentPlaces } from "../../agents/openAgentPlaces.ts";
import type { DomainCommands } from "../../platform/editor/commands/domainCommands.ts";
import { LastEditor } from "../../platform/editor/lastEditor.ts";
import { TextDocuments } from "../../platform/editor/textDocuments.ts";
import { createBlobStore } from "../../platform/files/blobStore.ts";
import { readUserSetting } from "../../platform/settings.ts";
import { messageOf } from "../../shared/messageOf.ts";
import { commandSettings, commands, contexts, views } from "../../shared/names/ids.ts";
import { stringsIn } from "../../shared/stringIn.ts";
import { HomeFiles } from "../../tools/files/homeFiles.ts";
import { openMcpServers } from "../../tools/mcp/client/openMcpServers.ts";
import type { AgentWindow } from "./acp/agentWindow.ts";
import { createWindowAgents } from "./acp/windowAgents.ts";
import { createCurrentFile } from "./attachments/sources/currentFile.ts";
import { createEditorSources } from "./attachments/sources/editorSources.ts";
import { createProposals } from "./code/proposals.ts";
import type { ChatDeps } from "./deps.ts";
import { createModelPreferences } from "./model/modelPreferences.ts";
import { createEditorPrompt, type PromptHome } from "./prompt/editorPrompt.ts";
import { createCommandRuns } from "./tools/commands/commandRuns.ts";
import { CommandSandbox } from "./tools/commands/sandbox/commandSandbox.ts";
import { tellMissingSandbox } from "./tools/commands/sandbox/tellMissingSandbox.ts";
import { createEditorTools } from "./tools/editorTools.ts";
import { blobsUri, type ChatSurface, createChatSurface, type SharedParts } from "./view/chatSurface.ts";
import { type ChatTabs, createChatTabs } from "./view/chatTabs.ts";

/** Which chat a command acts on: `active` is the chat of the active editor tab, or else that of the side bar. */
type ChatTarget = "sideBar" | "active";

/** The chat in the editor: view, tabs, commands and files. Commands act on the active chat. */
export interface ChatFeature extends vscode.Disposable {
  show(view: vscode.WebviewView): void;
  readonly tabs: ChatTabs;
  readonly commands: DomainCommands<"chat">;
}

const currentChatKey = "chat.current";

export function createChatFeature(deps: ChatDeps): ChatFeature {
  const runs = createCommandRuns(() => vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, sandboxHere(deps));
  const home = homeOf(deps);
  const servers = openMcpServers(deps);
  const agents = openAgentPlaces(deps.consents);
  const shared: SharedParts = {
    deps,
    home: home.files,
    blobs: createBlobStore(blobsUri(deps).fsPath),
    editor: createEditorSources(),
    currentFile: createCurrentFile(),
    preferences: createModelPreferences(deps.globalState),
    tools: createEditorTools({
      ...{ ...deps, runs, servers, home: home.files },
      worktrees: vscode.Uri.joinPath(deps.globalStorageUri, "worktrees").fsPath,
    }),
    prompt: createEditorPrompt(deps.changes, home),
    agents,
    proposals: createProposals(deps.review),
    lastEditor: new LastEditor(),
    runs,
    told: new TextDocuments("inference-told", vscode.ViewColumn.Active),
    agentWindow: agentsHere(deps, agents),
  };
  /** The chats with a running answer. */
  const busy = new Set<ChatSurface>();
  const setBusy = (surface: ChatSurface, isBusy: boolean) => {
    if (isBusy) busy.add(surface);
    else busy.delete(surface);
    void vscode.commands.executeCommand("setContext", contexts.chatBusy, busy.size > 0);
  };
  const sideBar: ChatSurface = createChatSurface(shared, {
    current: {
      get: () => deps.workspaceState.get(currentChatKey),
      set: (id) => deps.workspaceState.update(currentChatKey, id),
    },
    onBusy: (isBusy) => setBusy(sideBar, isBusy),
    reveal: () => vscode.commands.executeCommand(`${views.chat}.focus`),
  });
  const { controller } = sideBar;
  const tabs = createChatTabs(shared, setBusy);
  const chatAt = (place: ChatTarget) => (place === "active" && tabs.active) || sideBar;
  const listening = deps.handoff.onDidOffer(() => {
    for (const offer of deps.handoff.take()) void controller.takeOffer(offer);
  });
  return {
    tabs,
    show: (view) => sideBar.show(toPlace(view)),
    commands: {
      async [commands.chatNew](...args) {
        const chat = chatAt(targetOf(args));
        await chat.controller.newChat();
        // The side bar may show another view container.
        if (chat === sideBar) await vscode.commands.executeCommand(`${views.chat}.focus`);
      },
      // A conversation with a running answer stays in the side bar, too.
      async [commands.chatOpenInTab](...args) {
        // The usage dashboard names one.
        const [named] = args;
        if (typeof named === "string") return tabs.open(named);
        tabs.open(sideBar.conversationId);
        if (!busy.has(sideBar)) await controller.newChat();
      },
      [commands.chatNewInTab]: () => tabs.open(),
      // Stops the answer of the active chat. If it has none, stops the answers of the other chats.
      [commands.chatStop]() {
        const active = chatAt("active");
        for (const chat of busy.has(active) ? [active] : busy) chat.controller.stop();
      },
      [commands.chatShowHistory]: (...args) => chatAt(targetOf(args)).history.show(),
      [commands.chatExport]: () => chatAt("active").history.exportChat(),
      [commands.chatImport]: () => chatAt("active").history.importChats(),
    },
    dispose() {
      const { lastEditor, told } = shared;
      for (const part of [listening, tabs, sideBar, lastEditor, told, runs, servers]) part.dispose();
    },
  };
}

/** The editor's folder of the user has that of this extension in its folder `globalStorage`. */
function homeOf({ globalStorageUri }: ChatDeps): PromptHome {
  return { files: new HomeFiles(homedir()), editorFolder: dirname(dirname(globalStorageUri.fsPath)) };
}

function agentsHere(
  { session, changes, globalStorageUri, extensionVersion }: ChatDeps,
  places: AgentPlaces,
): AgentWindow {
  return createWindowAgents({
    ...{ session, changes, places, version: extensionVersion, env: process.env },
    storage: vscode.Uri.joinPath(globalStorageUri, "agents").fsPath,
  });
}

/** The sandbox of this window. The folder of the MCP server has what lets a program call the window's tools. */
function sandboxHere({ globalState, globalStorageUri, log }: ChatDeps): CommandSandbox {
  return new CommandSandbox({
    isWanted: () => readUserSetting(commandSettings.chatSandboxCommands) !== "off",
    workspaceFolders: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
        uri.scheme === "file" ? [uri.fsPath] : [],
      ),
    writableFolders: () => stringsIn(readUserSetting(commandSettings.chatWritableFolders)),
    hidden: [vscode.Uri.joinPath(globalStorageUri, "mcp").fsPath],
    onMissing: (missing) =>
      void tellMissingSandbox(globalState, missing).catch((error: unknown) => log.warn(messageOf(error))),
  });
}

/**
 * Where a command acts. The title bar of a view passes one argument, `undefined`. The title bar of an editor passes two,
 * and its editor is active. The command palette and key bindings pass none.
 */
function targetOf(args: readonly unknown[]): ChatTarget {
  return args.length === 1 && args[0] === undefined ? "sideBar" : "active";
}

function toPlace(view: vscode.WebviewView) {
  return {
    webview: view.webview,
    isVisible: () => view.visible,
    setBadge(tooltip: string | undefined) {
      view.badge = tooltip === undefined ? undefined : { tooltip, value: 1 };
    },
    onDidChangeVisibility: (listener: () => void) => view.onDidChangeVisibility(listener),
    onDidDispose: (listener: () => void) => view.onDidDispose(listener),
  };
}
