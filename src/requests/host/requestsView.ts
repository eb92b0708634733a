import * as vscode from "vscode";
import { apiRoot } from "../../api/call/client.ts";
import type { Called } from "../../api/call/record/callRecorder.ts";
import { ApiError, isCancelled } from "../../api/errors/errors.ts";
import { warnModally } from "../../platform/editor/dialogs/modal.ts";
import { showExplanation } from "../../platform/editor/dialogs/showExplanation.ts";
import { tabIcon, webviewPage, webviewRoot } from "../../platform/editor/webviewPage.ts";
import { explain } from "../../platform/errors/errorMessage.ts";
import { readRequestSettings } from "../../platform/settings.ts";
import type { Connection } from "../../session/connection/connection.ts";
import { requestsPanel, settings } from "../../shared/names/ids.ts";
import { type FromRequestsView, parseFromRequestsView } from "../protocol/requestsProtocol.ts";
import { toCurl, toJsonText } from "./copyAs.ts";
import type { RequestsDeps } from "./deps.ts";
import type { RequestLog } from "./log/requestLog.ts";
import { replay } from "./replay/replay.ts";
import { documentUri } from "./requestDocuments.ts";
import { type FoundCall, RequestsController } from "./requestsController.ts";

const title = "Inference Requests";
/** Calls that end within this time are one change of the list. */
const gatherMs = 250;

/** The editor tab with the list of requests; there is at most one. */
export class RequestsView implements vscode.Disposable {
  readonly #deps: RequestsDeps;
  readonly #log: RequestLog;
  readonly #controller: RequestsController;
  /** Calls that were sent again, by id: their answers are shown before they are in the log. */
  readonly #replayed = new Map<string, Called>();
  #panel: vscode.WebviewPanel | undefined;
  #gathering: NodeJS.Timeout | undefined;

  constructor(deps: RequestsDeps, log: RequestLog) {
    this.#deps = deps;
    this.#log = log;
    this.#controller = new RequestsController({
      log,
      keepDays: () => readRequestSettings().keepDays,
      post: (message) => void this.#panel?.webview.postMessage(message),
      report: (error) => deps.log.error(String(error)),
    });
  }

  /** Opens the tab, with this call if an id or a request id of the service is given. */
  show(id?: string): void {
    if (this.#panel) this.#panel.reveal();
    else this.#panel = this.#open();
    if (id !== undefined)
      void this.#controller.show(id).catch((error) => this.#deps.log.error(String(error)));
  }

  changed(): void {
    if (!this.#panel?.visible) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#controller.changed().catch((error) => this.#deps.log.error(String(error)));
    }, gatherMs);
  }

  async contentOf(id: string): Promise<Called | undefined> {
    const known = this.#replayed.get(id) ?? (await this.#log.content(id));
    if (known) return known;
    // Nothing was listed yet, since the window was reloaded.
    await this.#log.read();
    return this.#log.content(id);
  }

  async clear(): Promise<void> {
    const button = "Delete All";
    const detail =
      "Headers, bodies and times of all recorded requests of all connections are deleted from this computer. Chats, results and the ledger stay.";
    if ((await warnModally("Delete all recorded requests?", { detail }, button)) !== button) return;
    await this.#log.clear();
    this.#replayed.clear();
    await this.#controller.changed();
  }

  dispose(): void {
    clearTimeout(this.#gathering);
    this.#panel?.dispose();
  }

  #open(): vscode.WebviewPanel {
    const { extensionUri, log } = this.#deps;
    const panel = vscode.window.createWebviewPanel(requestsPanel, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    panel.iconPath = tabIcon(extensionUri);
    panel.webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromRequestsView(received);
      if (!message) return log.warn("the list of requests sent an invalid message");
      this.#handle(message).catch((error: unknown) => this.#fail(error));
    });
    panel.onDidDispose(() => {
      this.#controller.close();
      this.#panel = undefined;
    });
    panel.webview.html = webviewPage(panel.webview, extensionUri, { bundle: "requests", title });
    return panel;
  }

  async #handle(message: FromRequestsView): Promise<unknown> {
    switch (message.type) {
      case "clear":
        return this.clear();
      case "openSettings":
        return vscode.commands.executeCommand("workbench.action.openSettings", settings.requestsKeepDays);
      case "copyCurl":
        return this.#with(message.body.id, (found) => this.#copy(toCurl(found.called, this.#rootOf(found))));
      case "copyJson":
        return this.#with(message.body.id, ({ head, called }) => this.#copy(toJsonText(head, called)));
      case "openBody":
        return this.#with(message.body.id, (found) => openBody(found, message.body));
      case "replay":
        return this.#with(message.body.id, (found) => this.#replay(found));
      default:
        return this.#controller.handle(message);
    }
  }

  async #with(id: string, run: (found: FoundCall) => unknown): Promise<void> {
    const found = await this.#controller.find(id);
    if (found) await run(found);
    else void vscode.window.showInformationMessage("This request was deleted.");
  }

  async #copy(text: string | undefined): Promise<void> {
    if (text === undefined) {
      void vscode.window.showInformationMessage(
        "This request was never sent, so there is no command for it.",
      );
      return;
    }
    await vscode.env.clipboard.writeText(text);
    vscode.window.setStatusBarMessage("Copied", 2_000);
  }

  #connectionOf({ head }: FoundCall): Connection | undefined {
    return this.#deps.connections.byId(head.connectionId);
  }

  /** The sandbox has another port after each start. */
  #rootOf(found: FoundCall): string | undefined {
    const address = this.#connectionOf(found)?.baseUrl;
    return address ? apiRoot(address) : undefined;
  }

  async #replay(found: FoundCall): Promise<void> {
    const connection = this.#connectionOf(found);
    if (!connection) {
      const sentence = `The connection ${found.head.connection} was removed, so the request can't be sent again`;
      throw new ApiError("invalid-request", sentence, { mayHaveArrived: false });
    }
    const called = await replay(this.#deps.session, connection, found.head, found.called);
    if (!called) return;
    this.#replayed.set(called.id, called);
    await showBoth(found.called, called);
  }

  #fail(error: unknown): void {
    if (isCancelled(error)) return;
    this.#deps.log.error(String(error));
    const { active } = this.#deps.session;
    void showExplanation(
      explain(error, { service: active?.name ?? "the service", kind: active?.kind ?? "live" }),
    );
  }
}

async function openBody(
  { called }: FoundCall,
  { attempt, part }: { readonly attempt: number; readonly part: "request" | "response" },
): Promise<void> {
  const body = called.attempts[attempt]?.[part];
  const document = await vscode.workspace.openTextDocument(documentUri(called.id, attempt, part, body));
  await vscode.window.showTextDocument(document, { preview: true });
}

/** The first answer and the new one, side by side. */
async function showBoth(first: FoundCall["called"], second: FoundCall["called"]): Promise<void> {
  const [before, after] = [first, second].map(({ id, attempts }) =>
    documentUri(id, Math.max(0, attempts.length - 1), "answer", undefined),
  );
  await vscode.commands.executeCommand("vscode.diff", before, after, "First Answer ↔ New Answer");
}
