import * as vscode from "vscode";
import { chatTab, commands, views } from "../../shared/ids.ts";
import type { ChatFeature, ChatTarget } from "./chatFeature.ts";
import type { ChatDeps } from "./deps.ts";

/** Registers the chat view and its commands. The feature is loaded when the view is shown or a command is run. */
export function registerChat(deps: ChatDeps): vscode.Disposable {
  let loading: Promise<ChatFeature> | undefined;
  let loaded: ChatFeature | undefined;
  const load = async () => {
    const { createChatFeature } = await import("./chatFeature.ts");
    loaded = createChatFeature(deps);
    return loaded;
  };
  const host = () => {
    loading ??= load();
    return loading;
  };
  const command = (id: string, run: (chat: ChatFeature, ...args: unknown[]) => void | Promise<void>) =>
    vscode.commands.registerCommand(id, async (...args: unknown[]) => run(await host(), ...args));
  return vscode.Disposable.from(
    vscode.window.registerWebviewViewProvider(views.chat, {
      resolveWebviewView: async (view) => (await host()).show(view),
    }),
    command(commands.chatNew, (chat, ...args) => chat.newChat(placeOf(args))),
    vscode.window.registerWebviewPanelSerializer(chatTab, {
      async deserializeWebviewPanel(panel, state: unknown) {
        (await host()).tabs.restore(panel, conversationIn(state));
      },
    }),
    command(commands.chatOpenInTab, (chat) => chat.openInTab()),
    command(commands.chatNewTab, (chat) => chat.tabs.open()),
    command(commands.chatStop, (chat) => chat.stop()),
    command(commands.chatHistory, (chat, ...args) => chat.showHistory(placeOf(args))),
    command(commands.chatExport, (chat) => chat.exportChat()),
    command(commands.chatImport, (chat) => chat.importChats()),
    command(commands.proposalAccept, (chat) => chat.proposals.accept()),
    command(commands.proposalReject, (chat) => chat.proposals.reject()),
    // Synchronous: after this returns the process may end, and unwritten changes are lost.
    { dispose: () => loaded?.dispose() },
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
