import * as vscode from "vscode";
import type { AgentPlaces } from "../../../agents/agentPlaces.ts";
import { warnModally } from "../../../platform/editor/dialogs/modal.ts";
import type { LastEditor } from "../../../platform/editor/lastEditor.ts";
import type { TextDocuments } from "../../../platform/editor/textDocuments.ts";
import { tickTour } from "../../../platform/editor/tour.ts";
import { webviewPage, webviewRoot } from "../../../platform/editor/webviewPage.ts";
import { runErrorAction } from "../../../platform/errors/errorActions.ts";
import type { BlobStore } from "../../../platform/files/blobStore.ts";
import { readChatSettings, readTaskNotices } from "../../../platform/settings.ts";
import { commands } from "../../../shared/names/ids.ts";
import { visibleLine } from "../../../shared/text/html/visibleText.ts";
import type { HomeFiles } from "../../../tools/files/homeFiles.ts";
import type { HistoryNews } from "../../protocol/chatHistory.ts";
import {
  type HistoryToView,
  type PathsToView,
  type PictureToView,
  parseToHost,
  type ToHost,
} from "../../protocol/chatProtocol.ts";
import type { AgentWindow } from "../acp/agentWindow.ts";
import { fetchPicture } from "../attachments/content/remoteImage.ts";
import type { CurrentFileSource } from "../attachments/sources/currentFile.ts";
import { openAttachment } from "../attachments/sources/editorSources.ts";
import { filesAmong, openHomeFile, openNamedFile } from "../attachments/sources/namedFiles.ts";
import type { EditorSources } from "../attachments/sources/sources.ts";
import { type ChatController, createChatController } from "../chatController.ts";
import { useCode } from "../code/codeActions.ts";
import type { Proposals } from "../code/proposals.ts";
import type { ModelPreferences } from "../controls.ts";
import type { ChatDeps } from "../deps.ts";
import { type ChatHistory, createChatHistory } from "../history/chatHistory.ts";
import { type ConversationStoreDeps, createConversationStore } from "../history/conversationStore.ts";
import type { PromptSource } from "../prompt/chatPrompt.ts";
import { isHomePath } from "../prompt/homeGuidance.ts";
import type { CommandRuns } from "../tools/commands/commandRuns.ts";
import type { ToolSource } from "../tools/toolList.ts";
import { insertWithFootnotes, openCitedPage } from "./citedPage.ts";
import { TaskNotices } from "./taskNotices.ts";

/** Dependencies that all chats of a window share. */
export interface SharedParts {
  readonly deps: ChatDeps;
  readonly blobs: BlobStore;
  readonly editor: EditorSources;
  readonly currentFile: CurrentFileSource;
  readonly preferences: ModelPreferences;
  readonly tools: ToolSource;
  readonly prompt: PromptSource;
  readonly home: HomeFiles;
  /** The agents of this machine. */
  readonly agents: AgentPlaces;
  readonly proposals: Proposals;
  readonly lastEditor: LastEditor;
  /** Shows what the model is told. */
  readonly told: TextDocuments;
  readonly runs: CommandRuns;
  readonly agentWindow: AgentWindow;
}

export interface ChatSurfaceOptions {
  /** Remembers the shown conversation. */
  readonly current: ConversationStoreDeps["current"];
  readonly onBusy: (busy: boolean) => void;
  /** Reveals the view or tab. */
  readonly reveal: () => PromiseLike<unknown>;
}

/** Common interface of the side bar's view and an editor tab. */
interface ChatPlace {
  readonly webview: vscode.Webview;
  isVisible(): boolean;
  /** A badge with this tooltip; undefined for none. */
  setBadge(tooltip: string | undefined): void;
  onDidChangeVisibility(listener: () => void): vscode.Disposable;
  onDidDispose(listener: () => void): vscode.Disposable;
}

/** A view or tab that shows a conversation, with the files of that conversation. */
export interface ChatSurface extends vscode.Disposable {
  readonly controller: ChatController;
  readonly history: ChatHistory;
  /** Id of the shown conversation. */
  readonly conversationId: string | undefined;
  readonly title: string;
  show(place: ChatPlace): void;
}

export function createChatSurface(shared: SharedParts, options: ChatSurfaceOptions): ChatSurface {
  const { deps } = shared;
  const directory = vscode.Uri.joinPath(deps.globalStorageUri, "chats").fsPath;
  const store = createConversationStore({
    directory,
    workspace: vscode.workspace.name,
    current: options.current,
    onForeign: (lines) => controller.handle(lines),
    report: (error) => {
      deps.log.error("the conversation could not be saved or opened", toError(error));
      controller.notify({ text: notSavedWords(error), stays: true });
    },
  });
  let shown: ChatPlace | undefined;
  const notices = createNotices(() => shown, options.reveal);
  const focusing = vscode.window.onDidChangeWindowState(() => notices.look());
  const controller: ChatController = createChatController({
    blobs: shared.blobs,
    editor: shared.editor,
    session: deps.session,
    store,
    ...{ tools: shared.tools, prompt: shared.prompt, agents: shared.agents },
    changes: deps.changes,
    runs: shared.runs,
    agentWindow: shared.agentWindow,
    askAboutOthers,
    preferences: shared.preferences,
    confirm: async (question, yes) => (await warnModally(question, {}, yes)) === yes,
    choose: (question, detail, ...buttons) => warnModally(question, { detail }, ...buttons),
    rememberedModels: deps.chosenModels,
    onBusy: options.onBusy,
    onAnswered: () => tickTour("answered"),
    onDidReturn: (listener) => vscode.window.onDidChangeWindowState(({ focused }) => focused && listener()),
    onWaiting: (summary) => notices.waits(summary),
    onEnded: (summary) => notices.ended(summary),
    report: (error) => deps.log.error("the request failed", toError(error)),
  });
  const history = createChatHistory({
    directory,
    blobs: shared.blobs,
    store,
    controller,
    reveal: options.reveal,
    report: (error) => deps.log.error("the list of conversations failed", toError(error)),
  });
  const configure = () => controller.configure(readChatSettings());
  configure();
  const offerFile = () => controller.offerFile(shared.currentFile.read());
  offerFile();
  const offering = shared.currentFile.onDidChange(offerFile);
  const configured = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("inference.chat")) configure();
  });
  return {
    controller,
    history,
    get conversationId() {
      return store.conversation?.id;
    },
    get title() {
      return store.title;
    },
    show(place) {
      shown = place;
      place.onDidDispose(() => {
        if (shown === place) shown = undefined;
      });
      place.onDidChangeVisibility(() => notices.look());
      showChat(place, { shared, controller, history });
    },
    dispose() {
      configured.dispose();
      focusing.dispose();
      offering.dispose();
      history.dispose();
      controller.dispose();
    },
  };
}

function createNotices(
  place: () => ChatPlace | undefined,
  reveal: ChatSurfaceOptions["reveal"],
): TaskNotices {
  const showLabel = "Show Chat";
  return new TaskNotices({
    isInSight: () => vscode.window.state.focused && place()?.isVisible() === true,
    isSilent: () => !readTaskNotices(),
    show: async (text) => (await vscode.window.showInformationMessage(text, showLabel)) === showLabel,
    reveal,
    setBadge: (tooltip) => place()?.setBadge(tooltip),
  });
}

async function askAboutOthers(paths: readonly string[]): Promise<"overwrite" | "keep" | undefined> {
  const names = paths.slice(0, 10).map(visibleLine).join("\n");
  const more = paths.length > 10 ? `\nand ${paths.length - 10} more` : "";
  const choice = await warnModally(
    "These files were changed since, not by the model. Rewind them, too?",
    { detail: `${names}${more}` },
    "Keep These Files",
    "Rewind All",
  );
  return choice === "Rewind All" ? "overwrite" : choice === "Keep These Files" ? "keep" : undefined;
}

interface Parts extends Pick<ChatSurface, "controller" | "history"> {
  readonly shared: SharedParts;
}

function showChat(place: ChatPlace, parts: Parts): void {
  const { controller, history } = parts;
  const { deps } = parts.shared;
  const { webview } = place;
  const report = (news: HistoryNews) =>
    void webview.postMessage({ v: 1, type: "history", news } satisfies HistoryToView);
  webview.options = {
    enableScripts: true,
    localResourceRoots: [webviewRoot(deps.extensionUri), blobsUri(deps)],
  };
  const connection = controller.connect((message) => void webview.postMessage(message));
  const handle = async (data: unknown) => {
    const message = parseToHost(data);
    if (!message) return deps.log.warn("the chat view sent an invalid message");
    await actInEditor(message, parts);
    if (message.type === "history") return history.controller.answer(message.body, report);
    if (message.type === "loadPicture") return void reportPicture(message.body.url, webview);
    if (message.type === "findPaths") return void reportPaths(message.body.paths, webview);
    await connection.receive(message);
    if (message.type === "ready") history.controller.enter(report);
  };
  webview.onDidReceiveMessage((data: unknown) => {
    handle(data).catch((error: unknown) =>
      deps.log.error("a message of the chat view failed", toError(error)),
    );
  });
  place.onDidChangeVisibility(() => {
    // A hidden view has lost its page. The new page sends `ready`.
    if (place.isVisible()) return;
    connection.pause();
    history.controller.leave(report);
  });
  place.onDidDispose(() => {
    connection.close();
    history.controller.leave(report);
  });
  webview.html = webviewPage(webview, deps.extensionUri, {
    bundle: "chat",
    title: "Inference Chat",
    meta: { blobs: webview.asWebviewUri(blobsUri(deps)).toString() },
  });
}

async function reportPicture(url: string, webview: vscode.Webview): Promise<void> {
  const picture = await fetchPicture(url);
  await webview.postMessage({ v: 1, type: "picture", url, picture } satisfies PictureToView);
}

async function reportPaths(asked: readonly string[], webview: vscode.Webview): Promise<void> {
  const found = await filesAmong(asked);
  await webview.postMessage({ v: 1, type: "paths", asked, found } satisfies PathsToView);
}

/** Handles the messages that need the editor. */
async function actInEditor(message: ToHost, { controller, shared }: Parts): Promise<void> {
  const { blobs } = shared;
  switch (message.type) {
    case "openLink":
      await vscode.env.openExternal(vscode.Uri.parse(message.body.url, true));
      break;
    case "openSource":
      await openCitedPage(message.body);
      break;
    case "insertAnswer":
      await insertWithFootnotes(controller.answer(message.body.answerId), shared.lastEditor.target);
      break;
    case "copyText":
      await vscode.env.clipboard.writeText(message.body.text);
      break;
    case "copyAnswer":
      await vscode.env.clipboard.writeText(controller.answerText(message.body.answerId) ?? "");
      break;
    case "readAnswer":
      await vscode.commands.executeCommand(
        commands.speechReadText,
        controller.answerText(message.body.answerId),
        "Answer",
      );
      break;
    case "showRequest":
      await vscode.commands.executeCommand(commands.requestsShow, message.body.requestId);
      break;
    case "openAttachment":
      await openAttachment(controller.attachments.find(message.body.attachmentId), blobs);
      break;
    case "useCode":
      await useCode(message.body, shared);
      break;
    case "review":
      await runReview(message.body);
      break;
    case "openInstructions":
      if (isHomePath(message.body.path)) await openHomeFile(shared.home, message.body.path);
      else await openNamedFile(message.body);
      break;
    case "showTold":
      await shared.told.show("What the model is told.md", await controller.toldText().catch(toldProblem));
      break;
    case "openPath":
      await openNamedFile(message.body);
      break;
    case "act":
      if (await runErrorAction(message.body.action)) await controller.tryAgain();
      break;
    default:
  }
}

const reviewCommands = {
  diff: commands.changesShowDiff,
  accept: commands.changesAcceptFile,
  reject: commands.changesRejectFile,
  acceptAll: commands.changesAcceptAll,
  rejectAll: commands.changesRejectAll,
  next: commands.changesNextHunk,
  all: commands.changesShowAll,
  commit: commands.changesWriteCommitMessage,
} as const;

/** Its list has what the agent has changed, so its buttons decide nothing else. */
async function runReview({
  action,
  uri,
}: Extract<ToHost, { readonly type: "review" }>["body"]): Promise<void> {
  const isAll = action === "acceptAll" || action === "rejectAll";
  await vscode.commands.executeCommand(reviewCommands[action], isAll ? "agent" : uri);
}

/** Folder with the contents of attachments; the view loads images from it. */
export function blobsUri({ globalStorageUri }: ChatDeps): vscode.Uri {
  return vscode.Uri.joinPath(globalStorageUri, "chats", "blobs");
}

function toldProblem(error: unknown): string {
  return toError(error).message;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function notSavedWords(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT"
    ? "Free space on the full disk: the conversation can't be saved. It is saved once there is space."
    : "The conversation could not be saved or opened. See the log for the cause.";
}
