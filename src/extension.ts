import * as vscode from "vscode";
import { registerAccount } from "./account/host/register.ts";
import { createLazyChanges, type LazyChanges } from "./changes/engine/lazyChanges.ts";
import { registerReview } from "./changes/review/register.ts";
import { registerChat } from "./chat/host/register.ts";
import { registerCompletions } from "./completions/register.ts";
import { registerConnection } from "./connection/register.ts";
import { registerEditor } from "./editor/register.ts";
import { registerGateway } from "./gateway/host/register.ts";
import { registerImages } from "./images/host/register.ts";
import { registerLanguageModels } from "./languageModels/register.ts";
import { afterActivation } from "./platform/editor/afterActivation.ts";
import { registerCommands } from "./platform/editor/commands/domainCommands.ts";
import { createKeys, type Keys } from "./platform/keys.ts";
import { Lazy } from "./platform/lazy.ts";
import { registerRequests } from "./requests/host/register.ts";
import { chainHelp, describeChainWrite, registerRpc } from "./rpc/editor/register.ts";
import { createChosenModels } from "./session/chosenModels.ts";
import { type Connections, createConnections } from "./session/connection/connections.ts";
import { Handoff } from "./session/connection/handoff.ts";
import { Consents } from "./session/consent/consents.ts";
import { createSession } from "./session/createSession.ts";
import { RecentResults } from "./session/recentResults.ts";
import type { Session } from "./session/session.ts";
import { registerSpeech } from "./speech/host/register.ts";
import { registerMcp } from "./tools/mcp/server/window/register.ts";
import { registerModelTools } from "./tools/native/register.ts";
import { registerAugment } from "./web/register.ts";

export function activate(context: vscode.ExtensionContext): void {
  const { extensionUri, globalState, globalStorageUri, workspaceState, secrets, subscriptions } = context;
  const log = vscode.window.createOutputChannel("Inference Workbench", { log: true });
  const keys = createKeys(secrets);
  const consents = new Consents({ globalState, workspaceState, now: Date.now });
  const connections = createConnections(globalState, process.env, consents);
  const chosenModels = createChosenModels(globalState);
  const handoff = new Handoff();
  const recents = new RecentResults();
  const counts = new Lazy(async () =>
    (await import("./session/completionCounts.ts")).createCompletionCounts(globalState, Date.now),
  );
  const report = (error: unknown) => log.error(String(error));
  const changes = openChanges(context, log);
  const session = openSession(context, { connections, consents, keys, log });
  const { packageJSON: manifest } = context.extension;
  const extensionVersion = String(manifest.version);
  const stored = { globalStorageUri, globalState };
  const used = { session, consents, log };
  const review = registerReview({ changes, log });
  const asking = { ...used, chosenModels, handoff, review: review.feature };
  const tools = { ...used, globalStorageUri, describeWrite: describeChainWrite, chain: chainHelp };
  const domains = {
    account: registerAccount({ session, consents, connections, keys, counts, log, extensionUri, ...stored }),
    connection: registerConnection({ ...used, connections, keys, chosenModels, extensionVersion }),
    changes: review,
    chat: registerChat({
      ...asking,
      changes,
      extensionUri,
      chain: chainHelp,
      workspaceState,
      secrets,
      extensionVersion,
      ...stored,
    }),
    rpc: registerRpc({ ...used, extensionUri, workspaceState, ...stored }),
    web: registerAugment({ ...asking, recents, ...stored }),
    speech: registerSpeech({ ...used, recents, extensionUri, ...stored }),
    editor: registerEditor(asking),
    languageModels: registerLanguageModels({ ...used, connections, chosenModels, globalState }),
    requests: registerRequests({
      ...used,
      connections,
      extensionUri,
      extensionVersion,
      globalStorageUri,
    }),
    completions: registerCompletions({ ...used, counts }),
    gateway: registerGateway({ session, handoff, log, extensionUri, extensionVersion, globalStorageUri }),
    tools: registerMcp({ ...tools, extensionUri, extensionVersion }),
    images: registerImages({
      ...used,
      recents,
      extensionUri,
      storageUri: context.storageUri,
      workspaceState,
      globalStorageUri,
    }),
  };
  subscriptions.push(
    log,
    keys,
    session,
    changes,
    ...Object.values(domains),
    registerCommands(manifest, domains),
    registerModelTools(tools),
    afterActivation(async () => {
      const tasks = await import("./session/startTasks.ts");
      return tasks.runStartTasks({ context, session, log });
    }, report),
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
      blobs: vscode.Uri.joinPath(globalStorageUri, "chats/blobs").fsPath,
      stateFile: storageUri && vscode.Uri.joinPath(storageUri, "changes.jsonl").fsPath,
      report: (error) => log.error("changes of the agent", String(error)),
    });
  });
}

interface SessionParts {
  readonly connections: Connections;
  readonly consents: Consents;
  readonly keys: Keys;
  readonly log: vscode.LogOutputChannel;
}

function openSession(
  { extensionUri, globalStorageUri, globalState }: vscode.ExtensionContext,
  { connections, consents, keys, log }: SessionParts,
): Session {
  const stored = (path: string) => vscode.Uri.joinPath(globalStorageUri, path).fsPath;
  const sandbox = () => import("./sandbox/main.ts");
  return createSession({
    connections,
    consents,
    keys,
    env: process.env,
    startSandbox: async (options) => {
      const { openSandboxJournal } = await import("./session/sandbox/sandboxJournal.ts");
      const journal = await openSandboxJournal(stored(`sandbox/${options.dialect}.jsonl`), (error) =>
        log.error(String(error)),
      );
      const docs = vscode.Uri.joinPath(extensionUri, "media/docs").fsPath;
      return (await sandbox()).startSandbox({ ...options, docs, journal, exampleMonth: true });
    },
    documents: sandbox,
    spendFolder: stored("spend"),
    state: globalState,
    log,
  });
}
