import * as vscode from "vscode";
import { registerFeatureCommands } from "../../platform/editor/featureCommands.ts";
import { Lazy } from "../../platform/lazy.ts";
import { chatTab, commands, views } from "../../shared/ids.ts";
import type { ChatTarget } from "./chatFeature.ts";
import type { ChatDeps } from "./deps.ts";

/** Registers the chat view and its commands. The feature is loaded when the view is shown or a command is run. */
export function registerChat(deps: ChatDeps): vscode.Disposable {
  const feature = new Lazy(async () => (await import("./chatFeature.ts")).createChatFeature(deps));
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(views.chat, {
      resolveWebviewView: async (view) => (await feature.get()).show(view),
    }),
    vscode.window.registerWebviewPanelSerializer(chatTab, {
      async deserializeWebviewPanel(panel, state: unknown) {
        (await feature.get()).tabs.restore(panel, conversationIn(state));
      },
    }),
    registerFeatureCommands(feature, {
      [commands.chatNew]: (chat, ...args) => chat.newChat(placeOf(args)),
      [commands.chatOpenInTab]: (chat) => chat.openInTab(),
      [commands.chatNewInTab]: (chat) => chat.tabs.open(),
      [commands.chatStop]: (chat) => chat.stop(),
      [commands.chatShowHistory]: (chat, ...args) => chat.showHistory(placeOf(args)),
      [commands.chatExport]: (chat) => chat.exportChat(),
      [commands.chatImport]: (chat) => chat.importChats(),
      [commands.chatAcceptProposal]: (chat) => chat.proposals.accept(),
      [commands.chatRejectProposal]: (chat) => chat.proposals.reject(),
    }),
    // Synchronous: after this returns the process may end, and unwritten changes are lost.
    feature,
  );
}

/**
 * Where a command acts. The title bar of a view passes one argument, `undefined`. The title bar of an editor passes two,
 * and its editor is active. The command palette and key bindings pass none.
 */
function placeOf(args: readonly unknown[]): ChatTarget {
  return args.length === 1 && args[0] === undefined ? "sideBar" : "active";
}

/** The conversation that a restored tab showed, from the state of its page. */
function conversationIn(state: unknown): string | undefined {
  const isStored = typeof state === "object" && state !== null && "conversationId" in state;
  return isStored && typeof state.conversationId === "string" ? state.conversationId : undefined;
}
