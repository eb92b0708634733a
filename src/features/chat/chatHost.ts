import * as vscode from "vscode";
import { runErrorAction } from "../../platform/errorActions.ts";
import { webviewPage, webviewRoot } from "../../platform/webviewPage.ts";
import { toPromptText } from "../../session/handoff.ts";
import type { HistoryNews } from "../../shared/chatHistory.ts";
import { type HistoryToView, parseToHost, type ToHost } from "../../shared/chatProtocol.ts";
import { contexts } from "../../shared/ids.ts";
import { type BlobStore, createBlobStore } from "./attachments/blobStore.ts";
import { createEditorSources } from "./attachments/editorSources.ts";
import { openAttachment } from "./attachments/openAttachment.ts";
import { type ChatController, createChatController } from "./chatController.ts";
import { type ChatHistory, createChatHistory } from "./chatHistory.ts";
import { useCode } from "./codeActions.ts";
import { createConversationStore } from "./history/conversationStore.ts";
import { createKeptChoices } from "./keptChoices.ts";
import { createProposals, type Proposals } from "./proposals.ts";
import type { ChatDeps } from "./register.ts";
import { createEditorTools } from "./tools/editorTools.ts";

/** The chat in the editor: its view, its commands, its files. */
export interface ChatHost extends vscode.Disposable {
  show(view: vscode.WebviewView): void;
  newChat(): Promise<void>;
  showHistory(): Promise<void>;
  exportChat(): Promise<void>;
  importChats(): Promise<void>;
  stop(): void;
  /** Code of an answer that was applied to a file and waits for a yes or no. */
  readonly proposals: Pick<Proposals, "accept" | "reject">;
}

const currentChatKey = "chat.current";

export function createChatHost(deps: ChatDeps): ChatHost {
  const blobs = createBlobStore(blobsUri(deps).fsPath);
  const directory = vscode.Uri.joinPath(deps.globalStorageUri, "chats").fsPath;
  const store = createConversationStore({
    directory,
    workspace: vscode.workspace.name,
    current: {
      get: () => deps.workspaceState.get(currentChatKey),
      set: (id) => deps.workspaceState.update(currentChatKey, id),
    },
    onForeign: (lines) => controller.hear(lines),
    report: (error) => {
      deps.log.error("the conversation could not be saved or opened", toError(error));
      controller.notify("The conversation could not be saved or opened. The log says why.");
    },
  });
  const controller: ChatController = createChatController({
    blobs,
    editor: createEditorSources(),
    session: deps.session,
    store,
    tools: createEditorTools(deps),
    kept: createKeptChoices(deps.globalState),
    confirm: async (question, yes) =>
      (await vscode.window.showWarningMessage(question, { modal: true }, yes)) === yes,
    rememberedModels: deps.chosenModels,
    onBusy: (busy) => void vscode.commands.executeCommand("setContext", contexts.chatBusy, busy),
    report: (error) => deps.log.error("no answer", toError(error)),
  });
  const listening = deps.handoff.onDidOffer(() => {
    for (const offer of deps.handoff.take()) void controller.takeOffer(toPromptText(offer), offer.send);
  });
  const proposals = createProposals();
  const history = createChatHistory({
    directory,
    store,
    controller,
    report: (error) => deps.log.error("the list of conversations", toError(error)),
  });
  return {
    proposals,
    show: (view) => showChat(view, { controller, blobs, proposals, history }, deps),
    newChat: () => controller.newChat(),
    showHistory: () => history.show(),
    exportChat: () => history.exportChat(),
    importChats: () => history.importChats(),
    stop: () => controller.stop(),
    dispose() {
      listening.dispose();
      history.dispose();
      controller.dispose();
      proposals.dispose();
    },
  };
}

/** What views have in common. */
interface Parts {
  readonly controller: ChatController;
  readonly blobs: BlobStore;
  readonly proposals: Proposals;
  readonly history: ChatHistory;
}

function showChat(view: vscode.WebviewView, parts: Parts, deps: ChatDeps): void {
  const { controller, history } = parts;
  const tell = (news: HistoryNews) =>
    void webview.postMessage({ v: 1, type: "history", news } satisfies HistoryToView);
  const { webview } = view;
  webview.options = {
    enableScripts: true,
    localResourceRoots: [webviewRoot(deps.extensionUri), blobsUri(deps)],
  };
  const connection = controller.connect((message) => void webview.postMessage(message));
  const hear = async (said: unknown) => {
    const message = parseToHost(said);
    if (!message) return deps.log.warn("the chat view said something that is not understood");
    await actInEditor(message, parts);
    if (message.type === "history") return history.desk.answer(message.body, tell);
    await connection.receive(message);
    if (message.type === "ready") history.desk.enter(tell);
  };
  webview.onDidReceiveMessage((said: unknown) => {
    hear(said).catch((error: unknown) => deps.log.error("the chat view asked in vain", toError(error)));
  });
  view.onDidChangeVisibility(() => {
    // A hidden view has lost its page. It says `ready` when it has a new one.
    if (view.visible) return;
    connection.pause();
    history.desk.leave(tell);
  });
  view.onDidDispose(() => {
    connection.close();
    history.desk.leave(tell);
  });
  webview.html = webviewPage(webview, deps.extensionUri, {
    bundle: "chat",
    title: "Inference Chat",
    meta: { blobs: webview.asWebviewUri(blobsUri(deps)).toString() },
  });
}

/** What only the editor can do for a view. */
async function actInEditor(message: ToHost, { controller, blobs, proposals }: Parts): Promise<void> {
  switch (message.type) {
    case "openLink":
      await vscode.env.openExternal(vscode.Uri.parse(message.body.url, true));
      break;
    case "copyText":
      await vscode.env.clipboard.writeText(message.body.text);
      break;
    case "copyAnswer":
      await vscode.env.clipboard.writeText(controller.answerText(message.body.answerId) ?? "");
      break;
    case "openAttachment":
      await openAttachment(controller.attachment(message.body.attachmentId), blobs);
      break;
    case "useCode":
      await useCode(message.body, proposals);
      break;
    case "act":
      await runErrorAction(message.body.action);
      break;
    default:
  }
}

/** Contents of attachments: the view draws images from here. */
function blobsUri({ globalStorageUri }: ChatDeps): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, "chats", "blobs");
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
