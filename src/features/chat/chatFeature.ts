import * as vscode from "vscode";
import { contexts, views } from "../../shared/ids.ts";
import { createBlobStore } from "./attachments/blobStore.ts";
import { createCurrentFile } from "./attachments/currentFile.ts";
import { createEditorSources } from "./attachments/editorSources.ts";
import { blobsUri, createChatSurface, type SharedParts } from "./chatSurface.ts";
import { type ChatTabs, createChatTabs } from "./chatTabs.ts";
import { createProposals, type Proposals } from "./code/proposals.ts";
import type { ChatDeps } from "./deps.ts";
import { createModelPreferences } from "./modelPreferences.ts";
import { createEditorTools } from "./tools/editorTools.ts";

/** The chat in the editor: view, tabs, commands and files. */
export interface ChatFeature extends vscode.Disposable {
  show(view: vscode.WebviewView): void;
  newChat(): Promise<void>;
  showHistory(): Promise<void>;
  exportChat(): Promise<void>;
  importChats(): Promise<void>;
  stop(): void;
  /** Moves the side bar's conversation into a tab. A conversation with a running answer stays in the side bar, too. */
  openInTab(): Promise<void>;
  readonly tabs: ChatTabs;
  /** Code that was applied to a file and waits to be accepted or rejected. */
  readonly proposals: Pick<Proposals, "accept" | "reject">;
}

const currentChatKey = "chat.current";

export function createChatFeature(deps: ChatDeps): ChatFeature {
  const proposals = createProposals();
  const shared: SharedParts = {
    deps,
    blobs: createBlobStore(blobsUri(deps).fsPath),
    editor: createEditorSources(),
    currentFile: createCurrentFile(),
    preferences: createModelPreferences(deps.globalState),
    tools: createEditorTools(deps),
    proposals,
  };
  let isBusy = false;
  const sideBar = createChatSurface(shared, {
    current: {
      get: () => deps.workspaceState.get(currentChatKey),
      set: (id) => deps.workspaceState.update(currentChatKey, id),
    },
    onBusy(busy) {
      isBusy = busy;
      void vscode.commands.executeCommand("setContext", contexts.chatBusy, busy);
    },
    reveal: () => vscode.commands.executeCommand(`${views.chat}.focus`),
  });
  const { controller, history } = sideBar;
  const tabs = createChatTabs(shared);
  const listening = deps.handoff.onDidOffer(() => {
    for (const offer of deps.handoff.take()) void controller.takeOffer(offer);
  });
  return {
    proposals,
    tabs,
    show: (view) => sideBar.show(toPlace(view)),
    async newChat() {
      await controller.newChat();
      // The side bar may show another view container.
      await vscode.commands.executeCommand(`${views.chat}.focus`);
    },
    showHistory: () => history.show(),
    exportChat: () => history.exportChat(),
    importChats: () => history.importChats(),
    stop: () => controller.stop(),
    async openInTab() {
      tabs.open(sideBar.conversationId);
      if (!isBusy) await controller.newChat();
    },
    dispose() {
      listening.dispose();
      tabs.dispose();
      sideBar.dispose();
      proposals.dispose();
    },
  };
}

function toPlace(view: vscode.WebviewView) {
  return {
    webview: view.webview,
    isVisible: () => view.visible,
    onDidChangeVisibility: (listener: () => void) => view.onDidChangeVisibility(listener),
    onDidDispose: (listener: () => void) => view.onDidDispose(listener),
  };
}
