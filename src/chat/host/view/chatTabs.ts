import * as vscode from "vscode";
import { tabIcon } from "../../../platform/editor/webviewPage.ts";
import { chatTab } from "../../../shared/names/ids.ts";
import { type ChatSurface, createChatSurface, type SharedParts } from "./chatSurface.ts";

/** Chats in editor tabs, each with its own conversation. */
export interface ChatTabs extends vscode.Disposable {
  /** Opens a tab with this conversation, or with a new one. */
  open(conversationId?: string): void;
  /** Fills a tab that the editor has restored after a reload. */
  restore(panel: vscode.WebviewPanel, conversationId: string | undefined): void;
  /** The chat of the active tab. */
  readonly active: ChatSurface | undefined;
}

export function createChatTabs(
  shared: SharedParts,
  setBusy: (surface: ChatSurface, isBusy: boolean) => void,
): ChatTabs {
  const surfaces = new Map<vscode.WebviewPanel, ChatSurface>();

  const fill = (panel: vscode.WebviewPanel, conversationId: string | undefined) => {
    let current = conversationId;
    let isMarked = false;
    const retitle = () => {
      panel.title = `${isMarked ? "● " : ""}${surface.title || "Chat"}`;
    };
    const surface: ChatSurface = createChatSurface(shared, {
      current: {
        get: () => current,
        set: async (id) => {
          current = id;
          retitle();
        },
      },
      onBusy(isBusy) {
        setBusy(surface, isBusy);
        retitle();
      },
      reveal: async () => panel.reveal(),
    });
    surfaces.set(panel, surface);
    panel.iconPath = tabIcon(shared.deps.extensionUri);
    panel.onDidDispose(() => {
      surfaces.delete(panel);
      setBusy(surface, false);
      surface.dispose();
    });
    surface.show({
      webview: panel.webview,
      isVisible: () => panel.visible,
      setBadge(tooltip) {
        isMarked = tooltip !== undefined;
        retitle();
      },
      onDidChangeVisibility: (listener) => panel.onDidChangeViewState(listener),
      onDidDispose: (listener) => panel.onDidDispose(listener),
    });
  };
  return {
    open(conversationId) {
      const column = vscode.ViewColumn.Active;
      fill(vscode.window.createWebviewPanel(chatTab, "Chat", column), conversationId);
    },
    restore: fill,
    get active() {
      return [...surfaces].find(([panel]) => panel.active)?.[1];
    },
    dispose() {
      for (const surface of surfaces.values()) surface.dispose();
      surfaces.clear();
    },
  };
}
