import * as vscode from "vscode";
import { augmentation } from "../../api/money/price.ts";
import { tabIcon, webviewPage, webviewRoot } from "../../platform/editor/webviewPage.ts";
import { formatUsd } from "../../shared/money/formatUsd.ts";
import { commands, extensionId, resultsPanel } from "../../shared/names/ids.ts";
import type { AugmentDeps } from "../deps.ts";
import { type FromResultsView, parseFromResultsView, type ResultRow } from "../protocol/resultsProtocol.ts";
import { hitSite } from "../search/toHits.ts";
import { excerptOf } from "./excerpts.ts";
import type { ResultStore } from "./resultStore.ts";
import { hitOf, labelOf, type ResultNode, resultFacts } from "./resultTree.ts";
import type { StoredResult } from "./storedResult.ts";

const title = "Web & Documents";
/** A hit can have a text of any length, and the page shows two lines. */
const excerptCharacters = 400;

export interface ResultsPanelDeps extends Pick<AugmentDeps, "session" | "log"> {
  readonly store: ResultStore;
  /** Runs an action on rows. */
  readonly act: (
    action: Extract<FromResultsView, { type: "act" }>["body"]["action"],
    nodes: readonly ResultNode[],
  ) => unknown;
}

/** The editor tab with the stored results and their beginnings; there is at most one. */
export class ResultsPanel {
  readonly #deps: ResultsPanelDeps;
  #panel: vscode.WebviewPanel | undefined;
  /** A row to show as soon as the page has its rows. */
  #wanted: string | undefined;

  constructor(deps: ResultsPanelDeps) {
    this.#deps = deps;
  }

  /** Opens the tab; with an id, selects this result. */
  async show(id?: string): Promise<void> {
    this.#wanted = id ?? this.#wanted;
    if (this.#panel) {
      this.#panel.reveal();
      await this.#send();
    } else this.#panel = this.#open();
  }

  /** The stored results have changed. */
  changed(): void {
    if (this.#panel) void this.#send().catch((error) => this.#deps.log.error(String(error)));
  }

  #open(): vscode.WebviewPanel {
    const { log } = this.#deps;
    // The start hands on no more than it has to.
    const { extensionUri } = vscode.extensions.getExtension(extensionId) ?? {};
    if (!extensionUri) throw new Error("the extension is not installed");
    const panel = vscode.window.createWebviewPanel(resultsPanel, title, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [webviewRoot(extensionUri)],
    });
    panel.iconPath = tabIcon(extensionUri);
    panel.webview.onDidReceiveMessage((received: unknown) => {
      const message = parseFromResultsView(received);
      if (!message) return log.warn("the list of results sent an invalid message");
      this.#handle(message).catch((error) => log.error(String(error)));
    });
    panel.onDidDispose(() => {
      this.#panel = undefined;
    });
    panel.webview.html = webviewPage(panel.webview, extensionUri, { bundle: "results", title });
    return panel;
  }

  async #handle(message: FromResultsView): Promise<void> {
    if (message.type === "ready") return this.#send();
    if (message.type === "search") return void vscode.commands.executeCommand(commands.webSearch);
    const { action, ids } = message.body;
    const stored = new Map((await this.#deps.store.list()).map((result) => [result.id, result]));
    const nodes = ids.flatMap((id) => nodeOf(id, stored) ?? []);
    if (nodes.length > 0) await this.#deps.act(action, nodes);
  }

  async #send(): Promise<void> {
    const { store, session } = this.#deps;
    const nowMs = Date.now();
    const rows = await Promise.all((await store.list()).map((stored) => rowsOf(stored, store, nowMs)));
    const readPrice = formatUsd(augmentation.usd, session.active?.kind === "sandbox");
    const { webview } = this.#panel ?? {};
    await webview?.postMessage({ v: 1, type: "rows", rows: rows.flat(), readPrice });
    if (this.#wanted === undefined) return;
    await webview?.postMessage({ v: 1, type: "show", id: this.#wanted });
    this.#wanted = undefined;
  }
}

async function rowsOf(stored: StoredResult, store: ResultStore, nowMs: number): Promise<ResultRow[]> {
  const common = { id: stored.id, title: labelOf(stored), facts: resultFacts(stored, nowMs) };
  if (stored.kind !== "search") {
    const excerpt = excerptOf(await store.beginning(stored.id), stored.kind === "page" ? stored.title : "");
    return [{ ...common, kind: stored.kind, excerpt, hasAddress: stored.kind === "page" }];
  }
  const hits = stored.hits.map(
    ({ title: name, url, date, snippet }, index): ResultRow => ({
      id: `${stored.id}#${index}`,
      kind: "hit",
      title: name,
      facts: [hitSite(url), date].filter(Boolean).join(" · "),
      excerpt: snippet.slice(0, excerptCharacters),
      hasAddress: url !== "",
    }),
  );
  const found = hits.map(({ title: name }) => name).join(" · ");
  const excerpt = found.slice(0, excerptCharacters);
  return [{ ...common, kind: "search", excerpt, hasAddress: false }, ...hits];
}

function nodeOf(id: string, stored: ReadonlyMap<string, StoredResult>): ResultNode | undefined {
  const [own = "", index] = id.split("#");
  const result = stored.get(own);
  if (!result || index === undefined) return result && { type: "result", result };
  const node =
    result.kind === "search" ? ({ type: "hit", result, index: Number(index) } as const) : undefined;
  return node && hitOf(node) ? node : undefined;
}
