import * as vscode from "vscode";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import type { ChatController } from "../chatController.ts";
import { conversationFiles, LogUnreadable, writeNewLog } from "./conversationFiles.ts";
import type { ConversationStore } from "./conversationStore.ts";
import { createHistoryController, type HistoryController } from "./historyController.ts";
import { exportConversation, importConversations } from "./transfer/conversationTransfer.ts";

export interface ChatHistoryDeps {
  readonly directory: string;
  readonly blobs: BlobStore;
  readonly store: Pick<ConversationStore, "conversation">;
  readonly controller: Pick<ChatController, "openChat" | "newChat" | "notify">;
  /** Reveals the view of the list. */
  readonly reveal: () => PromiseLike<unknown>;
  readonly report: (error: unknown) => void;
}

/** The list of conversations in the editor, with its commands, import and export. */
export interface ChatHistory extends vscode.Disposable {
  readonly controller: HistoryController;
  show(): Promise<void>;
  /** Exports the shown conversation. */
  exportChat(): Promise<void>;
  importChats(): Promise<void>;
}

export function createChatHistory(deps: ChatHistoryDeps): ChatHistory {
  const { directory, blobs, store, controller, reveal, report } = deps;
  const open = async (id: string) => {
    try {
      await controller.openChat(id);
    } catch (error) {
      report(error);
      controller.notify({ text: whyNotOpened(error), stays: true });
    }
  };
  const exportOne = async (id: string) => {
    const state = await page.read(id);
    if (state) await exportConversation(state, blobs);
  };
  const importChats = async () => {
    const all = await importConversations();
    for (const imported of all) {
      for (const [name, bytes] of imported.blobs) await blobs.put(bytes, name.slice(name.indexOf(".") + 1));
      writeNewLog(conversationFiles(directory, imported.state.id), imported.state);
    }
    const last = all.at(-1)?.state;
    if (last) await open(last.id);
  };
  const page = createHistoryController({
    directory,
    current: () => store.conversation,
    open,
    newChat: () => controller.newChat(),
    exportChat: exportOne,
    importChat: importChats,
    report,
  });
  return {
    controller: page,
    async show() {
      await reveal();
      page.show();
    },
    async exportChat() {
      const current = store.conversation;
      if (current && current.nodes.size > 0) await exportConversation(current, blobs);
      else void vscode.window.showInformationMessage("This conversation has no messages yet.");
    },
    importChats,
    dispose: () => page.dispose(),
  };
}

function whyNotOpened(error: unknown): string {
  if (!(error instanceof LogUnreadable))
    return "The conversation could not be opened. See the log for the cause.";
  return error.reason === "newer"
    ? "The conversation was written by a newer version of this extension. Update the extension to open it. Its file was not changed."
    : `The conversation could not be read. Its file was not changed: ${error.path}`;
}
