import * as vscode from "vscode";
import { waitMs } from "../api/call/retry.ts";
import type { DomainCommands } from "../platform/editor/commands/domainCommands.ts";
import { readCompletionSettings } from "../platform/settings.ts";
import type { Consents } from "../session/consent/consents.ts";
import type { Client, Session } from "../session/session.ts";
import { commands, completionAccepted } from "../shared/names/ids.ts";
import { type CompletionController, createCompletionController } from "./completionController.ts";
import { configureCompletions } from "./configure.ts";
import { maySendText, readCursorContext, writableSchemes } from "./context/cursorContext.ts";
import type { Neighbour } from "./context/excerpts.ts";
import type { CompletionsDeps } from "./deps.ts";
import { createCompletionConsents } from "./limits/consents.ts";
import { createHourCap, type HourCap } from "./limits/hourCap.ts";
import { createCompletionStatus } from "./status.ts";

/** Inline completions: loaded while they are on. */
export interface CompletionsFeature extends vscode.Disposable {
  /** Applies the settings. */
  update(): void;
  readonly commands: DomainCommands<"completions">;
}

export function createCompletionsFeature({
  consents,
  ...others
}: Omit<CompletionsDeps, "consents"> & { readonly consents: Consents }): CompletionsFeature {
  const deps: CompletionsDeps = { ...others, consents: createCompletionConsents(consents) };
  let running: RunningCompletions | undefined;
  const stop = () => {
    running?.dispose();
    running = undefined;
  };
  return {
    update() {
      const { isOn } = readCompletionSettings();
      if (!isOn) return stop();
      running ??= startCompletions(deps);
    },
    commands: {
      // The menu of the status bar item.
      [commands.completionsConfigure]: () => configureCompletions(deps, running?.controller),
    },
    dispose: stop,
  };
}

interface RunningCompletions extends vscode.Disposable {
  readonly controller: CompletionController;
}

function startCompletions(deps: CompletionsDeps): RunningCompletions {
  const { session, counts, log } = deps;
  const client = createCompletionClient(session);
  const cap: HourCap = createHourCap(() => session.spend(), Date.now);
  const status = createCompletionStatus({ session, cap });
  const controller = createCompletionController({
    client: client.get,
    consentTo: deps.consents.of,
    active: () => session.active,
    settings: readCompletionSettings,
    cap,
    onState(state) {
      if (state.kind === "failed") log.warn(`inline completions: ${String(state.error)}`);
      status.show(state);
    },
    now: Date.now,
    wait: (ms, signal) => waitMs(ms, signal, () => signal.reason),
  });
  status.show(controller.state);
  const subscriptions = vscode.Disposable.from(
    controller,
    status,
    vscode.languages.registerInlineCompletionItemProvider(
      writableSchemes.map((scheme) => ({ scheme })),
      { provideInlineCompletionItems: (...asked) => provide(deps, controller, ...asked) },
    ),
    vscode.commands.registerCommand(completionAccepted, () => {
      if (session.active) counts.add(session.active.id, { accepted: 1 });
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (session.active && isKeystroke(event)) counts.add(session.active.id, { keystrokes: 1 });
    }),
    session.onDidChangeActive(() => {
      client.forget();
      controller.reset();
    }),
    // It was revoked or restored in the list of permissions.
    deps.consents.onDidChange(() => {
      const isGiven = session.active !== undefined && deps.consents.of(session.active) !== undefined;
      if (isGiven === (controller.state.kind === "asks")) controller.reset();
    }),
    session.onDidSpend(({ connection }) => {
      if (connection.id !== session.active?.id) return;
      cap.forget();
      status.show(controller.state);
    }),
  );
  return {
    controller,
    dispose() {
      subscriptions.dispose();
      counts.flush();
    },
  };
}

/** The client of the active connection; it names its calls as completions. */
function createCompletionClient(session: Session) {
  let client: Promise<Client> | undefined;
  return {
    get(): Promise<Client> {
      if (client) return client;
      const connecting = session.client({ kind: "completion" });
      client = connecting;
      connecting.catch(() => {
        if (client === connecting) client = undefined;
      });
      return connecting;
    },
    forget() {
      client = undefined;
    },
  };
}

/** One item of at most one completion. */
async function provide(
  { session, counts }: CompletionsDeps,
  controller: CompletionController,
  document: vscode.TextDocument,
  position: vscode.Position,
  { triggerKind, selectedCompletionInfo }: vscode.InlineCompletionContext,
  token: vscode.CancellationToken,
): Promise<vscode.InlineCompletionItem[]> {
  const { active } = session;
  const editor = vscode.window.activeTextEditor;
  const isForeign = editor?.document !== document || editor.selections.length > 1;
  if (!active || isForeign || !maySendText(document, readCompletionSettings().languages)) return [];
  // The suggest widget shows a completion of its own at the cursor.
  if (selectedCompletionInfo || vscode.workspace.fs.isWritableFileSystem(document.uri.scheme) === false)
    return [];
  const at = readCursorContext(document, position, nameOf(document.uri));
  if (!at) return [];
  const cancel = new AbortController();
  const listening = token.onCancellationRequested(() => cancel.abort());
  const { insertSpaces, tabSize } = editor.options;
  try {
    const isExplicit = triggerKind === vscode.InlineCompletionTriggerKind.Invoke;
    const spaces = insertSpaces === false ? Number(tabSize) || 4 : undefined;
    const request = { at, isExplicit, tabSize: spaces, neighbours: () => neighboursOf(document) };
    const completed = await controller.complete(request, cancel.signal);
    if (completed === undefined) return [];
    if (completed.isNew) counts.add(active.id, { shown: 1 });
    const item = new vscode.InlineCompletionItem(completed.text, new vscode.Range(position, position));
    item.command = { command: completionAccepted, title: "Count the Completion" };
    return [item];
  } finally {
    listening.dispose();
  }
}

/** The open tabs whose text may be sent, those in sight first. */
function neighboursOf(document: vscode.TextDocument): Neighbour[] {
  const { languages } = readCompletionSettings();
  const open = new Set(
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.toString()] : [])),
  );
  const visible = vscode.window.visibleTextEditors.map((editor) => editor.document);
  return [...new Set([...visible, ...vscode.workspace.textDocuments])]
    .filter((one) => one !== document && !one.isClosed && open.has(one.uri.toString()))
    .filter((one) => maySendText(one, languages))
    .map((one) => ({
      name: nameOf(one.uri),
      languageId: one.languageId,
      version: one.version,
      text: () => one.getText(new vscode.Range(0, 0, neighbourLines, 0)),
    }));
}

const neighbourLines = 600;

function nameOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri, false);
}

/** One typed or deleted character, or a line break with its indentation: not a paste, a format or a completion. */
function isKeystroke({ document, contentChanges, reason }: vscode.TextDocumentChangeEvent): boolean {
  const [change] = contentChanges;
  if (!change || reason !== undefined || !writableSchemes.includes(document.uri.scheme)) return false;
  if (vscode.window.activeTextEditor?.document !== document) return false;
  const isBreak = /^\r?\n[ \t]*$/.test(change.text.slice(0, 200));
  return contentChanges.length === 1 && (isBreak || change.text.length + change.rangeLength <= 2);
}
