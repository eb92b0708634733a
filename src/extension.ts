import * as vscode from "vscode";
import { registerAccount } from "./account/host/register.ts";
import { createLazyChanges, type LazyChanges } from "./changes/engine/lazyChanges.ts";
import { registerReview } from "./changes/review/register.ts";
import { registerChat } from "./chat/host/register.ts";
import { registerCompletions } from "./completions/register.ts";
import { registerConnection } from "./connection/register.ts";
import { registerEditor } from "./editor/register.ts";
import { registerImages } from "./images/host/register.ts";
import { registerLanguageModels } from "./languageModels/register.ts";
import { registerFormerNames } from "./platform/editor/registerFormerNames.ts";
import { registerTour } from "./platform/editor/tour.ts";
import { tightenFolder } from "./platform/files/privateFiles.ts";
import { createKeys, type Keys } from "./platform/keys.ts";
import { logClientEvent } from "./platform/log.ts";
import { describeChainWrite, registerRpc } from "./rpc/editor/register.ts";
import { createChosenModels } from "./session/chosenModels.ts";
import { createCompletionCounts } from "./session/completionCounts.ts";
import { type Connections, createConnections } from "./session/connection/connections.ts";
import { createHandoff } from "./session/connection/handoff.ts";
import { createSession } from "./session/createSession.ts";
import { createRecentResults } from "./session/recentResults.ts";
import { openSandboxJournal } from "./session/sandboxJournal.ts";
import type { Session } from "./session/session.ts";
import { commands } from "./shared/ids.ts";
import { registerSpeech } from "./speech/host/register.ts";
import { registerMcp } from "./tools/mcp/window/register.ts";
import { registerModelTools } from "./tools/native/register.ts";
import { registerAugment } from "./web/register.ts";

export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalState, globalStorageUri, workspaceState, subscriptions } = context;
  const log = vscode.window.createOutputChannel("Inference Workbench", { log: true });
  const keys = createKeys(context.secrets);
  const connections = createConnections(globalState, process.env);
  const chosenModels = createChosenModels(globalState);
  const handoff = createHandoff();
  const recents = createRecentResults();
  const counts = createCompletionCounts(globalState, Date.now);
  const changes = openChanges(context, log);
  const session = openSession(context, { connections, keys, log });
  for (const uri of [globalStorageUri, context.storageUri])
    if (uri) void tightenFolder(uri.fsPath, (error) => log.warn(String(error)));
  const extensionVersion = String(context.extension.packageJSON.version);
  subscriptions.push(
    log,
    keys,
    session,
    registerTour(globalState),
    registerFormerNames(log),
    vscode.commands.registerCommand(commands.connectionShowLog, () => log.show()),
    registerAccount({ session, connections, keys, counts, log, extensionUri, globalStorageUri, globalState }),
    registerConnection({ connections, keys, session, chosenModels, extensionVersion }),
    changes,
    registerReview({ changes, log }),
    registerChat({
      session,
      changes,
      log,
      extensionUri,
      globalStorageUri,
      globalState,
      chosenModels,
      handoff,
      workspaceState,
    }),
    registerRpc({ session, log, extensionUri, globalStorageUri, globalState, workspaceState }),
    registerAugment({ session, handoff, recents, log, globalStorageUri, globalState }),
    registerSpeech({ session, recents, log, extensionUri, globalStorageUri, globalState }),
    registerEditor({ session, chosenModels, handoff, log }),
    registerLanguageModels({ session, connections, chosenModels, globalState, log }),
    registerCompletions({ session, counts, globalState, log }),
    registerMcp({
      session,
      log,
      extensionUri,
      globalStorageUri,
      globalState,
      extensionVersion,
      describeWrite: describeChainWrite,
    }),
    registerModelTools({ session, log, globalStorageUri, globalState, describeWrite: describeChainWrite }),
    registerImages({
      session,
      recents,
      log,
      extensionUri,
      globalStorageUri,
      storageUri: context.storageUri,
      globalState,
      workspaceState,
    }),
  );
}

/** Changes of agents in this workspace. Their contents are kept with the chats, whose rewinds need them. */
function openChanges(
  { globalStorageUri, storageUri, workspaceState }: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
): LazyChanges {
  return createLazyChanges(workspaceState, async () => {
    const { createEditorChanges } = await import("./changes/engine/editorChanges.ts");
    return createEditorChanges({
      blobs: vscode.Uri.joinPath(globalStorageUri, "chats", "blobs").fsPath,
      stateFile: storageUri && vscode.Uri.joinPath(storageUri, "changes.jsonl").fsPath,
      report: (error) => log.error("changes of the agent", String(error)),
    });
  });
}

interface SessionParts {
  readonly connections: Connections;
  readonly keys: Keys;
  readonly log: vscode.LogOutputChannel;
}

function openSession(
  { extensionUri, globalStorageUri, globalState }: vscode.ExtensionContext,
  { connections, keys, log }: SessionParts,
): Session {
  const docs = vscode.Uri.joinPath(extensionUri, "media", "docs").fsPath;
  const journalOf = (dialect: string) =>
    vscode.Uri.joinPath(globalStorageUri, "sandbox", `${dialect}.jsonl`).fsPath;
  const report = (error: unknown) => log.error(String(error));
  return createSession({
    connections,
    keys,
    env: process.env,
    startSandbox: async (options) => {
      const [{ startSandbox }, journal] = await Promise.all([
        import("./sandbox/main.ts"),
        openSandboxJournal(journalOf(options.dialect), report),
      ]);
      return startSandbox({ ...options, docs, journal, exampleMonth: true });
    },
    observe: (event) => logClientEvent(log, event),
    spendFolder: vscode.Uri.joinPath(globalStorageUri, "spend").fsPath,
    state: globalState,
    report,
  });
}
